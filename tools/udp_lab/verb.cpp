#include "tools/udp_lab/verb.hpp"

#include "hub/base/random.hpp"
#include "hub/base/usage_error.hpp"
#include "hub/config/program.hpp"
#include "tools/udp_lab/lab.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/udp.hpp>
#include <boost/asio/signal_set.hpp>

#include <csignal>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <sys/resource.h>

namespace gamehub::tools::udp_lab {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;

udp::endpoint resolve(asio::io_context& io, const std::string& flag, const place& where) {
  error_code failed;
  udp::resolver names{io};
  const auto found =
      names.resolve(where.host, std::to_string(where.port), udp::resolver::numeric_service, failed);
  if (failed || found.empty())
    throw base::usage_error{flag + " " + to_string(where) + " has no address (" + failed.message() +
                            "): give another host"};
  return found.begin()->endpoint();
}

// Each client needs a descriptor.
void raise_descriptor_limit() {
  rlimit most{};
  if (getrlimit(RLIMIT_NOFILE, &most) != 0) return;
  most.rlim_cur = most.rlim_max;
  setrlimit(RLIMIT_NOFILE, &most);
}

std::string tally_of(const lab& it) {
  const auto& n = it.counts();
  std::string out = "tally";
  const auto add = [&](const char* name, std::uint64_t count) {
    out.append(" ").append(name).append("=").append(std::to_string(count));
  };
  add("clients", it.clients());
  add("taken", n.taken);
  add("dropped", n.dropped);
  add("doubled", n.doubled);
  add("reordered", n.reordered);
  add("given", n.given);
  add("refused", it.refused());
  return out;
}

// A later datagram would arrive after its game.
constexpr std::chrono::milliseconds delay_max{60'000};

bool take_place(place& into, std::string_view text, std::uint16_t least_port) {
  const auto colon = text.rfind(':');
  if (colon == text.npos) return false;
  auto host = text.substr(0, colon);
  const auto port =
      config::number_in<std::uint16_t>(text.substr(colon + 1), least_port, UINT16_MAX);
  if (host.starts_with('[') && host.ends_with(']'))
    host = host.substr(1, host.size() - 2);
  else if (host.find(':') != host.npos)
    return false;
  if (host.empty() || !port) return false;
  into = {std::string{host}, *port};
  return true;
}

}  // namespace

std::string to_string(const place& p) {
  const bool six = p.host.find(':') != p.host.npos;
  return (six ? '[' + p.host + ']' : p.host) + ':' + std::to_string(p.port);
}

void add_udp_lab_verb(config::verb& to, std::function<int(const request&)> run) {
  using std::chrono::milliseconds;
  const auto r = std::make_shared<request>();
  auto& f = r->faults;
  auto& verb = to.add(config::udp_lab_verb.name, config::udp_lab_verb.help);
  const auto add_place = [&](const char* name, const char* help, place& into, std::uint16_t least) {
    verb.text(name, "HOST:PORT", help, to_string(into),
              "HOST:PORT, such as 127.0.0.1:13037 or [::1]:13037",
              [&into, least](std::string_view text) { return take_place(into, text, least); });
  };
  const auto add_share = [&](const char* name, const char* help, double& into) {
    auto& share = verb.number(name, help, into, 0, 1);
    share.kind = "SHARE";
    share.wanted = "a share from 0 to 1, such as 0.2 for one of five datagrams";
  };
  add_place("listen", "address for clients; port 0 is any free port", r->listen, 0);
  add_place("to", "UDP port of the hub", r->to, 1);
  add_share("drop", "share of dropped datagrams, from 0 to 1", f.drop);
  add_share("duplicate", "share of duplicated datagrams", f.duplicate);
  add_share("reorder", "share of datagrams that are delayed beyond later ones", f.reorder);
  verb.time("delay-milliseconds", "delay of every datagram", f.delay, milliseconds{0}, delay_max);
  verb.time("late-milliseconds",
            "maximum of the additional delay of reordered datagrams and copies", f.late_max,
            milliseconds{0}, delay_max);
  verb.number("seed", "seed of the random choices, to repeat a run; default: random", r->seed, 0);
  verb.footer =
      "The shares apply to each datagram in both directions. Prints a line when it is ready and "
      "a "
      "line\n"
      "with the counts of datagrams at SIGTERM or Ctrl-C. Removes clients after ten idle "
      "minutes.";
  verb.run = [r, run = std::move(run)](config::settings&) {
    if (r->listen == r->to)
      throw base::usage_error{"--listen and --to are both " + to_string(r->to) +
                              ": the hub and the lab need different ports"};
    return run(*r);
  };
}

int carry_out(const request& r) {
  raise_descriptor_limit();
  asio::io_context io{1};
  const auto listen = resolve(io, "--listen", r.listen);
  const auto to = resolve(io, "--to", r.to);
  const auto seed = r.seed ? *r.seed : base::system_entropy{}.next();
  // Before the ready line, because its reader may send a signal at once.
  asio::signal_set signals{io, SIGTERM, SIGINT};
  std::optional<lab> it;
  try {
    it.emplace(io, listen, to, r.faults, seed);
  } catch (const boost::system::system_error& e) {
    throw base::usage_error{"--listen " + to_string(r.listen) + " can't be listened on (" +
                            e.code().message() + "): give another address or port"};
  }
  signals.async_wait([&](const error_code&, int) { it->stop(); });
  const auto ready = "ready udp=" + std::to_string(it->local_endpoint().port()) +
                     " seed=" + std::to_string(seed) + '\n';
  if (config::print(ready) != EXIT_SUCCESS) return EXIT_FAILURE;
  io.run();
  return config::print(tally_of(*it) + '\n');
}

}  // namespace gamehub::tools::udp_lab
