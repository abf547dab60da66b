#include "hub/app/setting_list.hpp"

#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <utility>

namespace gamehub::app {
namespace {

template <class Number>
std::optional<Number> whole_number(std::string_view text, Number least, Number most) {
  Number n{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (error != std::errc{} || end != text.data() + text.size()) return {};
  if (n < least || n > most) return {};
  return n;
}

std::optional<bool> truth(std::string_view text) {
  for (const auto* word : {"true", "yes", "on", "1"})
    if (text == word) return true;
  for (const auto* word : {"false", "no", "off", "0"})
    if (text == word) return false;
  return {};
}

bool is_address(const std::string& text) {
  std::array<unsigned char, sizeof(in6_addr)> bytes{};
  return inet_pton(AF_INET, text.c_str(), bytes.data()) == 1 ||
         inet_pton(AF_INET6, text.c_str(), bytes.data()) == 1;
}

// An engine id, as far as the text alone tells; whether there is one, the registry knows.
bool is_name(std::string_view text) {
  return !text.empty() && text.size() <= limits::name_bytes_max &&
         std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < '\x7f'; });
}

// Adds settings to a list; `in` finds in the settings what is set.
class maker {
 public:
  explicit maker(std::vector<setting>& to) : to_(to) {}

  void group(std::string name) { group_ = std::move(name); }

  template <class Number, class In>
  void number(std::string name, std::string help, Number fallback, Number least, Number most,
              In in) {
    add(std::move(name), "N", std::move(help), std::to_string(fallback),
        "a whole number from " + std::to_string(least) + " to " + std::to_string(most),
        [=](settings& to, std::string_view text) {
          const auto n = whole_number(text, least, most);
          if (n) in(to) = *n;
          return n.has_value();
        });
  }

  template <class In>
  void time(std::string name, std::string help, std::chrono::seconds fallback,
            std::chrono::seconds most, In in) {
    add(std::move(name), "SECONDS", std::move(help), std::to_string(fallback.count()),
        "a whole number of seconds from 0 to " + std::to_string(most.count()),
        [=](settings& to, std::string_view text) {
          const auto n = whole_number(text, std::chrono::seconds::rep{0}, most.count());
          if (n) in(to) = std::chrono::seconds{*n};
          return n.has_value();
        });
  }

  template <class In>
  void port(std::string name, std::string help, std::uint16_t fallback, In in) {
    add(std::move(name), std::string{setting::port_kind}, std::move(help), std::to_string(fallback),
        "a port up to 65535, 0 for any free one, or off", [=](settings& to, std::string_view text) {
          const auto n = whole_number<std::uint16_t>(text, 0, 65'535);
          if (!n && text != "off") return false;
          in(to) = n;
          return true;
        });
  }

  template <class In>
  void address(std::string name, std::string help, std::string fallback, In in) {
    add(std::move(name), "ADDRESS", std::move(help), std::move(fallback),
        "an IPv4 or IPv6 address, such as 0.0.0.0 or ::1",
        [=](settings& to, std::string_view text) {
          std::string wanted{text};
          if (!is_address(wanted)) return false;
          in(to) = std::move(wanted);
          return true;
        });
  }

  template <class In>
  void engine(std::string name, std::string help, std::string fallback, In in) {
    add(std::move(name), "ENGINE", std::move(help), std::move(fallback),
        "the id of an engine (gamehub engines lists them)",
        [=](settings& to, std::string_view text) {
          if (!is_name(text)) return false;
          in(to) = std::string{text};
          return true;
        });
  }

  template <class In>
  void flag(std::string name, std::string help, In in) {
    add(std::move(name), "", std::move(help), "false", "true or false",
        [=](settings& to, std::string_view text) {
          const auto yes = truth(text);
          if (yes) in(to) = *yes;
          return yes.has_value();
        });
  }

  // Takes what `read` takes.
  void text(std::string name, std::string kind, std::string help, std::string fallback,
            std::string wanted, std::function<bool(settings&, std::string_view)> read) {
    add(std::move(name), std::move(kind), std::move(help), std::move(fallback), std::move(wanted),
        std::move(read));
  }

  // One of some words, each standing for a value.
  template <class Value, class In>
  void word(std::string name, std::string kind, std::string help, std::string fallback,
            std::vector<std::pair<std::string_view, Value>> words, In in) {
    std::string wanted;
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (i > 0) wanted += i + 1 == words.size() ? " or " : ", ";
      wanted += words[i].first;
    }
    add(std::move(name), std::move(kind), std::move(help), std::move(fallback), std::move(wanted),
        [=](settings& to, std::string_view text) {
          const auto found = std::find_if(words.begin(), words.end(),
                                          [&](const auto& each) { return each.first == text; });
          if (found == words.end()) return false;
          in(to) = found->second;
          return true;
        });
  }

 private:
  void add(std::string name, std::string kind, std::string help, std::string fallback,
           std::string wanted, std::function<bool(settings&, std::string_view)> take) {
    to_.push_back({std::move(name), group_, std::move(kind), std::move(help), std::move(fallback),
                   std::move(wanted), std::move(take)});
  }

  std::vector<setting>& to_;
  std::string group_;
};

void add_wire(maker& to, const gateways::protocol& wire) {
  const std::string name{wire.name};
  const auto in = [name](settings& s) -> wire_settings& { return s.wires[name]; };
  to.port(
      name + "-port", std::string{wire.summary},
      wire.port_default, [in](settings & s) -> auto& { return in(s).port; });
  if (wire.engine_per_port)
    to.engine(
        name + "-engine", "the engine that is played on " + name,
        "tictactoe", [in](settings & s) -> auto& { return in(s).engine; });
  to.time(
      name + "-grace-seconds",
      "how long a player of " + name + " whose connection broke keeps its games",
      std::chrono::seconds{0},
      limits::grace_max, [in](settings & s) -> auto& { return in(s).grace; });
}

void add_clocks(maker& to, const settings& defaults) {
  to.group("Clocks");
  to.time(
      "turn-seconds", "for each turn of a player; 0: no clock", defaults.turn, limits::turn_max,
      [](settings & s) -> auto& { return s.turn; });
  to.time(
      "handshake-seconds", "for a client's first request; 0: for ever", defaults.handshake,
      limits::turn_max, [](settings & s) -> auto& { return s.handshake; });
  to.time(
      "idle-seconds", "until a client that neither plays nor waits has to go; 0: never",
      defaults.idle, limits::turn_max, [](settings & s) -> auto& { return s.idle; });
  to.time(
      "drain-seconds", "for running games to end after SIGTERM", defaults.drain, limits::drain_max,
      [](settings & s) -> auto& { return s.drain; });
}

void add_bounds(maker& to, const settings& defaults) {
  to.group("Bounds");
  to.number<std::uint32_t>(
      "connections-max", "open connections of all wires", defaults.connections_max, 1,
      limits::connections_max, [](settings & s) -> auto& { return s.connections_max; });
  to.number<std::uint32_t>(
      "connections-per-address-max", "open connections from one address",
      defaults.connections_per_address_max, 1, limits::connections_max,
      [](settings & s) -> auto& { return s.connections_per_address_max; });
  to.flag(
      "limit-loopback", "bound the connections from loopback addresses, too",
      [](settings & s) -> auto& { return s.limit_loopback; });
  to.number<std::uint32_t>(
      "games-max", "games running at once", defaults.games_max, 1, limits::games_max,
      [](settings & s) -> auto& { return s.games_max; });
}

bool take_journal(settings& to, std::string_view text) {
  constexpr std::string_view with_path = "sqlite:";
  if (text == "memory") {
    to.journal_in = journal_kind::memory;
    to.journal_file.clear();
  } else if (text == "sqlite" || (text.starts_with(with_path) && text.size() > with_path.size())) {
    to.journal_in = journal_kind::sqlite;
    to.journal_file = text.substr(std::min(with_path.size(), text.size()));
  } else {
    return false;
  }
  return true;
}

void add_journal(maker& to, const settings& defaults) {
  using gamehub::journal::durability;
  constexpr std::uint32_t keep_days_max = 36'500;
  constexpr std::uint64_t mib_max = 16 * 1024 * 1024;
  to.group("Journal");
  to.text("journal", "memory|sqlite[:PATH]",
          "where the log of games is kept; the default: gamehub/journal.db in the state folder "
          "(XDG_STATE_HOME, or ~/.local/state)",
          "sqlite", "memory, sqlite or sqlite:PATH", take_journal);
  to.word<durability>(
      "durability", "process|power",
      "what a move that was told outlives: the end of the process, or of the machine's power",
      "process", {{"process", durability::process}, {"power", durability::power}},
      [](settings & s) -> auto& { return s.durability; });
  to.number<std::uint32_t>(
      "keep-days", "that ended games are kept; 0: for ever", defaults.keep_days, 0, keep_days_max,
      [](settings & s) -> auto& { return s.keep_days; });
  to.number<std::uint64_t>(
      "journal-mib-max", "of the journal, above which the oldest ended games go; 0: no bound",
      defaults.journal_mib_max, 0, mib_max,
      [](settings & s) -> auto& { return s.journal_mib_max; });
  to.time(
      "rejoin-seconds", "for the players of recovered games to come back", defaults.rejoin,
      limits::rejoin_max, [](settings & s) -> auto& { return s.rejoin; });
}

void add_log(maker& to) {
  to.group("Log");
  to.word<log::format>(
      "log-format", "text|json", "lines for people or JSON for programs", "text",
      {{"text", log::format::text}, {"json", log::format::json}},
      [](settings & s) -> auto& { return s.log_format; });
  to.word<log::level>(
      "log-level", "LEVEL", "the least that is logged: debug, info, warning, error; or off", "info",
      {{"debug", log::level::debug},
       {"info", log::level::info},
       {"warning", log::level::warning},
       {"error", log::level::error},
       {"off", log::level::off}},
      [](settings & s) -> auto& { return s.log_level; });
}

// Insertions, deletions and changes of one character (Levenshtein, 1965).
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    auto diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const auto changed = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = std::exchange(row[j], std::min({row[j] + 1, row[j - 1] + 1, changed}));
    }
  }
  return row.back();
}

}  // namespace

std::string setting::variable() const {
  std::string out = "GAMEHUB_";
  for (const char c : name)
    out += c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return out;
}

std::vector<setting> setting_list(const surroundings& around) {
  std::vector<setting> list;
  maker to{list};
  const settings defaults;

  to.group("Wires");
  to.address(
      "listen", "where all wires listen", defaults.listen,
      [](settings & s) -> auto& { return s.listen; });
  for (const auto* wire : around.protocols) add_wire(to, *wire);

  to.group("Admin server");
  to.port(
      "admin-port", "/metrics, /healthz and /readyz over HTTP", *defaults.admin_port,
      [](settings & s) -> auto& { return s.admin_port; });
  to.address(
      "admin-listen", "where the admin server listens", defaults.admin_listen,
      [](settings & s) -> auto& { return s.admin_listen; });

  add_clocks(to, defaults);
  add_bounds(to, defaults);

  to.group("Machine");
  to.number<int>(
      "loops", "threads for connections and games; the default: the cores it may use",
      std::clamp(around.cores, 1, limits::loops_max), 1, limits::loops_max,
      [](settings & s) -> auto& { return s.loops; });
  add_journal(to, defaults);
  add_log(to);
  return list;
}

std::optional<std::string> nearest(const std::vector<setting>& list, std::string_view name) {
  std::optional<std::string> best;
  std::size_t least = 4;  // more than three slips are no slip
  for (const auto& each : list)
    if (const auto d = distance(name, each.name); d < least) {
      least = d;
      best = each.name;
    }
  return best;
}

}  // namespace gamehub::app
