#include "engines/host/options.hpp"

#include "engines/option_schema.hpp"

#include <algorithm>

namespace gamehub::engines::host {

namespace {

using options::option;

// Quotes client text only if it is short and plain ASCII, because the message goes to logs and to
// protocols with a small character set.
constexpr std::size_t repeated_bytes_max = 40;

bool can_be_repeated(std::string_view text) {
  return text.size() <= repeated_bytes_max &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; });
}

void quote(std::string_view text, std::string& out) {
  out += '"';
  out += text;
  out += '"';
}

// "a", "b" or "c"
class list {
 public:
  explicit list(std::string_view last_word) : last_word_(last_word) {}

  void add(std::string_view text) {
    if (!latest_.empty()) {
      if (!text_.empty()) text_ += ", ";
      quote(latest_, text_);
    }
    latest_ = text;
  }

  std::string take() {
    if (latest_.empty()) return {};
    if (!text_.empty()) {
      text_ += ' ';
      text_ += last_word_;
      text_ += ' ';
    }
    quote(latest_, text_);
    return std::move(text_);
  }

 private:
  std::string_view last_word_;
  std::string_view latest_;
  std::string text_;
};

std::string unknown(std::string_view name, std::string_view schema) {
  std::string out = "there is no such option";
  if (can_be_repeated(name)) out = "there is no option " + std::string{name};
  list names{"and"};
  options::each_option(schema, [&](const option& o) { names.add(o.name); });
  const auto known = names.take();
  return out + (known.empty() ? ": this game has none" : ": this game has " + known);
}

std::string what_fits(const option& o) {
  switch (o.what) {
    case options::type::integer:
      if (o.least == INT64_MIN && o.most == INT64_MAX) return "an integer";
      if (o.most == INT64_MAX) return "an integer of at least " + std::to_string(o.least);
      if (o.least == INT64_MIN) return "an integer of at most " + std::to_string(o.most);
      return "an integer from " + std::to_string(o.least) + " to " + std::to_string(o.most);
    case options::type::boolean: return "true or false";
    case options::type::choice: {
      list choices{"or"};
      options::each_choice(o, [&](const json::value& c) { choices.add(options::bare(c.spelled)); });
      return choices.take();
    }
    case options::type::other: break;
  }
  return "something else";
}

std::string unfit(const options::finding& found) {
  auto out = "option \"" + std::string{found.declared.name} + "\" must be ";
  out += what_fits(found.declared);
  if (can_be_repeated(found.given.spelled)) out += ", not " + std::string{found.given.spelled};
  return out;
}

// Returns the canonical form of an option value.
std::string respelled(const option& o, const json::value& given) {
  if (o.what == options::type::integer)
    if (const auto number = json::integer(given)) return std::to_string(*number);
  std::string out{given.spelled};
  if (o.what == options::type::choice && given.what == json::kind::string)
    options::each_choice(o, [&](const json::value& choice) {
      if (json::says(given.spelled, options::bare(choice.spelled))) out = choice.spelled;
    });
  return out;
}

bool declares_players(std::string_view schema) {
  bool out = false;
  options::each_option(schema, [&](const option& o) { out = out || o.name == players_option; });
  return out;
}

}  // namespace

std::string schema_with_players(std::string_view schema, int players_min, int players_max) {
  if (players_max <= players_min || declares_players(schema)) return std::string{schema};
  const auto least = std::to_string(players_min), most = std::to_string(players_max);
  std::string out = R"({"type":"object","properties":{"players":{"type":"integer","minimum":)" +
                    least + R"(,"maximum":)" + most + R"(,"default":)" + least + '}';
  const auto properties = json::member(schema, "properties");
  if (!properties || properties->what != json::kind::object)
    return out + R"(},"additionalProperties":false})";
  const auto rest = properties->spelled.find_first_not_of(" \t\r\n", 1);
  if (properties->spelled[rest] != '}') out += ',';
  return out.append(properties->spelled.substr(rest)) + R"(,"additionalProperties":false})";
}

std::pair<std::string, int> split_players(std::string_view options, std::string_view schema) {
  std::pair<std::string, int> out{options, 0};
  const auto given = json::member(options, players_option);
  if (!given || given->what == json::kind::missing || declares_players(schema)) return out;
  out.second = static_cast<int>(json::integer(*given).value_or(-1));
  out.first.clear();
  json::reader{options}.object(0, [&](std::string_view name, const json::value& value) {
    if (json::says(name, players_option)) return;
    (out.first += out.first.empty() ? '{' : ',').append(name) += ':';
    out.first += value.spelled;
  });
  if (!out.first.empty()) out.first += '}';
  return out;
}

std::optional<std::string> validate_options(std::string_view text, std::string_view schema) {
  const auto found = options::first_fault(schema, text);
  switch (found.what) {
    case options::fault::none: return std::nullopt;
    case options::fault::malformed: return "the options are no JSON object";
    case options::fault::too_long:
      return "the options are longer than " + std::to_string(options::text_bytes_max) + " bytes";
    case options::fault::unknown: return unknown(found.name, schema);
    case options::fault::unfit: return unfit(found);
  }
  return std::nullopt;
}

std::string canonical_options(std::string_view text, std::string_view schema) {
  std::string out;
  options::each_option(schema, [&](const option& o) {
    const auto given = json::member(text, o.name);
    if (!given || given->what == json::kind::missing) return;
    const auto value = respelled(o, *given);
    if (o.fallback.what != json::kind::missing && value == respelled(o, o.fallback)) return;
    out += out.empty() ? '{' : ',';
    quote(o.name, out);
    out += ':';
    out += value;
  });
  if (!out.empty()) out += '}';
  return out;
}

}  // namespace gamehub::engines::host
