#include "tests/system/transcript.hpp"

#include "hub/base/text.hpp"
#include "tests/system/tcp_client.hpp"

#include <map>
#include <memory>
#include <optional>
#include <utility>

namespace gamehub::tests::system {

namespace {

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> out;
  while (!text.empty()) {
    const auto end = text.find('\n');
    out.emplace_back(text.substr(0, end));
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
  }
  return out;
}

std::string trimmed(std::string_view text) { return std::string{base::trimmed(text, " \t\r")}; }

// Text and <word>s in turn, beginning and ending with a text.
struct pattern {
  std::vector<std::string> texts{""};
  std::vector<std::string> words;
};

pattern pattern_of(std::string_view text) {
  pattern out;
  while (!text.empty()) {
    const auto close = text.front() == '<' ? text.find('>') : text.npos;
    if (close == text.npos) {
      out.texts.back() += text.front();
      text.remove_prefix(1);
    } else {
      out.words.emplace_back(text.substr(1, close - 1));
      out.texts.emplace_back();
      text.remove_prefix(close + 1);
    }
  }
  return out;
}

std::string bytes_of(std::string_view hexadecimal) {
  std::string digits, out;
  for (const char c : hexadecimal)
    if (c != ' ') digits += c;
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2)
    out += static_cast<char>(std::stoi(digits.substr(i, 2), nullptr, 16));
  return out;
}

std::string in_hexadecimal(std::string_view bytes) {
  std::string out;
  for (const char c : bytes) {
    constexpr std::string_view digits = "0123456789ABCDEF";
    const auto n = static_cast<unsigned char>(c);
    out += std::string{digits[n >> 4U], digits[n & 15U], ' '};
  }
  return out;
}

// One play of one transcript.
class stage {
 public:
  stage(hub& at, std::string_view text) : at_(at), lines_(lines_of(text)) {
    for (const auto& line : lines_) {
      if (line.size() > 2 && line.substr(2).find('{') == 0) says_json_ = true;
      if (line.find("\"start\"") != line.npos) has_game_ = true;
    }
    if (!says_json_) has_game_ = true;
  }

  std::string play() {
    for (const auto& line : lines_) {
      auto said = trimmed(line);
      if (said.empty()) continue;
      const char who = said.front();
      said = trimmed(said.substr(1));
      if (!says_json_) said = trimmed(said.substr(0, said.find('#')));
      const auto wrong = who == 'C' || who == 'c'   ? speak(who == 'c', said)
                         : who == 'S' || who == 's' ? listen(who == 's', said)
                                                    : "begins with none of C, c, S and s";
      if (!wrong.empty()) return line + "\n  " + wrong;
    }
    return check_silence();
  }

 private:
  tcp_client& client(bool second) {
    auto& out = clients_[second ? 1 : 0];
    // In a game the first client shall be the first to wait for it.
    if (!out && second && has_game_) at_.await_count("gamehub_players_waiting", {}, 1);
    if (!out) out = std::make_unique<tcp_client>(says_json_ ? at_.turns() : at_.opcodes());
    return *out;
  }

  std::string speak(bool second, const std::string& line) {
    const auto form = pattern_of(line);
    auto said = form.texts[0];
    for (std::size_t i = 0; i < form.words.size(); ++i) {
      const auto known = words_.find(form.words[i]);
      if (known == words_.end()) return "<" + form.words[i] + "> has not been heard before";
      said += known->second + form.texts[i + 1];
    }
    client(second).send(says_json_ ? said + "\n" : bytes_of(said));
    return {};
  }

  std::string listen(bool second, const std::string& line) {
    auto form = pattern_of(line);
    if (!says_json_)
      for (auto& text : form.texts) text = bytes_of(text);
    auto& from = client(second);
    return says_json_ ? hear_line(from, form) : hear_bytes(from, form);
  }

  std::string hear_line(tcp_client& from, const pattern& form) {
    const auto line = from.read_line();
    if (!line) return "but heard: " + from.state_text();
    std::size_t at = form.texts[0].size();
    bool fits = line->starts_with(form.texts[0]);
    for (std::size_t i = 0; fits && i < form.words.size(); ++i) {
      const auto& after = form.texts[i + 1];
      const auto last = i + 1 == form.words.size();
      const auto end = last && line->ends_with(after) && line->size() >= at + after.size()
                           ? line->size() - after.size()
                           : line->find(after, at);
      fits = end != line->npos && is_word(form.words[i], line->substr(at, end - at));
      at = end + after.size();
    }
    if (fits && at == line->size()) return {};
    return "but heard: " + *line;
  }

  std::string hear_bytes(tcp_client& from, const pattern& form) {
    std::string heard;
    for (std::size_t i = 0; i < form.texts.size(); ++i) {
      std::string word;
      // What stands for anything is at least one byte, and ends before the byte that comes next.
      for (bool first = true; i > 0; first = false) {
        const auto byte = from.read(1);
        if (!byte) return "but heard: " + in_hexadecimal(heard) + from.state_text();
        heard += *byte;
        if (!first && !form.texts[i].empty() && byte->front() == form.texts[i].front()) break;
        word += *byte;
        if (form.texts[i].empty()) break;
      }
      if (i > 0 && !is_word(form.words[i - 1], in_hexadecimal(word)))
        return "but heard: " + in_hexadecimal(heard);
      const std::size_t had = i > 0 && !form.texts[i].empty() ? 1 : 0;
      const auto rest = from.read(form.texts[i].size() - had);
      if (rest) heard += *rest;
      if (!rest || *rest != form.texts[i].substr(had))
        return "but heard: " + in_hexadecimal(heard) + (rest ? "" : from.state_text());
    }
    return {};
  }

  bool is_word(const std::string& word, const std::string& heard) {
    return word == "any" || words_.emplace(word, heard).first->second == heard;
  }

  // Nothing is left that the transcript does not show.
  std::string check_silence() {
    for (auto& each : clients_) {
      if (!each) continue;
      if (&each == &clients_[0]) each->half_close();
      const auto more = &each == &clients_[0] ? each->rest() : each->unread();
      if (!more.empty())
        return "the end\n  but heard: " + (says_json_ ? more : in_hexadecimal(more));
    }
    return {};
  }

  hub& at_;
  const std::vector<std::string> lines_;
  bool says_json_ = false;
  bool has_game_ = false;
  std::unique_ptr<tcp_client> clients_[2];
  std::map<std::string, std::string> words_;
};

}  // namespace

std::vector<fenced_block> fenced_blocks(std::string_view markdown, std::string_view mark) {
  std::vector<fenced_block> out;
  bool inside = false, marked = false;
  int number = 0;
  for (const auto& line : lines_of(markdown)) {
    ++number;
    if (!line.starts_with("```")) {
      if (inside)
        out.back().text += line + '\n';
      else if (!trimmed(line).empty())
        marked = trimmed(line) == mark;
      continue;
    }
    if (!inside) out.push_back({trimmed(line.substr(3)), {}, number, std::exchange(marked, false)});
    inside = !inside;
  }
  return out;
}

std::string play_transcript(hub& at, std::string_view text) { return stage{at, text}.play(); }

}  // namespace gamehub::tests::system
