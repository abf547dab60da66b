// A client's secret, which identifies its session on any connection. It is stored once, by its
// session; everything else uses the key, a digest from which the secret cannot be computed. Neither
// is logged: operator<< prints a placeholder. Plain values, any thread.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace gamehub::gateways::http {

// The first half of the SHA-256 of a client_id. Used in ordered containers: clients choose their
// client_ids, and could make a hash table degenerate, but not a tree.
struct client_key {
  std::array<std::uint8_t, 16> bytes{};

  friend auto operator<=>(const client_key&, const client_key&) = default;
  // Returns the key with these bytes, or nothing if their number is wrong.
  static std::optional<client_key> of_digest(std::string_view bytes);
  // Returns the bytes as stored in the journal.
  std::string text() const { return {bytes.begin(), bytes.end()}; }
};

class client_id {
 public:
  // True for 16 to 64 visible ASCII characters that are not all the same (README.md, "Parameters").
  static bool acceptable(std::string_view text);
  // Returns the client_id, or nothing if the text is not acceptable.
  static std::optional<client_id> read(std::string_view text);

  // Returns the key.
  const client_key& key() const { return key_; }

  // Returns the secret, for the response to its owner only.
  const std::string& reveal() const& { return text_; }
  std::string reveal() && { return std::move(text_); }

  // Compares the keys in constant time.
  friend bool operator==(const client_id& a, const client_id& b);
  friend std::ostream& operator<<(std::ostream&, const client_id&);

 private:
  explicit client_id(std::string_view text);

  std::string text_;
  client_key key_;
};

std::ostream& operator<<(std::ostream&, const client_key&);

// Returns the token of "Authorization: Bearer token", or nothing.
std::optional<std::string_view> bearer_token(std::string_view authorization);

}  // namespace gamehub::gateways::http
