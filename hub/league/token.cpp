#include "hub/league/token.hpp"

#include "hub/base/digest.hpp"
#include "hub/base/text.hpp"

namespace gamehub::league {

// The word in front lets people, and programs that look for secrets in sources, tell what it is.
std::string make_token(base::random_source& chance) { return "gamehub-" + chance.secret(); }

std::string digest_of_token(const std::string& token) {
  const auto digest = base::sha256(token);
  return base::hex_of(std::string{digest.begin(), digest.end()});
}

std::string owner_of_unknown(const std::string& token) {
  constexpr std::size_t shown = 16;
  return "open:" + digest_of_token(token).substr(0, shown);
}

}  // namespace gamehub::league
