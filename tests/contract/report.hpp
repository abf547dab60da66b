// Part of the codec contract: the list of findings of a run. Owned by one run, used by its thread.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gamehub::tests {

class report {
 public:
  explicit report(std::string engine_id) : engine_id_(std::move(engine_id)) {}

  // The current position of the run: a part of the next findings.
  void at(std::string place) { place_ = std::move(place); }

  // Only the first violation of a rule is reported.
  bool expect(bool kept, std::string_view promise, std::string_view detail = {}) {
    if (!kept && broken_.emplace(promise).second) {
      std::string line = engine_id_ + ": " + std::string{promise};
      if (!detail.empty()) line += ": " + std::string{detail.substr(0, 400)};
      found_.push_back(line + " (" + place_ + ")");
    }
    return kept;
  }

  const std::vector<std::string>& found() const { return found_; }

 private:
  std::string engine_id_;
  std::string place_;
  std::set<std::string, std::less<>> broken_;
  std::vector<std::string> found_;
};

}  // namespace gamehub::tests
