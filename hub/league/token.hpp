// Tokens of bot owners, which bots send when they register. A token has 128 random bits, so the
// file stores a plain digest: salt and a slow digest are needed only for secrets that people
// choose. Plain functions; any thread.
#pragma once

#include "hub/base/random.hpp"
#include "hub/base/time.hpp"

#include <optional>
#include <string>

namespace gamehub::league {

// A stored token.
struct token_entry {
  std::string owner;
  std::string digest;  // hexadecimal
  base::wall_time made{};
  std::optional<base::wall_time> revoked;
};

// Returns a new token. It is shown once and not stored.
std::string make_token(base::random_source&);

// Returns the SHA-256 of a token, in hexadecimal.
std::string digest_of_token(const std::string& token);

// Returns the owner name of an unknown token under open registration. It does not reveal the token.
std::string owner_of_unknown(const std::string& token);

}  // namespace gamehub::league
