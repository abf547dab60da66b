#include "tests/tidy/layers.hpp"

#include "tests/tidy/text.hpp"

#include <algorithm>
#include <iterator>

namespace gamehub::tests::tidy {
namespace {

// Folders.
constexpr std::string_view base = "hub/base/**";
constexpr std::string_view core = "hub/core/**";
constexpr std::string_view config = "hub/config/**";
constexpr std::string_view journal = "hub/journal/**";
constexpr std::string_view cluster = "hub/cluster/*";
constexpr std::string_view league = "hub/league/**";
constexpr std::string_view moderation = "hub/moderation/**";
constexpr std::string_view plugins = "hub/plugins/**";
constexpr std::string_view sdk = "engines/*";
constexpr std::string_view engine_host = "engines/host/**";
constexpr std::string_view gateways = "gateways/*";
constexpr std::string_view net = "gateways/net/**";
constexpr std::string_view http = "gateways/http/*";
constexpr std::string_view http_client = "gateways/http_client/**";
constexpr std::string_view table = "actors/table/**";
constexpr std::string_view runtime = "actors/runtime/**";
constexpr std::string_view relay_messages = "hub/relay/messages.hpp";
constexpr std::string_view relay_port = "hub/relay/web_port.hpp";
constexpr std::string_view counters = "metrics/cells.hpp";

// The table. It is the authority on who may use whom; documents refer to it. To change a rule,
// change its row in the commit that needs it. The first row that matches a file applies.
// "system" is the operating system's C headers; the standard library is free everywhere.
const std::vector<layer> layers{
    {"tests/support/catch**", {}, {"any"}, {}, "the only code that includes Catch2"},
    {"tests/**",
     {"**"},
     {"system", "CAF", "Asio", "Beast", "Boost.URL", "JSON", "Prometheus", "spdlog", "SQLite",
      "OpenSSL", "CLI11"},
     {},
     "tests may use everything, and Catch2 through tests/support/catch.hpp"},

    // Unit tests of actors play on whole hubs; those of engines load them.
    {"actors/**_test.cpp",
     {base, core, journal, sdk, "engines/**", "actors/**", counters, "hub/relay/*"},
     {"CAF"},
     {},
     "a test of actors may use all actors and engines"},
    {"engines/**_test.cpp",
     {base, sdk, "engines/**"},
     {"system"},
     {},
     "a test of an engine may use what hosts engines"},

    {"hub/base/**",
     {base},
     {"system"},
     {"OpenSSL", "JSON", "Boost.URL", "spdlog", "ICU"},
     "base is functions without domain, with other libraries behind its .cpp files"},
    {"hub/core/**", {base, core}, {}, {}, "the domain vocabulary uses hub/base and std only"},
    {"hub/journal/postgres/**",
     {base, core, journal},
     {"system"},
     {"libpq"},
     "the journal in PostgreSQL uses the journal's parts and libpq"},
    {"hub/journal/**",
     {base, core, "hub/journal/*"},
     {"system", "SQLite", "OpenSSL"},
     {},
     "the journal uses the vocabulary and its database"},
    {"hub/cluster/postgres/**",
     {base, core, journal, "hub/cluster/**"},
     {},
     {},
     "the heartbeats in PostgreSQL use the journal's connection"},
    {"hub/cluster/**",
     {base, core, "hub/journal/*", cluster},
     {},
     {},
     "membership uses the journal's port of shared logs"},
    {"hub/link/net/**",
     {base, core, "hub/journal/member_id.hpp", "hub/link/**"},
     {"Asio", "OpenSSL"},
     {},
     "the sockets of links use the frames and the state of hub/link"},
    {"hub/link/**",
     {base, core, "hub/journal/member_id.hpp", "hub/link/*"},
     {},
     {},
     "the frames and the state of links use no sockets, and of the journal a member's number"},
    {"hub/relay/**",
     {base, core, "hub/journal/member_id.hpp", "hub/link/*", "hub/relay/*"},
     {},
     {},
     "what hubs say of their players uses the frames of links, and of the journal a member's "
     "number"},
    {"hub/league/postgres/**",
     {base, core, journal, league},
     {},
     {},
     "the league in PostgreSQL uses the journal's connection"},
    {"hub/league/**",
     {base, core, journal, league},
     {"SQLite"},
     {},
     "the league uses the vocabulary, the journal and its own database"},
    {"hub/moderation/postgres/**",
     {base, core, journal, moderation},
     {},
     {},
     "the bans and mutes in PostgreSQL use the journal's connection and schema"},
    {"hub/moderation/**",
     {base, core, moderation},
     {"system"},
     {"JSON"},
     "moderation uses the vocabulary and its own files"},
    {"hub/webhook/**",
     {base, core, journal, net, http, http_client, "gateways/bots/url.hpp",
      "gateways/bots/address_policy.hpp", "gateways/bots/resolver.hpp",
      "gateways/bots/call_bytes.hpp", "./**"},
     {"Asio"},
     {},
     "webhooks are called as bots are: the same URLs, addresses, names and signatures"},
    {"hub/config/**",
     {base, core, config, gateways, sdk},
     {},
     {"system", "CLI11"},
     "settings use the vocabulary, the list of protocols and the levels of engine players"},
    {"hub/plugins/**",
     {base, core, config, sdk, engine_host, "engines/check/**", "engines/process/**", plugins},
     {"system"},
     {},
     "the plugin set probes and loads engines"},
    {"hub/admin/**",
     {base, core, config, journal, league, moderation, plugins, engine_host, table, http,
      http_client, "hub/admin/**"},
     {"JSON"},
     {"system", "Asio", "Beast"},
     "administration reads the hub's data; it uses no actors"},
    {"hub/server/**",
     {"hub/**", "engines/**", "gateways/**", "actors/**", "metrics/**"},
     {"system", "Asio"},
     {"JSON"},
     "the server is composed of everything but tools and tests"},

    {"engines/host/**",
     {sdk, engine_host},
     {"system"},
     {},
     "the engine host uses the SDK headers and dlopen"},
    {"engines/process/**",
     {base, sdk, engine_host, "./**"},
     {"system"},
     {},
     "the engine process uses the SDK headers, the engine host and the system"},
    {"engines/contract/**",
     {sdk, engine_host, "./**"},
     {},
     {},
     "the conformance suite is pure: SDK headers, engine host, std"},
    {"engines/check/**",
     {base, sdk, engine_host, "engines/contract/**", "engines/process/**", "./**"},
     {"system", "JSON"},
     {},
     "the check runs the conformance suite in child processes"},
    {"engines/*/**",
     {sdk, "./**"},
     {},
     {},
     "an engine stands alone: the SDK headers, its own folder and std"},
    {"engines/*", {sdk}, {}, {}, "the SDK headers use nothing of the hub, and std only"},

    {"gateways/net/datagram_port_test.cpp",
     {base, core, gateways, net, counters, "gateways/udp/peer_table.hpp"},
     {"system", "Asio"},
     {},
     "the datagram port is tested with the datagram protocol"},
    {"gateways/net/beast.cpp", {}, {"Beast"}, {}, "Beast is compiled once, here"},
    {"gateways/net/**",
     {base, core, gateways, net, counters, relay_port},
     {"system", "Asio"},
     {},
     "connections use the codec interface and hub/core/ports.hpp, never actors"},
    {"gateways/http/**",
     {base, core, gateways, net, "./**", counters, relay_messages, relay_port},
     {"Asio", "Beast", "Boost.URL"},
     {"JSON"},
     "the HTTP gateway uses the connection of gateways/net, and no other gateway"},
    {"gateways/http_client/**",
     {base, http_client},
     {"Asio", "OpenSSL"},
     {"Beast"},
     "the HTTP client uses hub/base, sockets, TLS and Beast's parser"},
    {"gateways/bots/**",
     {base, core, gateways, net, http, http_client, "./**", counters},
     {"Asio", "Boost.URL"},
     {},
     "bots register over gateways/http and are called by gateways/http_client"},
    {"gateways/*/make_listener.*",
     {base, core, gateways, net, "./**"},
     {},
     {},
     "make_listener joins a codec to gateways/net"},
    {"gateways/turns/messages.cpp",
     {base, core, gateways, "./**"},
     {"JSON"},
     {},
     "the messages of turns still read JSON without hub/base"},
    {"gateways/*/**",
     {base, core, gateways, "./**"},
     {},
     {},
     "a codec turns bytes into intents: vocabulary, codec interface, JSON through hub/base"},
    {"gateways/*", {base, core, gateways}, {}, {}, "the codec interface uses the vocabulary"},

    {"actors/table/**",
     {base, core, journal, sdk, engine_host, table},
     {},
     {},
     "the rules of play use no actor runtime"},
    {"actors/runtime/loop_asio*",
     {base, core, journal, sdk, engine_host, table, runtime, counters, relay_messages},
     {"CAF", "Asio"},
     {},
     "loop_asio is the one place where CAF and Asio meet"},
    {"actors/runtime/**",
     {base, core, journal, sdk, engine_host, table, runtime, counters, relay_messages},
     {"CAF"},
     {},
     "the actor runtime is the only code that names CAF; it uses no other actor"},
    {"actors/relay/**",
     {base, core, journal, sdk, engine_host, table, runtime, counters, "hub/relay/*",
      "hub/link/codec.hpp", "./**"},
     {"CAF"},
     {},
     "the exchange with other hubs uses actors/runtime and hub/relay"},
    {"actors/spectate/**",
     {base, core, journal, sdk, engine_host, table, runtime, counters, "./**"},
     {},
     {},
     "spectate uses actors/runtime and actors/table; CAF comes through runtime/actor_base.hpp"},
    {"actors/game/**",
     {base, core, journal, sdk, engine_host, table, runtime, counters, "actors/spectate/**",
      "./**"},
     {},
     {},
     "the game actor uses runtime, table and spectate; CAF comes through runtime/actor_base.hpp"},
    {"actors/session/**",
     {base, core, journal, sdk, engine_host, table, runtime, counters, relay_messages,
      "actors/relay/**", "./**"},
     {},
     {},
     "sessions use runtime, table and relay; CAF comes through runtime/actor_base.hpp"},
    {"actors/lobby/**",
     {base, core, journal, sdk, engine_host, table, runtime, counters, relay_messages,
      "actors/relay/**", "actors/spectate/**", "actors/game/**", "actors/session/**", "./**"},
     {},
     {},
     "the lobby uses game, session and relay; CAF comes through runtime/actor_base.hpp"},
    {"actors/system/**",
     {base, core, journal, sdk, engine_host, counters, "actors/**"},
     {},
     {},
     "actors/system composes the actors; CAF comes through runtime/actor_base.hpp"},

    {"metrics/family.hpp", {base, core, "metrics/**"}, {"Prometheus"}, {}, "makes families"},
    {"metrics/gateway_metrics.hpp", {base, core, "metrics/**"}, {"Prometheus"}, {}, "collects"},
    {"metrics/**",
     {base, core, "metrics/**"},
     {},
     {"Prometheus"},
     "metrics are names and numbers: other folders count, metrics do not look into them"},

    {"tools/*",
     {base, core, config, "engines/process/**", "tools/**"},
     {},
     {},
     "the program gamehub-tools is composed of the tools, and is the child of its checks"},
    {"tools/**",
     {base, core, config, plugins, "engines/**", "gateways/**", "./**"},
     {"system", "Asio"},
     {"JSON"},
     "a tool uses engines, codecs and the HTTP client; it uses no server and no other tool"},
};

constexpr library standard{"std", "everywhere"};
constexpr library system_calls{"system", "hub/base and the layers whose row names the system"};
constexpr library caf{"CAF", "actors/runtime: use its actor_base.hpp, or hub/core/ports.hpp"};
constexpr library asio{"Asio", "gateways/net and actors/runtime/loop_asio: use the connection"};
constexpr library beast{"Beast",
                        "gateways/http and gateways/http_client: use the server and the client"};
constexpr library boost_url{"Boost.URL", "hub/base and gateways/http: use hub/base"};
constexpr library boost{"Boost", "no layer: use the standard library"};
constexpr library json{"JSON", "hub/base: use its JSON reader and writer"};
constexpr library prometheus{"Prometheus", "metrics: use metrics/cells.hpp"};
constexpr library spdlog{"spdlog", "hub/base: use its log"};
constexpr library sqlite{"SQLite", "hub/journal and hub/league: use the journal"};
constexpr library libpq{"libpq", "hub/journal: use the journal"};
constexpr library openssl{"OpenSSL", "hub/base, hub/journal and gateways/http_client"};
constexpr library icu{"ICU", "hub/base: use its unicode"};
constexpr library cli11{"CLI11", "hub/config: add an option to a verb"};
constexpr library catch2{"Catch2", "tests/support/catch.hpp: include that"};

// How a library appears in sources (start of the header's name, namespace) and in CMake (start of
// the target's name). The first row that matches applies.
struct spelling {
  std::string_view header;
  std::string_view space;
  std::string_view target;
  const library& of;
};

constexpr spelling spellings[] = {
    {"caf/", "caf", "CAF::", caf},
    {"boost/asio", "boost::asio", "gamehub_asio", asio},
    {"", "", "Boost::headers", asio},
    {"boost/beast", "boost::beast", "gamehub_beast", beast},
    {"boost/url", "boost::urls", "Boost::url", boost_url},
    {"boost/", "boost", "Boost::", boost},
    {"nlohmann/", "nlohmann", "nlohmann_json", json},
    {"prometheus/", "prometheus", "prometheus-cpp::", prometheus},
    {"spdlog/", "spdlog", "spdlog::", spdlog},
    {"fmt/", "fmt", "fmt::", spdlog},
    {"sqlite3.h", "", "SQLite::", sqlite},
    {"libpq-fe.h", "", "PostgreSQL::", libpq},
    {"openssl/", "", "OpenSSL::", openssl},
    {"unicode/", "icu", "ICU::", icu},
    {"CLI/", "CLI", "CLI11::", cli11},
    {"catch2/", "Catch", "Catch2::", catch2},
    {"", "std", "Threads::", standard},
    {"", "", "${CMAKE_DL_LIBS}", system_calls},
};

constexpr std::string_view c_headers[] = {"assert.h",  "limits.h", "stdalign.h",
                                          "stdbool.h", "stddef.h", "stdint.h",
                                          "stdio.h",   "stdlib.h", "string.h"};

// The folders outside hub/ that have a namespace of the same name.
constexpr std::string_view roots[] = {"actors", "engines", "gateways", "metrics", "tests", "tools"};

template <typename Range>
bool contains(const Range& names, std::string_view name) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

// The first two parts of a path, without a '/' at the end; the first part if a file follows it.
std::string_view own_folder(std::string_view file) {
  const auto first = file.find('/');
  return file.substr(0, first == file.npos ? 0 : file.find('/', first + 1));
}

std::string expanded(std::string_view pattern, std::string_view file) {
  if (!pattern.starts_with("./")) return std::string{pattern};
  return std::string{own_folder(file)} + std::string{pattern.substr(1)};
}

}  // namespace

const layer* layer_of(std::string_view file) {
  const auto found = std::find_if(layers.begin(), layers.end(),
                                  [&](const layer& each) { return glob(each.files, file); });
  return found == layers.end() ? nullptr : &*found;
}

const layer* layer_of_folder(std::string_view folder) {
  return layer_of(std::string{folder} + "/any.cpp");
}

bool has_own_row(std::string_view folder) {
  const auto pattern = std::string{folder} + "/**";
  return std::any_of(layers.begin(), layers.end(),
                     [&](const layer& each) { return each.files == pattern; });
}

bool may_include(const layer& row, std::string_view file, std::string_view header) {
  if (is_unit_test(file) && header.starts_with("tests/")) return true;
  return std::any_of(row.uses.begin(), row.uses.end(), [&](std::string_view pattern) {
    return glob(expanded(pattern, file), header);
  });
}

bool may_use_folder(const layer& row, std::string_view folder, std::string_view used) {
  return std::any_of(row.uses.begin(), row.uses.end(), [&](std::string_view pattern) {
    const auto headers = expanded(pattern, std::string{folder} + "/any.cpp");
    return headers.ends_with("**") ? glob(headers, std::string{used} + "/any.hpp")
                                   : glob(folder_of(headers), used);
  });
}

bool names_library(const layer& row, const library& what) {
  return what.name == standard.name || contains(row.libraries, what.name) ||
         contains(row.libraries, "any") || contains(row.libraries_in_cpp, what.name);
}

bool folder_names_library(std::string_view folder, const library& what) {
  const auto* row = layer_of_folder(folder);
  if (row != nullptr && names_library(*row, what)) return true;
  const auto inside = std::string{folder} + "/";
  return std::any_of(layers.begin(), layers.end(), [&](const layer& each) {
    return each.files.starts_with(inside) && names_library(each, what);
  });
}

bool may_use_library(const layer& row, std::string_view file, const library& what) {
  if (is_unit_test(file) && what.name == json.name) return true;
  return names_library(row, what) &&
         (file.ends_with(".cpp") || !contains(row.libraries_in_cpp, what.name));
}

const library& library_of_header(std::string_view header) {
  for (const auto& each : spellings)
    if (!each.header.empty() && header.starts_with(each.header)) return each.of;
  const auto is_standard = contains(c_headers, header) || header.find_first_of("./") == header.npos;
  return is_standard ? standard : system_calls;
}

const library* library_of_namespace(std::string_view name) {
  for (const auto& each : spellings)
    if (!each.space.empty() &&
        (name == each.space || name.starts_with(std::string{each.space} + "::")))
      return &each.of;
  return nullptr;
}

const library* library_of_target(std::string_view target) {
  for (const auto& each : spellings)
    if (!each.target.empty() && target.starts_with(each.target)) return &each.of;
  return nullptr;
}

std::string_view folder_of(std::string_view file) {
  const auto slash = file.rfind('/');
  return slash == file.npos ? std::string_view{} : file.substr(0, slash);
}

std::string namespace_of(std::string_view folder) {
  if (folder.starts_with("hub/")) folder.remove_prefix(4);
  if (folder == "core")
    folder = {};
  else if (folder.starts_with("core/"))
    folder.remove_prefix(5);
  std::string name = "gamehub";
  while (!folder.empty()) {
    const auto end = folder.find('/');
    name += "::" + std::string{folder.substr(0, end)};
    folder = end == folder.npos ? std::string_view{} : folder.substr(end + 1);
  }
  return name;
}

std::string folder_of_namespace(std::string_view name) {
  constexpr std::string_view ours = "gamehub::";
  if (!name.starts_with(ours)) return "hub/core";
  std::string path{name.substr(ours.size())};
  for (auto at = path.find("::"); at != path.npos; at = path.find("::", at))
    path.replace(at, 2, "/");
  const auto first = path.substr(0, path.find('/'));
  if (contains(roots, first)) return path;
  // A namespace that no row of hub/ has is a part of the vocabulary, as gamehub::limits is.
  return layer_of_folder("hub/" + first) == nullptr ? "hub/core" : "hub/" + path;
}

bool is_unit_test(std::string_view file) { return file.ends_with("_test.cpp"); }

}  // namespace gamehub::tests::tidy
