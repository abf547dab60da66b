#include "tools/udp_lab/request.hpp"

#include "hub/base/usage_error.hpp"
#include "hub/config/verb_parser.hpp"

#include <CLI/CLI.hpp>

#include <charconv>
#include <chrono>
#include <string_view>

namespace gamehub::tools::udp_lab {
namespace {

// A later datagram would arrive after its game.
constexpr std::int64_t milliseconds_max = 60'000;

template <class Number>
std::optional<Number> number(std::string_view text) {
  Number n{};
  const auto* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, n);
  if (error != std::errc{} || stop != end) return std::nullopt;
  return n;
}

place read_place(const std::string& flag, const std::string& text, std::uint16_t least_port) {
  const base::usage_error wrong{flag + " is " + config::shown(text) +
                                ": give HOST:PORT, such as 127.0.0.1:13037 or [::1]:13037"};
  const auto colon = text.rfind(':');
  if (colon == text.npos) throw wrong;
  auto host = text.substr(0, colon);
  const auto port = number<std::uint16_t>(std::string_view{text}.substr(colon + 1));
  if (host.starts_with('[') && host.ends_with(']'))
    host = host.substr(1, host.size() - 2);
  else if (host.find(':') != host.npos)
    throw wrong;
  if (host.empty() || !port || *port < least_port) throw wrong;
  return {host, *port};
}

double read_share(const std::string& flag, const std::string& text) {
  const auto share = number<double>(text);
  // Also rejects NaN.
  if (!share || !(*share >= 0 && *share <= 1))
    throw base::usage_error{flag + " is " + config::shown(text) +
                            ": give a share from 0 to 1, such as 0.2 for one of five datagrams"};
  return *share;
}

base::duration read_milliseconds(const std::string& flag, const std::string& text) {
  const auto n = number<std::int64_t>(text);
  if (!n || *n < 0 || *n > milliseconds_max)
    throw base::usage_error{flag + " is " + config::shown(text) +
                            ": give a whole number from 0 to " + std::to_string(milliseconds_max)};
  return std::chrono::milliseconds{*n};
}

std::uint64_t read_seed(const std::string& text) {
  const auto n = number<std::uint64_t>(text);
  if (!n)
    throw base::usage_error{"--seed is " + config::shown(text) + ": give a whole number from 0"};
  return *n;
}

class lab_line {
 public:
  lab_line() {
    app_.require_subcommand(1);
    for (auto* each : {&app_, lab_}) config::set_help(*each, name_columns);
    lab_->allow_extras();
    config::add_text(*lab_, "--listen", listen_, "HOST:PORT",
                     "address for clients; default: 127.0.0.1:13038; port 0 is any free port");
    config::add_text(*lab_, "--to", to_, "HOST:PORT",
                     "UDP port of the hub; default: 127.0.0.1:13037");
    config::add_text(*lab_, "--drop", drop_, "SHARE",
                     "share of dropped datagrams, from 0 to 1; default: 0");
    config::add_text(*lab_, "--duplicate", duplicate_, "SHARE",
                     "share of duplicated datagrams; default: 0");
    config::add_text(*lab_, "--reorder", reorder_, "SHARE",
                     "share of datagrams that are delayed beyond later ones; default: 0");
    config::add_text(*lab_, "--delay-milliseconds", delay_, "N",
                     "delay of every datagram; default: 10");
    config::add_text(
        *lab_, "--late-milliseconds", late_, "N",
        "maximum of the additional delay of reordered datagrams and copies; default: 200");
    config::add_text(*lab_, "--seed", seed_, "N",
                     "seed of the random choices, to repeat a run; default: random");
    lab_->footer(
        "The shares apply to each datagram in both directions. Prints a line when it is ready and "
        "a "
        "line\n"
        "with the counts of datagrams at SIGTERM or Ctrl-C. Removes clients after ten idle "
        "minutes.");
  }

  std::variant<request, config::early_exit> read(int argc, const char* const* argv) {
    if (auto help = config::read_line(app_, argc, argv, "gamehub udp-lab")) return *std::move(help);
    config::refuse_extras(*lab_, "gamehub udp-lab");
    return merged();
  }

 private:
  bool given(const std::string& flag) const { return lab_->get_option(flag)->count() > 0; }

  request merged() const {
    request out;
    if (given("--listen")) out.listen = read_place("--listen", listen_, 0);
    if (given("--to")) out.to = read_place("--to", to_, 1);
    if (out.listen == out.to)
      throw base::usage_error{"--listen and --to are both " + to_string(out.to) +
                              ": the hub and the lab need different ports"};
    auto& f = out.faults;
    if (given("--drop")) f.drop = read_share("--drop", drop_);
    if (given("--duplicate")) f.duplicate = read_share("--duplicate", duplicate_);
    if (given("--reorder")) f.reorder = read_share("--reorder", reorder_);
    if (given("--delay-milliseconds")) f.delay = read_milliseconds("--delay-milliseconds", delay_);
    if (given("--late-milliseconds")) f.late_max = read_milliseconds("--late-milliseconds", late_);
    if (given("--seed")) out.seed = read_seed(seed_);
    return out;
  }

  static constexpr std::size_t name_columns = 34;

  std::string listen_, to_, drop_, duplicate_, reorder_, delay_, late_, seed_;

  CLI::App app_{"gamehub hosts games of many engines for players of many protocols.", "gamehub"};
  CLI::App* lab_ = app_.add_subcommand(
      "udp-lab", "UDP proxy that drops, delays, duplicates and reorders datagrams.");
};

}  // namespace

std::string to_string(const place& p) {
  const bool six = p.host.find(':') != p.host.npos;
  return (six ? '[' + p.host + ']' : p.host) + ':' + std::to_string(p.port);
}

std::variant<request, config::early_exit> parse(int argc, const char* const* argv) {
  try {
    return lab_line{}.read(argc, argv);
  } catch (const base::usage_error& mistake) {
    return config::early_exit{base::format_error(mistake), base::usage_error_exit_code};
  }
}

}  // namespace gamehub::tools::udp_lab
