#include "hub/core/player_name.hpp"

#include "hub/core/limits.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace gamehub {
namespace {

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (static_cast<unsigned char>(c) & 0x80U) != 0;
}

// True if the key is the word, or goes on after it with what is no letter.
bool is_word_at_start(std::string_view key, std::string_view word) {
  return key.starts_with(word) && (key.size() == word.size() || !is_letter(key[word.size()]));
}

}  // namespace

std::string_view to_string(name_fault f) {
  switch (f) {
    case name_fault::too_long: return "name-too-long";
    case name_fault::spaces: return "name-spaces";
    case name_fault::hidden: return "name-hidden-characters";
    case name_fault::form: return "name-compatibility-form";
    case name_fault::scripts: return "name-mixed-scripts";
    case name_fault::reserved: return "name-reserved";
    case name_fault::banned: return "name-banned";
  }
  return "unknown";
}

std::optional<name_fault> name_fault_of(std::string_view word) {
  for (int i = 0; i < name_fault_count; ++i)
    if (to_string(static_cast<name_fault>(i)) == word) return static_cast<name_fault>(i);
  return std::nullopt;
}

std::optional<name_fault> fault_of_name(std::string_view name) {
  if (name.empty() || name.size() > limits::name_bytes_max) return name_fault::too_long;
  if (!base::unicode::shows(name)) return name_fault::hidden;
  if (name.front() == ' ' || name.back() == ' ' || name.find("  ") != name.npos)
    return name_fault::spaces;
  if (!base::unicode::is_nfkc(name)) return name_fault::form;
  if (!base::unicode::is_one_script(name)) return name_fault::scripts;
  return std::nullopt;
}

bool is_reserved_name(std::string_view name) {
  // The keys of the words: "rn" is that of "m", say, so the words are spelled by the same function.
  static const std::array<std::string, 2> words{base::unicode::keys_of(operator_name).by_case,
                                                base::unicode::keys_of("engine").by_case};
  static const auto bot_prefix = base::unicode::keys_of("bot:").by_case;
  bool reserved = false;
  for_each_name_key(name, [&](std::string_view key) {
    reserved = reserved || key.starts_with(bot_prefix) ||
               std::any_of(words.begin(), words.end(),
                           [&](const auto& w) { return is_word_at_start(key, w); });
  });
  return reserved;
}

}  // namespace gamehub
