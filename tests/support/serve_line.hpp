// The settings of `gamehub serve` of four protocols, from its command line and environment. For
// tests; any thread.
#pragma once

#include "hub/base/usage_error.hpp"
#include "hub/config/command_line.hpp"
#include "hub/config/settings.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/verb_line.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace gamehub::tests::serve_line {

inline const gateways::protocol_info opcodes = [] {
  gateways::protocol_info p;
  p.name = "opcodes";
  p.summary = "a byte for a cell";
  p.port_default = 8888;
  p.engine_per_port = true;
  return p;
}();
inline const gateways::protocol_info turns = [] {
  gateways::protocol_info p;
  p.name = "turns";
  p.summary = "lines of JSON";
  p.against_engine = true;
  p.port_default = 8889;
  return p;
}();
inline const gateways::protocol_info pigeons = [] {
  gateways::protocol_info p;
  p.name = "pigeons";
  p.summary = "a byte a bird";
  p.port_default = 8890;
  p.engine_per_port = true;
  p.grace_default = std::nullopt;
  return p;
}();
inline const gateways::protocol_info words = [] {
  gateways::protocol_info p;
  p.name = "words";
  p.summary = "a word a move";
  p.port_default = 8891;
  p.grace_default = std::chrono::seconds{120};
  p.grace_covers_turn = true;
  return p;
}();
inline constexpr std::array<const gateways::protocol_info*, 4> protocols{&opcodes, &turns, &pigeons,
                                                                         &words};

enum class what : std::uint8_t { nothing, serve, check, engines, engines_in_json };

// The command line and the environment of the program, which runs no verb.
struct start {
  std::vector<std::string> arguments;
  std::map<std::string, std::string> environment;

  struct outcome {
    what ran = what::nothing;
    config::settings settings;
    std::string printed;
  };
  outcome parse() const {
    outcome out;
    const auto ran = [&](what verb, const config::settings& found) {
      out.ran = verb;
      out.settings = found;
      return 0;
    };
    config::verb program;
    program.name = "gamehub";
    program.help = "a program";
    config::add_serve_verbs(
        program,
        [&](const config::settings& found, bool check) {
          return ran(check ? what::check : what::serve, found);
        },
        [&](const config::settings& found, bool json) {
          return ran(json ? what::engines_in_json : what::engines, found);
        });
    config::environment around;
    around.protocols = protocols;
    around.cores = 3;
    out.printed = tests::run_words(program, arguments, environment, around);
    return out;
  }
  config::settings read() const { return parse().settings; }
  // The sentence of a usage_error, which exits with code 2.
  std::string mistake() const {
    try {
      parse();
    } catch (const base::usage_error& each) {
      const auto text = base::format_error(each);
      CHECK(text.find('\n') == std::string::npos);
      return text;
    }
    return "no mistake";
  }
};

// HOME is set, unless the test overrides it.
inline start serve(std::vector<std::string> flags,
                   std::map<std::string, std::string> environment = {}) {
  flags.insert(flags.begin(), "serve");
  environment.try_emplace("HOME", "/home/ann");
  return {std::move(flags), std::move(environment)};
}

}  // namespace gamehub::tests::serve_line
