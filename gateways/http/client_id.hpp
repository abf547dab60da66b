// A client's secret: what it alone knows, and brings its session back from any connection. Kept
// once, by its session; everything else holds the key, a digest from which it can't be had. Neither
// shows in a log: what is streamed of a client_id is that there is one. Plain values, any thread.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>

namespace gamehub::gateways::http {

// Half of the SHA-256 of a client_id. Ordered and not hashed: who chooses client_ids could make
// them meet in one bucket of a table, but can't make a tree deep.
struct client_key {
  std::array<std::uint8_t, 16> bytes{};

  friend auto operator<=>(const client_key&, const client_key&) = default;
  // As the journal keeps it.
  std::string text() const { return {bytes.begin(), bytes.end()}; }
};

class client_id {
 public:
  // From 16 to 64 visible characters of ASCII.
  static bool acceptable(std::string_view text);
  // Nothing if it is not acceptable.
  static std::optional<client_id> read(std::string_view text);

  const client_key& key() const { return key_; }

  // The secret itself: for the answer to who made or brought it, and for nobody else.
  const std::string& reveal() const { return text_; }

  // By the key, in the same time wherever they differ.
  friend bool operator==(const client_id& a, const client_id& b);
  friend std::ostream& operator<<(std::ostream&, const client_id&);

 private:
  explicit client_id(std::string_view text);

  std::string text_;
  client_key key_;
};

std::ostream& operator<<(std::ostream&, const client_key&);

// The token of "Authorization: Bearer token"; nothing if the field says something else.
std::optional<std::string_view> bearer_token(std::string_view authorization);

}  // namespace gamehub::gateways::http
