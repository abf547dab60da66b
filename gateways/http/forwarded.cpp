#include "gateways/http/forwarded.hpp"

#include "gateways/http/http_limits.hpp"
#include "hub/base/text.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gamehub::gateways::http {
namespace {

// The forwarding entries from left to right, at most http_hops_max of the last; nothing for an
// entry without an address.
using hop = std::optional<base::endpoint>;

void add(hop each, std::vector<hop>& to) {
  if (to.size() == limits::http_hops_max) to.erase(to.begin());
  to.push_back(std::move(each));
}

bool is_blank(char c) { return c == ' ' || c == '\t'; }

bool is_port(std::string_view text) {
  return !text.empty() && text.size() <= 5 && text.find_first_not_of("0123456789") == text.npos &&
         (text.size() < 5 || text <= "65535");
}

// Parses an address with an optional port. IPv6 with a port needs brackets.
hop read_node(std::string_view text) {
  if (text.starts_with('[')) {
    const auto close = text.find(']');
    if (close == text.npos) return std::nullopt;
    const auto rest = text.substr(close + 1);
    if (!rest.empty() && (rest.front() != ':' || !is_port(rest.substr(1)))) return std::nullopt;
    const auto inside = text.substr(1, close - 1);
    return inside.find(':') == inside.npos ? std::nullopt : base::read_address(inside);
  }
  if (std::count(text.begin(), text.end(), ':') != 1) return base::read_address(text);
  const auto colon = text.find(':');
  if (!is_port(text.substr(colon + 1))) return std::nullopt;
  return base::read_address(text.substr(0, colon));
}

std::vector<hop> hops_of_list(std::string_view text) {
  std::vector<hop> out;
  for (;;) {
    const auto comma = text.find(',');
    const auto each = base::trimmed(text.substr(0, comma));
    // Lists may have empty elements (RFC 9110, 5.6.1).
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

bool names_for(std::string_view name) { return base::same_letters(name, "for"); }

// Parses a Forwarded field from the left, because separators may be part of a quoted string.
class forwarded_reader {
 public:
  explicit forwarded_reader(std::string_view text) : rest_(text) {}

  // Returns nothing if the field does not match RFC 7239.
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
      // Two "for" parameters contradict each other.
      if (names_for(name) && std::exchange(named, true)) return false;
      if (names_for(name)) from = read_node(*value);
      skip_blanks();
    } while (skip(';'));
    add(from, out_);
    return true;
  }

  std::optional<std::string> value_of_pair() {
    if (skip('"')) return quoted();
    // Ports and IPv6 addresses require quotes; many proxies omit them.
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

// Follows the entries from right to left while they are trusted proxies.
base::endpoint follow(const base::endpoint& remote, const std::vector<hop>& hops,
                      std::span<const base::network> trusted) {
  auto at = remote;
  for (auto each = hops.rbegin(); each != hops.rend() && base::contains(trusted, at); ++each) {
    if (!*each) return at;
    at = **each;
  }
  return at;
}

}  // namespace

request_origin origin_of(const request& r, std::span<const base::network> trusted) {
  auto remote = r.remote;
  remote.port = 0;
  if (!base::contains(trusted, remote) || (r.forwarded.empty() && r.forwarded_for.empty()))
    return {remote, true};
  std::optional<base::endpoint> by_list, by_rfc;
  if (!r.forwarded_for.empty()) by_list = follow(remote, hops_of_list(r.forwarded_for), trusted);
  if (!r.forwarded.empty()) {
    const auto hops = forwarded_reader{r.forwarded}.read();
    by_rfc = hops ? follow(remote, *hops, trusted) : remote;
  }
  if (by_list && by_rfc && *by_list != *by_rfc) return {remote, false};
  return {by_list ? *by_list : *by_rfc, false};
}

}  // namespace gamehub::gateways::http
