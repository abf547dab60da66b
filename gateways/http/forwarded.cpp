#include "gateways/http/forwarded.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gateways/http/http_limits.hpp"

namespace gamehub::gateways::http {
namespace {

// Who asked whom, from the left to the right; nothing where it was not said. Only the last ones.
using hop = std::optional<endpoint>;

void add(hop each, std::vector<hop>& to) {
  if (to.size() == limits::http_hops_max) to.erase(to.begin());
  to.push_back(std::move(each));
}

bool is_blank(char c) { return c == ' ' || c == '\t'; }

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

bool is_port(std::string_view text) {
  return !text.empty() && text.size() <= 5 && text.find_first_not_of("0123456789") == text.npos &&
         (text.size() < 5 || text <= "65535");
}

// An address, with brackets where it is IPv6, and a port or none. IPv6 without brackets has none.
hop read_node(std::string_view text) {
  if (text.starts_with('[')) {
    const auto close = text.find(']');
    if (close == text.npos) return std::nullopt;
    const auto rest = text.substr(close + 1);
    if (!rest.empty() && (rest.front() != ':' || !is_port(rest.substr(1)))) return std::nullopt;
    const auto inside = text.substr(1, close - 1);
    return inside.find(':') == inside.npos ? std::nullopt : read_address(inside);
  }
  if (std::count(text.begin(), text.end(), ':') != 1) return read_address(text);
  const auto colon = text.find(':');
  if (!is_port(text.substr(colon + 1))) return std::nullopt;
  return read_address(text.substr(0, colon));
}

std::vector<hop> hops_of_list(std::string_view text) {
  std::vector<hop> out;
  for (;;) {
    const auto comma = text.find(',');
    const auto each = trimmed(text.substr(0, comma));
    // Lists may have empty elements, which say nothing (RFC 9110, 5.6.1).
    if (!each.empty()) add(read_node(each), out);
    if (comma == text.npos) return out;
    text = text.substr(comma + 1);
  }
}

bool is_token(char c) {
  constexpr std::string_view marks = "!#$%&'*+-.^_`|~";
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
         marks.find(c) != marks.npos;
}

bool names_for(std::string_view name) {
  return name.size() == 3 && (name[0] | 0x20) == 'f' && (name[1] | 0x20) == 'o' &&
         (name[2] | 0x20) == 'r';
}

// Reads a Forwarded field from the left: marks that part it may stand in quotes.
class forwarded_reader {
 public:
  explicit forwarded_reader(std::string_view text) : rest_(text) {}

  // Nothing if it is not what the RFC allows: then it can't be told who said what.
  std::optional<std::vector<hop>> read() {
    do {
      if (!read_element()) return std::nullopt;
    } while (skip(','));
    if (!rest_.empty()) return std::nullopt;
    return std::move(out_);
  }

 private:
  bool read_element() {
    skip_blanks();
    if (rest_.empty() || rest_.front() == ',') return true;
    hop from;
    bool named = false;
    do {
      skip_blanks();
      if (rest_.empty() || rest_.front() == ',') break;
      if (rest_.front() == ';') continue;
      const auto name = token();
      if (name.empty() || !skip('=')) return false;
      auto value = value_of_pair();
      if (!value) return false;
      // Twice "for" is two stories.
      if (names_for(name) && std::exchange(named, true)) return false;
      if (names_for(name)) from = read_node(*value);
      skip_blanks();
    } while (skip(';'));
    add(from, out_);
    return true;
  }

  std::optional<std::string> value_of_pair() {
    if (skip('"')) return quoted();
    // Ports and IPv6 belong in quotes; many leave them out.
    std::string out;
    while (!rest_.empty() && (is_token(rest_.front()) || bare_.find(rest_.front()) != bare_.npos)) {
      out += rest_.front();
      rest_.remove_prefix(1);
    }
    if (out.empty()) return std::nullopt;
    return out;
  }

  std::optional<std::string> quoted() {
    std::string out;
    while (!rest_.empty() && rest_.front() != '"') {
      if (rest_.front() == '\\') rest_.remove_prefix(1);
      if (rest_.empty()) return std::nullopt;
      out += rest_.front();
      rest_.remove_prefix(1);
    }
    if (!skip('"')) return std::nullopt;
    return out;
  }

  std::string_view token() {
    const auto end = std::find_if_not(rest_.begin(), rest_.end(), is_token);
    const auto out = rest_.substr(0, static_cast<std::size_t>(end - rest_.begin()));
    rest_.remove_prefix(out.size());
    return out;
  }

  bool skip(char c) {
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }

  void skip_blanks() {
    while (!rest_.empty() && is_blank(rest_.front())) rest_.remove_prefix(1);
  }

  static constexpr std::string_view bare_ = ":[]";

  std::string_view rest_;
  std::vector<hop> out_;
};

// From the proxy at the other end back along the trail, as long as its word counts.
endpoint follow(const endpoint& remote, const std::vector<hop>& hops,
                std::span<const network> trusted) {
  auto at = remote;
  for (auto each = hops.rbegin(); each != hops.rend() && contains(trusted, at); ++each) {
    if (!*each) return at;
    at = **each;
  }
  return at;
}

}  // namespace

request_origin origin_of(const request& r, std::span<const network> trusted) {
  auto remote = r.remote;
  remote.port = 0;
  if (!contains(trusted, remote) || (r.forwarded.empty() && r.forwarded_for.empty()))
    return {remote, true};
  std::optional<endpoint> by_list, by_rfc;
  if (!r.forwarded_for.empty()) by_list = follow(remote, hops_of_list(r.forwarded_for), trusted);
  if (!r.forwarded.empty()) {
    const auto hops = forwarded_reader{r.forwarded}.read();
    by_rfc = hops ? follow(remote, *hops, trusted) : remote;
  }
  if (by_list && by_rfc && *by_list != *by_rfc) return {remote, false};
  return {by_list ? *by_list : *by_rfc, false};
}

}  // namespace gamehub::gateways::http
