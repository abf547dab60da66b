// Tokens: what an owner of bots shows when they register. A token has 128 random bits, so what is
// kept of it is a plain digest: salt and a slow digest protect what people choose, which can be
// guessed, and nobody guesses 128 bits. Plain functions, any thread.
#pragma once

#include <string>

#include "hub/core/entropy.hpp"

namespace gamehub::arena {

// To be shown once, and never again.
std::string make_token(random_source&);

// Its SHA-256, in hexadecimal.
std::string digest_of_token(const std::string& token);

// Where any token will do: whose a token is that nobody made. Says nothing about the token itself.
std::string owner_of_unknown(const std::string& token);

}  // namespace gamehub::arena
