#include "gateways/bots/names.hpp"

#include <algorithm>
#include <iterator>

namespace gamehub::gateways::bots {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_word(char c) { return is_letter(c) || (c >= '0' && c <= '9'); }
char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c & ~0x20) : c; }

std::string words_of(std::string_view text) {
  std::string out;
  std::copy_if(text.begin(), text.end(), std::back_inserter(out), is_word);
  return out;
}

std::string in_capitals(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), upper);
  return text;
}

}  // namespace

std::string method_prefix(const engine_traits& engine) {
  auto out = words_of(engine.title);
  return out.empty() ? words_of(engine.id) : out;
}

std::string game_name(const engine_traits& engine) { return in_capitals(method_prefix(engine)); }

bool names_game(std::string_view game, const engine_traits& engine) {
  return game == engine.id ||
         (!game.empty() && in_capitals(std::string{game}) == game_name(engine));
}

}  // namespace gamehub::gateways::bots
