#include "tests/system/udp_lab_process.hpp"

#include "tests/support/catch.hpp"

#include <regex>
#include <stdexcept>

namespace gamehub::tests::system {

namespace {

invocation lab_before(std::uint16_t to, std::vector<std::string> flags) {
  invocation out;
  out.words = {tools_program(),        "udp-lab", "--listen",
               "127.0.0.1:0",          "--to",    "127.0.0.1:" + std::to_string(to),
               "--delay-milliseconds", "0"};
  out.words.insert(out.words.end(), flags.begin(), flags.end());
  return out;
}

}  // namespace

udp_lab_process::udp_lab_process(std::uint16_t to, std::vector<std::string> flags)
    : process_(lab_before(to, std::move(flags))), ready_(process_.read_line()) {
  std::smatch found;
  if (!std::regex_match(ready_, found, std::regex{"ready udp=([1-9]\\d*) seed=(\\d+)"}))
    throw std::runtime_error{"the lab does not get ready:\n" + ready_ + process_.errors()};
  port_ = static_cast<std::uint16_t>(std::stoul(found[1]));
  seed_ = found[2];
}

std::string udp_lab_process::end(int signal) {
  process_.signal(signal);
  CHECK(process_.wait() == 0);
  CHECK(process_.errors() == "");
  return process_.output().substr(ready_.size() + 1);
}

}  // namespace gamehub::tests::system
