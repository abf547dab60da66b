// A small HTTP client for the admin server, and a reader of what it says to Prometheus. One thread.
#pragma once

#include "tests/system/tcp_client.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gamehub::tests::system {

struct http_answer {
  int status = 0;
  std::string body;
};

// Asks again and again over one connection.
class http_client {
 public:
  explicit http_client(std::uint16_t port) : port_(port) {}

  // Throws std::runtime_error if there is no answer.
  http_answer get(const std::string& target) { return request("GET", target); }
  // Without a body. Requires: it does no harm if it is done twice.
  http_answer post(const std::string& target) { return request("POST", target); }

 private:
  http_answer request(const std::string& method, const std::string& target);
  std::optional<http_answer> ask(const std::string& method, const std::string& target);

  std::uint16_t port_;
  std::optional<tcp_client> socket_;
};

// All samples of one scrape.
class scrape {
 public:
  using label = std::pair<std::string_view, std::string_view>;

  explicit scrape(std::string text);

  // The sum of the metric's samples that have these labels. Throws std::runtime_error if there is
  // no metric of that name, so that a test can't look at nothing by mistake.
  double sum(std::string_view name, const std::vector<label>& labels = {}) const;
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

}  // namespace gamehub::tests::system
