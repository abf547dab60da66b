#include "gateways/bots/url.hpp"

#include "gateways/bots/bot_limits.hpp"
#include "hub/base/address.hpp"
#include "hub/base/text.hpp"

#include <boost/url/parse.hpp>
#include <boost/url/url_view.hpp>

#include <algorithm>
#include <charconv>
#include <system_error>

namespace gamehub::gateways::bots {
namespace {

namespace urls = boost::urls;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// True for host names that some systems read as IPv4 addresses: 2130706433, 0x7f.1, 0177.0.0.1. The
// last label decides (WHATWG URL standard, "ends in a number").
bool reads_as_number(std::string_view host) {
  if (host.ends_with('.')) host.remove_suffix(1);
  const auto last = host.substr(host.rfind('.') + 1);
  if (last.empty()) return false;
  if (last.starts_with("0x"))
    return std::all_of(last.begin() + 2, last.end(),
                       [](char c) { return is_digit(c) || (c >= 'a' && c <= 'f'); });
  return std::all_of(last.begin(), last.end(), is_digit);
}

bool is_host_name(std::string_view host) {
  constexpr std::size_t longest = 253;
  return !host.empty() && host.size() <= longest && host.front() != '.' && host.front() != '-' &&
         host.find("..") == host.npos && std::all_of(host.begin(), host.end(), [](char c) {
           return is_digit(c) || (c >= 'a' && c <= 'z') || c == '-' || c == '.' || c == '_';
         });
}

// Returns 0 if the digits are no port. Boost 1.81 reads them modulo 65536.
std::uint16_t read_port(urls::string_view digits, std::uint16_t usual) {
  if (digits.empty()) return usual;
  std::uint16_t port = 0;
  const auto* const end = digits.data() + digits.size();
  return std::from_chars(digits.data(), end, port).ec == std::errc{} ? port : std::uint16_t{0};
}

// Reads the host, an address or a name. Returns what is wrong, or nothing.
std::optional<std::string> read_host(const urls::url_view& from, bot_url& to) {
  const auto host = from.encoded_host_address();
  to.host.assign(host.data(), host.size());
  to.host = base::lower(to.host);
  to.field = to.host;
  switch (from.host_type()) {
    case urls::host_type::ipv4: to.address = base::read_address(to.host); break;
    case urls::host_type::ipv6:
      to.field = "[" + to.host + "]";
      to.address = base::read_address(to.host);
      break;
    case urls::host_type::name:
      if (reads_as_number(to.host))
        return "has a host that is no address as it is written: write four numbers from 0 to 255 "
               "with dots between them";
      if (!is_host_name(to.host)) return "has a host that is neither a name nor an address";
      return std::nullopt;
    default: return "has a host that is neither a name nor an address";
  }
  if (!to.address) return "has a host that is neither a name nor an address";
  return std::nullopt;
}

}  // namespace

std::variant<bot_url, std::string> read_url(std::string_view text, std::string_view subject) {
  const auto wrong = [subject](std::string_view why) {
    return std::string{subject} + ' ' + std::string{why};
  };
  if (text.size() > limits::bot_url_bytes_max)
    return wrong("is over " + std::to_string(limits::bot_url_bytes_max) + " bytes long");
  const auto parsed = urls::parse_uri({text.data(), text.size()});
  if (!parsed) return wrong("is not a URL such as http://bots.example:8000/rpc");
  const urls::url_view& u = *parsed;
  bot_url out;
  out.tls = u.scheme_id() == urls::scheme::https;
  if (!out.tls && u.scheme_id() != urls::scheme::http)
    return wrong("has to begin with http:// or https://");
  if (!u.has_authority()) return wrong("names no host");
  if (u.has_userinfo()) return wrong("has a user or a password in it, which are not sent");
  if (u.has_fragment()) return wrong("has a fragment (#), which is never sent");
  if (auto why = read_host(u, out)) return wrong(*why);
  const std::uint16_t usual = out.tls ? 443 : 80;
  const auto port = u.has_port() ? read_port(u.port(), usual) : usual;
  if (port == 0) return wrong("has a port that is not from 1 to 65535");
  out.port = port;
  if (out.port != usual) out.field += ":" + std::to_string(out.port);
  if (out.address) out.address->port = out.port;
  // Boost 1.81 reads invalid text after an address or a port as the path.
  const auto path = u.encoded_path();
  if (!path.empty() && path.front() != '/')
    return wrong("is not a URL such as http://bots.example:8000/rpc");
  const auto target = u.encoded_resource();
  out.target.assign(target.data(), target.size());
  if (!out.target.starts_with('/')) out.target.insert(out.target.begin(), '/');
  return out;
}

}  // namespace gamehub::gateways::bots
