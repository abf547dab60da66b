#include "tools/bench/any_load.hpp"

namespace gamehub::tools::bench {

void faults::add(std::string_view what) {
  ++count_;
  auto at = by_text_.find(what);
  if (at == by_text_.end()) {
    if (by_text_.size() >= texts_max) what = "others";
    at = by_text_.emplace(what, 0).first;
  }
  ++at->second;
}

}  // namespace gamehub::tools::bench
