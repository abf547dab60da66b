#include "hub/app/udp_lab/request.hpp"

#include <CLI/CLI.hpp>

#include <charconv>
#include <chrono>
#include <string_view>

#include "hub/app/verb_line.hpp"

namespace gamehub::app::udp_lab {
namespace {

// A datagram that comes later than this comes after its game.
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
  const usage_error wrong{flag + " is " + shown(text) +
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
  // A number that is none is in no range.
  if (!share || !(*share >= 0 && *share <= 1))
    throw usage_error{flag + " is " + shown(text) +
                           ": give a share from 0 to 1, such as 0.2 for every fifth datagram"};
  return *share;
}

duration read_milliseconds(const std::string& flag, const std::string& text) {
  const auto n = number<std::int64_t>(text);
  if (!n || *n < 0 || *n > milliseconds_max)
    throw usage_error{flag + " is " + shown(text) + ": give a whole number from 0 to " +
                           std::to_string(milliseconds_max)};
  return std::chrono::milliseconds{*n};
}

std::uint64_t read_seed(const std::string& text) {
  const auto n = number<std::uint64_t>(text);
  if (!n) throw usage_error{"--seed is " + shown(text) + ": give a whole number from 0"};
  return *n;
}

class lab_line {
 public:
  lab_line() {
    app_.require_subcommand(1);
    for (auto* each : {&app_, lab_}) set_help(*each, name_columns);
    lab_->allow_extras();
    add_text(*lab_, "--listen", listen_, "HOST:PORT",
             "where clients find it, by default 127.0.0.1:13038; port 0 picks a free one");
    add_text(*lab_, "--to", to_, "HOST:PORT", "the hub's UDP port, by default 127.0.0.1:13037");
    add_text(*lab_, "--drop", drop_, "SHARE", "of the datagrams, from 0 to 1, by default 0");
    add_text(*lab_, "--duplicate", duplicate_, "SHARE", "of them, by default 0");
    add_text(*lab_, "--reorder", reorder_, "SHARE",
             "of them that come later than others, by default 0");
    add_text(*lab_, "--delay-milliseconds", delay_, "N", "of every datagram, by default 10");
    add_text(*lab_, "--late-milliseconds", late_, "N",
             "at most so much more for what is reordered or doubled, by default 200");
    add_text(*lab_, "--seed", seed_, "N",
             "repeats the luck of a run; by default another one each time");
    lab_->footer(
        "It holds for both directions, each datagram for itself. One line says when it is ready, "
        "and\n"
        "another, at SIGTERM or Ctrl-C, what became of the datagrams. A client that is silent for "
        "ten\n"
        "minutes is forgotten.");
  }

  std::variant<request, reply> read(int argc, const char* const* argv) {
    if (auto help = read_line(app_, argc, argv, "gamehub udp-lab")) return *std::move(help);
    refuse_extras(*lab_, "gamehub udp-lab");
    return asked();
  }

 private:
  bool given(const std::string& flag) const { return lab_->get_option(flag)->count() > 0; }

  request asked() const {
    request out;
    if (given("--listen")) out.listen = read_place("--listen", listen_, 0);
    if (given("--to")) out.to = read_place("--to", to_, 1);
    if (out.listen == out.to)
      throw usage_error{"--listen and --to are both " + to_string(out.to) +
                             ": the hub and the lab each need a port of their own"};
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

  CLI::App app_{"gamehub hosts games of many engines for players of many wires.", "gamehub"};
  CLI::App* lab_ =
      app_.add_subcommand("udp-lab", "A bad network on demand, between UDP clients and a hub.");
};

}  // namespace

std::string to_string(const place& p) {
  const bool six = p.host.find(':') != p.host.npos;
  return (six ? '[' + p.host + ']' : p.host) + ':' + std::to_string(p.port);
}

std::variant<request, reply> parse(int argc, const char* const* argv) {
  try {
    return lab_line{}.read(argc, argv);
  } catch (const usage_error& mistake) {
    return reply{sentence(mistake), operator_mistake_code};
  }
}

}  // namespace gamehub::app::udp_lab
