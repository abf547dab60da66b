#include "tests/system/http_get.hpp"

#include <algorithm>
#include <charconv>
#include <stdexcept>
#include <system_error>

namespace gamehub::tests::system {

namespace {

std::size_t number_after(std::string_view text, std::string_view what) {
  const auto at = text.find(what);
  std::size_t out = 0;
  if (at != text.npos)
    std::from_chars(text.data() + at + what.size(), text.data() + text.size(), out);
  return out;
}

}  // namespace

http_answer http_client::request(const std::string& method, const std::string& target) {
  // The server may have ended a connection that was silent, so a second one is tried.
  for (int attempt = 0; attempt < 2; ++attempt) {
    if (!socket_) socket_.emplace(port_);
    if (auto answer = ask(method, target)) return *std::move(answer);
    socket_.reset();
  }
  throw std::runtime_error{"the admin server did not answer " + method + " " + target};
}

std::optional<http_answer> http_client::ask(const std::string& method, const std::string& target) {
  socket_->send(method + " " + target + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
  std::string head;
  for (;;) {
    const auto line = socket_->read_line();
    if (!line) return std::nullopt;
    if (*line == "\r") break;
    head += *line + '\n';
  }
  http_answer out;
  out.status = static_cast<int>(number_after(head, "HTTP/1.1 "));
  auto body = socket_->read(number_after(head, "Content-Length: "));
  if (!body) return std::nullopt;
  out.body = *std::move(body);
  return out;
}

scrape::scrape(std::string text) : text_(std::move(text)) {}

double scrape::sum(std::string_view name, const std::vector<label>& labels) const {
  double total = 0;
  bool known = false;
  for (std::size_t begin = 0; begin < text_.size();) {
    const auto end = std::min(text_.find('\n', begin), text_.size());
    const auto line = std::string_view{text_}.substr(begin, end - begin);
    begin = end + 1;
    // A family without samples yet is a known one, too.
    if (line.starts_with("# TYPE ") && line.substr(7).starts_with(std::string{name} + " "))
      known = true;
    if (!line.starts_with(name)) continue;
    const auto after = line.substr(name.size());
    if (after.empty() || (after.front() != ' ' && after.front() != '{')) continue;
    const auto fits = std::all_of(labels.begin(), labels.end(), [&](const label& each) {
      return after.find(std::string{each.first} + "=\"" + std::string{each.second} + "\"") !=
             after.npos;
    });
    if (fits) total += std::stod(std::string{after.substr(after.rfind(' ') + 1)});
  }
  if (!known) throw std::runtime_error{"there is no metric " + std::string{name}};
  return total;
}

}  // namespace gamehub::tests::system
