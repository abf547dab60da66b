// Command lines for tests of verbs: reads one as a program does that has only the verbs which `add`
// adds, and keeps the request instead of carrying it out.
#pragma once

#include "hub/base/usage_error.hpp"
#include "hub/config/command_line.hpp"
#include "tests/support/catch.hpp"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gamehub::tests {

using words = std::vector<std::string>;
using variables = std::map<std::string, std::string>;

// Reads words after the program's name. Returns what is printed.
inline std::string run_words(const config::verb& program, const words& line, const variables& set,
                             config::environment around = {}) {
  around.variable = [&](const std::string& name) -> std::optional<std::string> {
    const auto found = set.find(name);
    return found == set.end() ? std::nullopt : std::optional{found->second};
  };
  for (const auto& [name, value] : set) around.names.push_back(name);
  around.version = "1.2.3";
  std::vector<const char*> argv{program.name.c_str()};
  for (const auto& each : line) argv.push_back(each.c_str());
  std::string printed;
  const auto code = config::run_verb(program, static_cast<int>(argv.size()), argv.data(), around,
                                     [&](const std::string& text) {
                                       printed = text;
                                       return 0;
                                     });
  CHECK(code == 0);
  return printed;
}

template <class Request>
class verb_line {
 public:
  using runner = std::function<int(const Request&)>;

  verb_line(std::function<void(config::verb&, runner)> add, variables set = {})
      : add_(std::move(add)), set_(std::move(set)) {}

  Request request(const words& line) const { return request(line, set_); }
  Request request(const words& line, const variables& set) const {
    std::optional<Request> got;
    run(line, set, [&](const Request& each) {
      got = each;
      return 0;
    });
    REQUIRE(got);
    return *got;
  }

  // The sentence of a usage_error, which exits with code 2.
  std::string mistake(const words& line) const { return mistake(line, set_); }
  std::string mistake(const words& line, const variables& set) const {
    try {
      run(line, set, [](const Request&) { return 0; });
    } catch (const base::usage_error& what) {
      const auto text = base::format_error(what);
      CHECK(text.find('\n') == std::string::npos);
      return text;
    }
    return "no mistake";
  }

  std::string help(const words& line) const {
    return run(line, set_, [](const Request&) {
      FAIL("the verb was run");
      return 1;
    });
  }

 private:
  std::string run(const words& line, const variables& set, runner carry_out) const {
    config::verb program;
    program.name = "gamehub";
    program.help = "a program";
    add_(program, std::move(carry_out));
    config::environment around;
    around.protocols = gateways::protocols();
    return run_words(program, line, set, around);
  }

  const std::function<void(config::verb&, runner)> add_;
  const variables set_;
};

}  // namespace gamehub::tests
