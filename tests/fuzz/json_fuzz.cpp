// Three readers of JSON agree on what is JSON: the gateways', the engines' and the library's, but
// for numbers that do not fit a double, a zero byte and nesting, where each says what it does. What
// the gateways' writer writes is JSON and reads the same.
#include "engines/json.hpp"
#include "hub/base/json.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

namespace gamehub::tests {
namespace {

namespace ours = base::json;
namespace theirs = engines::json;

void expect(bool kept) {
  if (!kept) std::abort();
}

int depth_of(std::string_view text) {
  int depth = 0;
  for (const char c : text) depth += c == '[' || c == '{' ? 1 : 0;
  return depth;
}

// The library tells a number that is too large from what is no number.
class verdict : public nlohmann::json_sax<nlohmann::json> {
 public:
  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(std::int64_t) override { return true; }
  bool number_unsigned(std::uint64_t) override { return true; }
  bool number_float(double, const std::string&) override { return true; }
  bool string(std::string&) override { return true; }
  bool binary(nlohmann::json::binary_t&) override { return true; }
  bool start_object(std::size_t) override { return true; }
  bool key(std::string&) override { return true; }
  bool end_object() override { return true; }
  bool start_array(std::size_t) override { return true; }
  bool end_array() override { return true; }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception& e) override {
    too_large = e.id == 406;
    return false;
  }

  bool too_large = false;
};

void check_agreement(std::string_view text) {
  const bool valid = base::json::valid(text);
  if (depth_of(text) < theirs::depth_max) expect(valid == theirs::valid(text));
  if (text.find('\0') != text.npos || text.starts_with("\xEF\xBB\xBF")) return;
  verdict library;
  const bool accepted = nlohmann::json::sax_parse(text, &library);
  expect(library.too_large || accepted == valid);
}

void check_walk(std::string_view text, base::json::walk::over what) {
  base::json::walk each{text, what};
  while (each.step()) {
    expect(base::json::valid(each.here().spelled));
    expect(each.name().empty() || base::json::valid(each.name()));
    if (each.here().what == base::json::kind::integer) {
      const theirs::value same{theirs::kind::integer, each.here().spelled};
      expect(base::json::integer(each.here()) == theirs::integer(same));
    }
    if (each.here().what != base::json::kind::string) continue;
    const auto said = base::json::unquoted(each.here().spelled);
    std::string again;
    base::json::append_quoted(said, again);
    expect(base::json::valid(again) && base::json::unquoted(again) == said);
    expect(base::json::says(each.here().spelled, said));
    expect(nlohmann::json::parse(each.here().spelled).get<std::string>() == said);
  }
  if (each.whole()) expect(base::json::valid(text));
}

// Any bytes at all.
void check_writer(std::string_view text) {
  std::string quoted;
  base::json::append_quoted(text, quoted);
  expect(base::json::valid(quoted));
}

}  // namespace
}  // namespace gamehub::tests

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text{reinterpret_cast<const char*>(data), size};
  gamehub::tests::check_agreement(text);
  gamehub::tests::check_walk(text, gamehub::base::json::walk::over::object);
  gamehub::tests::check_walk(text, gamehub::base::json::walk::over::array);
  gamehub::tests::check_writer(text);
  return 0;
}
