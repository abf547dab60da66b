// Who may include whom. The table is the authority that a compiler can check; docs and reviews
// follow it. A rule that stands in the way of something good is changed here, in the same change.
#include <algorithm>

#include "tests/tidy/rules.hpp"
#include "tests/tidy/text.hpp"

namespace gamehub::tests::tidy {
namespace {

// Whose header an #include <…> names: the first prefix that fits. Where it lives is also what to do
// instead of including it elsewhere.
struct library {
  std::string_view prefix;
  std::string_view name;
  std::string_view home;
};

constexpr library libraries[] = {
    {"caf/", "CAF", "actors/: send it what it shall do through hub/core/ports.hpp"},
    {"boost/asio", "Asio", "gateways/net, actors/loop*, hub/app: use the loop or the connection"},
    {"boost/beast", "Asio", "gateways/net and the HTTP ends: use what they offer"},
    {"boost/url", "Boost.URL", "gateways/net and the HTTP gateways"},
    {"boost/", "Boost", "nowhere: use the standard library"},
    {"nlohmann/", "JSON", "the gateways and hub/app: hand over text or plain values"},
    {"prometheus/", "Prometheus", "metrics/: count in metrics/cells.hpp"},
    {"spdlog/", "spdlog", "hub/app: use its log"},
    {"fmt/", "spdlog", "hub/app: use its log"},
    {"sqlite3.h", "SQLite", "hub/journal: use the journal"},
    {"openssl/", "OpenSSL", "the gateways, hub/journal and hub/app"},
    {"CLI/", "CLI11", "hub/app: take a setting as an argument"},
    {"catch2/", "Catch2", "tests/support/catch.hpp: include that"},
};

constexpr library standard{"", "std", "everywhere"};
constexpr library system_calls{"", "system", "the parts that meet the system: ask one of them"};

constexpr std::string_view c_headers[] = {"assert.h", "limits.h", "stdbool.h", "stddef.h",
                                          "stdint.h", "stdlib.h", "stdalign.h"};

// One row of the table. `ours` are patterns of our headers, "./" being the layer's own folder (the
// first two parts of the path); `libs` are names of libraries besides the standard one. "**" and
// "any" allow all of them.
struct layer {
  std::string_view files;
  std::vector<std::string_view> ours;
  std::vector<std::string_view> libs;
  std::string_view why;
};

// The first row that fits a file holds.
const std::vector<layer> layers{
    layer{"tests/support/catch**", {}, {"any"}, "the way to Catch2"},
    layer{"tests/**",
          {"**"},
          {"system", "CAF", "Asio", "Boost.URL", "JSON", "Prometheus", "spdlog", "SQLite",
           "OpenSSL", "CLI11"},
          "tests may use everything, and Catch2 through tests/support/catch.hpp"},

    layer{"hub/core/entropy.cpp", {"hub/core/**"}, {"system"}, "secrets come from the kernel"},
    layer{"hub/core/**", {"hub/core/**"}, {}, "the vocabulary knows the standard library only"},
    layer{"hub/journal/**",
          {"hub/core/**", "hub/journal/**"},
          {"system", "SQLite", "OpenSSL"},
          "the journal knows the vocabulary, and its database"},
    layer{"hub/arena/**",
          {"hub/core/**", "hub/arena/**", "hub/journal/**"},
          {"SQLite", "OpenSSL"},
          "the arena knows the vocabulary, the logs of its games, and its own file"},
    layer{"hub/app/kit/**",
          {"hub/core/**", "hub/app/**", "engines/*", "engines/contract/**"},
          {"system", "JSON", "CLI11"},
          "the kit is the contract as a command, and what the hub asks of a plugin: nothing else"},
    layer{"hub/app/isolation/**",
          {"hub/app/**", "hub/core/limits.hpp", "engines/*", "engines/remote/**",
           "metrics/engine_numbers.hpp"},
          {"system", "Asio"},
          "the processes of isolated engines, and what is said to them"},
    layer{"hub/app/**",
          {"hub/**", "engines/*", "gateways/*", "gateways/net/**", "gateways/http/address.hpp",
           "gateways/http/server/server.hpp", "gateways/jsonrpc/**", "actors/**", "metrics/**"},
          {"system", "Asio", "Boost.URL", "JSON", "spdlog", "OpenSSL", "CLI11"},
          "the program puts the parts together, by their interfaces"},

    layer{"engines/*/**",
          {"engines/*", "./**"},
          {},
          "an engine stands alone: the engine headers, itself and the standard library"},
    layer{"engines/*",
          {"engines/*"},
          {"system"},
          "the engines' side of the border knows nothing of the hub"},

    layer{"gateways/net/**",
          {"hub/core/**", "gateways/*", "gateways/net/**", "metrics/cells.hpp"},
          {"system", "Asio", "Boost.URL", "JSON", "OpenSSL"},
          "connections know codecs by their interface, and actors only by hub/core/ports.hpp"},
    layer{"gateways/http**",
          {"hub/core/**", "gateways/*", "./**", "gateways/net/**", "metrics/cells.hpp"},
          {"Asio", "Boost.URL", "JSON", "OpenSSL"},
          "a gateway that is HTTP may use Beast, and no other gateway"},
    layer{"gateways/jsonrpc/**",
          {"hub/core/**", "gateways/*", "./**", "gateways/net/**", "gateways/http/*",
           "gateways/http/server/server.hpp", "metrics/cells.hpp"},
          {"Asio", "Boost.URL", "JSON", "OpenSSL"},
          "bots are called by HTTP and register by it, so that this gateway knows that one"},
    layer{"gateways/*/**",
          {"hub/core/**", "gateways/*", "./**"},
          {"JSON"},
          "a codec turns bytes into intents: the vocabulary, the codec interface and JSON"},
    layer{"gateways/*",
          {"hub/core/**", "gateways/*"},
          {"JSON"},
          "the codec interface knows the vocabulary"},

    layer{"actors/loop**",
          {"hub/core/**", "hub/journal/**", "engines/*", "actors/**", "metrics/cells.hpp"},
          {"system", "CAF", "Asio"},
          "the loop is the one place where CAF and Asio meet"},
    layer{"actors/**",
          {"hub/core/**", "hub/journal/**", "engines/*", "actors/**", "metrics/cells.hpp"},
          {"CAF"},
          "actors know gateways only by hub/core/ports.hpp"},

    layer{"metrics/**",
          {"hub/core/**", "metrics/**"},
          {"Prometheus"},
          "metrics are names and numbers; the parts count, metrics never look into them"},
};

const library& library_of(std::string_view header) {
  for (const auto& each : libraries)
    if (header.starts_with(each.prefix)) return each;
  if (std::find(std::begin(c_headers), std::end(c_headers), header) != std::end(c_headers))
    return standard;
  return header.find_first_of("./") == header.npos ? standard : system_calls;
}

// The first two parts of the path, with the '/' after them.
std::string_view own_folder(std::string_view path) {
  const auto first = path.find('/');
  const auto second = first == path.npos ? path.npos : path.find('/', first + 1);
  return second == path.npos ? std::string_view{} : path.substr(0, second + 1);
}

bool is_test(std::string_view path) { return path.ends_with("_test.cpp"); }

bool may_include_ours(const layer& in, std::string_view path, std::string_view header) {
  if (is_test(path) && glob("tests/**", header)) return true;
  return std::any_of(in.ours.begin(), in.ours.end(), [&](std::string_view pattern) {
    if (!pattern.starts_with("./")) return glob(pattern, header);
    return glob(std::string{own_folder(path)} + std::string{pattern.substr(2)}, header);
  });
}

bool may_include_library(const layer& in, std::string_view path, const library& what) {
  if (what.name == "std" || (is_test(path) && what.name == "JSON")) return true;
  return std::any_of(in.libs.begin(), in.libs.end(),
                     [&](std::string_view name) { return name == what.name || name == "any"; });
}

// The header that the line includes with its first mark, < or ", or nothing.
std::string_view included_by(std::string_view line) {
  const auto hash = line.find_first_not_of(' ');
  if (hash == line.npos || line[hash] != '#') return {};
  const auto word = line.find_first_not_of(' ', hash + 1);
  if (word == line.npos || !line.substr(word).starts_with("include")) return {};
  const auto open = line.find_first_of("<\"", word);
  if (open == line.npos) return {};
  return line.substr(open, line.find_first_of(">\"", open + 1) - open);
}

}  // namespace

std::vector<violation> check_includes(const source_file& file) {
  std::vector<violation> found;
  const auto in = std::find_if(layers.begin(), layers.end(),
                               [&](const layer& each) { return glob(each.files, file.path); });
  if (in == layers.end())
    return {{file.path, 1, "is in no layer: move it, or add a row in tests/tidy/layers.cpp"}};
  std::size_t number = 0;
  for (const auto line : lines_of(file.text)) {
    ++number;
    const auto marked = included_by(line);
    if (marked.empty()) continue;
    const auto header = marked.substr(1);
    if (marked[0] == '"') {
      if (!may_include_ours(*in, file.path, header))
        found.push_back({file.path, number,
                         "may not include " + std::string{header} + ": " + std::string{in->why}});
      continue;
    }
    const auto& whose = library_of(header);
    if (!may_include_library(*in, file.path, whose))
      found.push_back({file.path, number,
                       "may not include " + std::string{header} + ", which belongs to " +
                           std::string{whose.home} + " (here: " + std::string{in->why} + ")"});
  }
  return found;
}

}  // namespace gamehub::tests::tidy
