#include "tools/udp_lab/verb.hpp"

#include "hub/base/random.hpp"
#include "hub/base/usage_error.hpp"
#include "hub/config/program.hpp"
#include "tools/udp_lab/lab.hpp"
#include "tools/udp_lab/request.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/udp.hpp>
#include <boost/asio/signal_set.hpp>

#include <csignal>
#include <cstdlib>
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

// Relays until SIGTERM or SIGINT.
int relay_until_stopped(const request& r) {
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

}  // namespace

int run(int argc, const char* const* argv) {
  return config::run_request(parse(argc, argv), relay_until_stopped);
}

}  // namespace gamehub::tools::udp_lab
