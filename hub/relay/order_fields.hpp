// The fields of the messages about orders of operators, for the codec. Plain functions; any thread.
#pragma once

#include "hub/core/limits.hpp"
#include "hub/relay/messages.hpp"

#include <type_traits>

namespace gamehub::relay {

template <class Side>
void fields(Side& s, std::conditional_t<Side::writes, const order, order>& o) {
  s.must(1, o.number);
  s.text(2, o.method, limits::name_bytes_max);
  s.text(3, o.target);
  s.text(4, o.body);
}

template <class Side>
void fields(Side& s, std::conditional_t<Side::writes, const order_answer, order_answer>& a) {
  s.must(1, a.number);
  s.must(2, a.status);
  s.text(3, a.json);
}

}  // namespace gamehub::relay
