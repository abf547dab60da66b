#include "gateways/http_client/blocking_call.hpp"

#include "gateways/http_client/call.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>

#include <chrono>
#include <memory>
#include <utility>

namespace gamehub::gateways::http_client {

outcome call_and_wait(const std::string& host, std::uint16_t port, std::string request,
                      const response_limits& limits, base::duration time) {
  const auto deadline = std::chrono::steady_clock::now() + time;
  boost::asio::io_context io;
  boost::system::error_code failed;
  const auto found = call::tcp::resolver{io}.resolve(host, std::to_string(port), failed);
  if (failed) return failure{call_error::unreachable, failed.message()};
  server to;
  for (const auto& each : found) to.addresses.push_back(each.endpoint());
  outcome result;
  std::make_shared<call>(call::context{&io, nullptr}, std::make_shared<const server>(std::move(to)),
                         limits, std::move(request),
                         [&](outcome what) { result = std::move(what); })
      ->start(deadline);
  io.run();
  return result;
}

}  // namespace gamehub::gateways::http_client
