// What another hub may ask of this one, and may not have more of at once than a bound: it is then
// refused, and counted. A value; any thread.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace gamehub::relay {

enum class demand : std::uint8_t {
  question,  // of its lobby
  intent,    // of one of its clients
  request,   // over HTTP
  order,     // of an operator
};
inline constexpr std::array demands{demand::question, demand::intent, demand::request,
                                    demand::order};

constexpr std::string_view to_string(demand what) {
  switch (what) {
    case demand::question: return "question";
    case demand::intent: return "intent";
    case demand::request: return "request";
    case demand::order: return "order";
  }
  return {};
}

}  // namespace gamehub::relay
