#include "hub/app/udp_lab/verb.hpp"

#include <sys/resource.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/udp.hpp>
#include <boost/asio/signal_set.hpp>

#include <csignal>
#include <cstdlib>
#include <iostream>
#include <optional>
#include <string>

#include "hub/app/udp_lab/lab.hpp"
#include "hub/core/entropy.hpp"

namespace gamehub::app::udp_lab {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;

udp::endpoint resolve(asio::io_context& io, const std::string& flag, const place& where) {
  error_code failed;
  udp::resolver names{io};
  const auto found =
      names.resolve(where.host, std::to_string(where.port), udp::resolver::numeric_service, failed);
  if (failed || found.empty())
    throw usage_error{flag + " " + to_string(where) + " has no address (" + failed.message() +
                           "): give another host"};
  return found.begin()->endpoint();
}

// Each client takes a descriptor.
void take_all_descriptors() {
  rlimit most{};
  if (getrlimit(RLIMIT_NOFILE, &most) != 0) return;
  most.rlim_cur = most.rlim_max;
  setrlimit(RLIMIT_NOFILE, &most);
}

bool print(const std::string& line) {
  std::cout << line << std::endl;
  if (std::cout) return true;
  std::cerr << "gamehub: standard output can't be written.\n";
  return false;
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

}  // namespace

int carry_out(const request& asked) {
  take_all_descriptors();
  asio::io_context io{1};
  const auto listen = resolve(io, "--listen", asked.listen);
  const auto to = resolve(io, "--to", asked.to);
  const auto seed = asked.seed ? *asked.seed : system_entropy{}.next();
  // Before the ready line: whoever reads it may end us at once.
  asio::signal_set signals{io, SIGTERM, SIGINT};
  std::optional<lab> it;
  try {
    it.emplace(io, listen, to, asked.faults, seed);
  } catch (const boost::system::system_error& e) {
    throw usage_error{"--listen " + to_string(asked.listen) + " can't be listened on (" +
                           e.code().message() + "): give another address or port"};
  }
  signals.async_wait([&](const error_code&, int) { it->stop(); });
  if (!print("ready udp=" + std::to_string(it->where().port()) + " seed=" + std::to_string(seed)))
    return EXIT_FAILURE;
  io.run();
  return print(tally_of(*it)) ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace gamehub::app::udp_lab
