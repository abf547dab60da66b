#include "hub/app/operate/samples.hpp"

#include <algorithm>
#include <charconv>
#include <set>

namespace gamehub::app {
namespace {

std::optional<double> number(std::string_view text) {
  double n = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (error != std::errc{} || end != text.data() + text.size()) return {};
  return n;
}

}  // namespace

// NAME VALUE, or NAME{LABEL="VALUE",...} VALUE. No value of ours has a quote or a backslash.
samples::samples(std::string_view text) {
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    const auto line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const auto blank = line.rfind(' ');
    const auto value = blank == line.npos ? std::nullopt : number(line.substr(blank + 1));
    if (!value || line.starts_with('#')) continue;
    const auto name_end = std::min(line.find('{'), blank);
    sample found;
    found.value = *value;
    auto rest = line.substr(name_end, blank - name_end);
    while (rest.size() > 1) {
      rest.remove_prefix(1);  // the brace or comma
      const auto equals = rest.find("=\"");
      const auto quote = equals == rest.npos ? rest.npos : rest.find('"', equals + 2);
      if (quote == rest.npos) break;
      found.labels.emplace(rest.substr(0, equals), rest.substr(equals + 2, quote - equals - 2));
      rest.remove_prefix(quote + 1);
    }
    by_name_[std::string{line.substr(0, name_end)}].push_back(std::move(found));
  }
}

std::optional<double> samples::sum(std::string_view name, const std::vector<label>& with) const {
  const auto found = by_name_.find(name);
  if (found == by_name_.end()) return {};
  std::optional<double> total;
  for (const auto& each : found->second) {
    const auto fits = std::all_of(with.begin(), with.end(), [&](const label& wanted) {
      const auto at = each.labels.find(wanted.first);
      return at != each.labels.end() && at->second == wanted.second;
    });
    if (fits) total = total.value_or(0) + each.value;
  }
  return total;
}

std::optional<double> samples::most(std::string_view name) const {
  const auto found = by_name_.find(name);
  if (found == by_name_.end()) return {};
  std::optional<double> most;
  for (const auto& each : found->second) most = std::max(most.value_or(each.value), each.value);
  return most;
}

std::vector<std::string> samples::values_of(std::string_view name, std::string_view of) const {
  std::set<std::string> values;
  if (const auto found = by_name_.find(name); found != by_name_.end())
    for (const auto& each : found->second)
      if (const auto at = each.labels.find(of); at != each.labels.end()) values.insert(at->second);
  return {values.begin(), values.end()};
}

}  // namespace gamehub::app
