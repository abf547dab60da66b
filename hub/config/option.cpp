#include "hub/config/option.hpp"

#include "hub/core/limits.hpp"

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <cctype>

namespace gamehub::config {
namespace {

std::optional<bool> truth(std::string_view text) {
  for (const auto* word : {"true", "yes", "on", "1"})
    if (text == word) return true;
  for (const auto* word : {"false", "no", "off", "0"})
    if (text == word) return false;
  return {};
}

bool is_address(const std::string& text) {
  std::array<unsigned char, sizeof(in6_addr)> bytes{};
  return inet_pton(AF_INET, text.c_str(), bytes.data()) == 1 ||
         inet_pton(AF_INET6, text.c_str(), bytes.data()) == 1;
}

// Insertions, deletions and changes of one character (Levenshtein, 1965).
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    auto diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const auto changed = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = std::exchange(row[j], std::min({row[j] + 1, row[j - 1] + 1, changed}));
    }
  }
  return row.back();
}

}  // namespace

std::string shown(std::string_view text) {
  constexpr std::size_t shown_max = 60;
  std::string out{text.substr(0, shown_max)};
  std::replace_if(
      out.begin(), out.end(), [](char c) { return (c >= 0 && c < ' ') || c == '\x7f'; }, '?');
  return '"' + out + (text.size() > shown_max ? "\"..." : "\"");
}

bool is_printable_name(std::string_view text) {
  return !text.empty() && text.size() <= limits::name_bytes_max &&
         std::all_of(text.begin(), text.end(), [](char c) { return c > ' ' && c < '\x7f'; });
}

std::string option::variable() const {
  std::string out = "GAMEHUB_";
  for (const char c : name)
    out += c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return out;
}

option& option_list::text(std::string name, std::string kind, std::string help,
                          std::string fallback, std::string wanted,
                          std::function<bool(std::string_view)> take) {
  return options.emplace_back(option{std::move(name), std::move(kind), std::move(help),
                                     std::move(fallback), std::move(wanted), std::move(take),
                                     group_});
}

option& option_list::text(std::string name, std::string kind, std::string help, std::string& into) {
  auto wanted = kind.empty() ? help : kind;
  return text(std::move(name), std::move(kind), std::move(help), into, std::move(wanted),
              [&into](std::string_view text) {
                into = text;
                return true;
              });
}

option& option_list::path(std::string name, std::string kind, std::string help,
                          std::filesystem::path& into) {
  std::string wanted = kind == "DIR" ? "the path of a folder" : "the path of a file";
  return text(std::move(name), std::move(kind), std::move(help), into.string(), std::move(wanted),
              [&into](std::string_view text) {
                into = text;
                return true;
              });
}

option& option_list::flag(std::string name, std::string help, bool& into) {
  return text(std::move(name), "", std::move(help), "", "true or false",
              [&into](std::string_view text) {
                const auto yes = truth(text);
                if (yes) into = *yes;
                return yes.has_value();
              });
}

option& option_list::port(std::string name, std::string help, std::optional<std::uint16_t>& into) {
  return text(std::move(name), std::string{option::port_kind}, std::move(help),
              into ? text_of(*into) : "off", "a port up to 65535, 0 for any free one, or off",
              [&into](std::string_view text) {
                const auto n = number_in<std::uint16_t>(text, 0, 65'535);
                if (!n && text != "off") return false;
                into = n;
                return true;
              });
}

option& option_list::address(std::string name, std::string help, std::string& into) {
  return text(std::move(name), "ADDRESS", std::move(help), into,
              "an IPv4 or IPv6 address, such as 0.0.0.0 or ::1", [&into](std::string_view text) {
                into = text;
                return is_address(into);
              });
}

option& option_list::engine(std::string name, std::string help, std::string& into) {
  return text(std::move(name), "ENGINE", std::move(help), into,
              "the id of an engine (gamehub engines lists them)", [&into](std::string_view text) {
                into = text;
                return is_printable_name(text);
              });
}

option& option_list::texts(std::string name, std::string kind, std::string help, std::string wanted,
                           std::vector<std::string>& into, bool (*good)(std::string_view)) {
  auto& added = text(std::move(name), std::move(kind), std::move(help), "", std::move(wanted),
                     [&into, good](std::string_view text) {
                       while (!text.empty()) {
                         const auto end = text.find_first_of(",\n");
                         const auto each = text.substr(0, end);
                         if (!good(each)) return false;
                         if (std::find(into.begin(), into.end(), each) == into.end())
                           into.emplace_back(each);
                         if (end == text.npos) break;
                         text.remove_prefix(end + 1);
                       }
                       return true;
                     });
  added.repeatable = true;
  return added;
}

std::optional<std::string> nearest(const std::vector<std::string>& names, std::string_view name) {
  std::optional<std::string> best;
  // More differences than these are another word.
  auto least = std::min<std::size_t>(4, name.size() / 2 + 1);
  for (const auto& each : names)
    if (const auto d = distance(name, each); d < least) {
      least = d;
      best = each;
    }
  return best;
}

}  // namespace gamehub::config
