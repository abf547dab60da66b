// What a hub tells Prometheus, read again: sums of samples by name and label. A plain value.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gamehub::app {

class samples {
 public:
  using label = std::pair<std::string_view, std::string_view>;

  // Lines that are no samples are passed over.
  explicit samples(std::string_view text);

  // Of the samples that have these labels; nothing if there are none.
  std::optional<double> sum(std::string_view name, const std::vector<label>& with = {}) const;
  std::optional<double> most(std::string_view name) const;

  // Each value that a label has among a metric's samples, sorted.
  std::vector<std::string> values_of(std::string_view name, std::string_view of) const;

 private:
  struct sample {
    std::map<std::string, std::string, std::less<>> labels;
    double value = 0;
  };

  std::map<std::string, std::vector<sample>, std::less<>> by_name_;
};

}  // namespace gamehub::app
