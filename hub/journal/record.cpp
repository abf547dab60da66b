#include "hub/journal/record.hpp"

#include <algorithm>
#include <utility>

namespace gamehub::journal {

bool is_closed(std::span<const record> log) { return log.front().action != 0; }

std::vector<record> seats_of(std::span<const record> log,
                             std::vector<std::vector<std::string>>* former) {
  std::vector<record> seats;
  for (const auto& r : log) {
    if (r.what != record::kind::joined) continue;
    const auto at =
        std::find_if(seats.begin(), seats.end(), [&](const record& s) { return s.seat == r.seat; });
    if (at == seats.end()) {
      seats.push_back(r);
      if (former != nullptr) former->emplace_back();
      continue;
    }
    if (!r.secret.empty()) at->secret = r.secret;
    auto old = std::exchange(at->text, r.text);
    if (former == nullptr) continue;
    auto& names = (*former)[static_cast<std::size_t>(at - seats.begin())];
    std::erase(names, r.text);
    if (old != r.text) names.push_back(std::move(old));
  }
  return seats;
}

}  // namespace gamehub::journal
