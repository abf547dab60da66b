#include "hub/app/plugins/trial.hpp"

#include <chrono>
#include <exception>

#include "hub/app/kit/check.hpp"
#include "hub/app/kit/limits.hpp"
#include "hub/app/kit/words.hpp"

namespace gamehub::app::plugins {

std::optional<std::string> fault_of(const std::filesystem::path& file) {
  kit::check_request asked;
  asked.target = file.string();
  asked.quick = true;
  asked.seeds = kit::quick_seeds;
  asked.seconds = std::chrono::duration<double>{kit::quick_time}.count();
  // A plugin can't say that its secrets become public in the course of a game.
  asked.reveals_midway = true;
  try {
    const auto found = kit::check(asked);
    if (!found.unusable.empty()) return found.unusable;
    if (found.broken.empty()) return std::nullopt;
    return "it breaks the contract of engines: " + kit::sentence_of(found.broken.front()) +
           "; gamehub engine check tells more";
  } catch (const std::exception& e) {
    return std::string{"it can't be tried: "} + e.what();
  }
}

}  // namespace gamehub::app::plugins
