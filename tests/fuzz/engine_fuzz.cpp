// Any bytes to any engine: options, seats and actions, words, JSON and saved states. What is
// refused changes nothing, what is legal is taken, a match ends within its bounds, and what was
// saved comes back. Run under the sanitizers, for an engine is code that strangers' input reaches.
#include "engines/host/options.hpp"
#include "engines/host/registry.hpp"
#include "engines/option_schema.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace gamehub::tests {
namespace {

using engines::action;
using engines::host::engine;
using engines::host::match;

void expect(bool kept) {
  if (!kept) std::abort();
}

// Takes the input apart from its front. At the end there are only zeros.
class input {
 public:
  explicit input(std::string_view bytes) : bytes_(bytes) {}

  bool at_end() const { return bytes_.empty(); }

  std::uint8_t byte() {
    if (bytes_.empty()) return 0;
    const auto out = static_cast<std::uint8_t>(bytes_[0]);
    bytes_.remove_prefix(1);
    return out;
  }

  // Up to 255 bytes, how many the first one says.
  std::string_view text() {
    const auto out = bytes_.substr(0, byte());
    bytes_.remove_prefix(std::min<std::size_t>(bytes_.size(), out.size()));
    return out;
  }

  std::int64_t number() {
    std::uint64_t out = 0;
    for (int i = 0; i < 8; ++i) out = out << 8 | byte();
    return static_cast<std::int64_t>(out);
  }

 private:
  std::string_view bytes_;
};

// The hub's own words about options agree with what the engine says of them, and the one spelling
// of options means what the options meant.
void check_options(const engine& rules, std::string_view text) {
  const auto schema = rules.options_schema();
  const auto wrong = engines::host::validate_options(text, schema);
  const auto made = rules.create(text);
  const auto* m = std::get_if<match>(&made);
  if (wrong) return expect(m == nullptr && !wrong->empty());
  const auto spelled = engines::host::canonical_options(text, schema);
  expect(!engines::host::validate_options(spelled, schema));
  expect(engines::host::canonical_options(spelled, schema) == spelled);
  const auto again = rules.create(spelled);
  const auto* same = std::get_if<match>(&again);
  expect((m == nullptr) == (same == nullptr));
  expect(m == nullptr || m->hash() == same->hash());
}

// One act of a client: an action by its number, a word, JSON, a cell or a place in the list.
engines::host::match::parsed read(const match& m, int seat, input& in) {
  std::vector<action> legal;
  m.legal_actions(seat, legal);
  switch (in.byte() % 6) {
    case 0: return {in.number(), nullptr};
    case 1: return {static_cast<std::int8_t>(in.byte()), nullptr};
    case 2: return m.from_text(seat, in.text());
    case 3: return m.from_json(seat, in.text());
    case 4: return m.at_cell(seat, static_cast<std::int8_t>(in.byte()));
    default: break;
  }
  const auto at = in.byte();
  if (legal.empty()) return {0, "nothing is legal"};
  return {legal[at % legal.size()], nullptr};
}

// Whether the act was taken.
bool act(match& m, int seat, input& in) {
  const auto read_act = read(m, seat, in);
  if (read_act.reason != nullptr) return expect(*read_act.reason != '\0'), false;
  std::vector<action> legal;
  m.legal_actions(seat, legal);
  const bool is_legal = std::binary_search(legal.begin(), legal.end(), read_act.value);
  const auto before = m.save();
  const auto* why = m.apply(seat, read_act.value);
  expect(is_legal == (why == nullptr));
  if (why != nullptr) expect(m.save() == before);
  return why == nullptr;
}

void look(const engine& rules, const match& m) {
  std::string view;
  for (int viewer = engines::spectator; viewer < m.players(); ++viewer) {
    m.view_json(viewer, view);
    expect(engines::json::valid(view));
    m.glyphs(viewer, view);
    expect(view.size() == static_cast<std::size_t>(m.cells().cells()));
  }
  const auto bytes = m.save();
  expect(bytes.size() <= rules.state_bytes_max());
  const auto back = rules.load(bytes);
  expect(back && back->hash() == m.hash());
  std::vector<double> scores(static_cast<std::size_t>(m.players()));
  if (m.over()) m.scores(scores);
}

void play(const engine& rules, match m, input& in) {
  std::uint64_t taken = 0;
  while (!in.at_end()) {
    const int seat = static_cast<std::int8_t>(in.byte()) % 65;
    // Most acts come from who may act.
    const int mover = engines::holds(m.to_move(), engines::chance) ? engines::chance
                      : engines::holds(m.to_move(), seat & 1)      ? seat & 1
                                                                   : 1 - (seat & 1);
    if (!act(m, seat > 32 ? seat : mover, in)) continue;
    expect(++taken <= rules.plies_max());
    look(rules, m);
  }
}

}  // namespace
}  // namespace gamehub::tests

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace tests = gamehub::tests;
  static const auto& known = *new auto(gamehub::engines::host::registry::built_in());
  tests::input in{{reinterpret_cast<const char*>(data), size}};
  const auto& rules = known.all()[in.byte() % known.all().size()];
  const auto kind = in.byte();
  const auto text = in.text();
  if (kind % 4 == 3) {
    if (auto odd = rules.load(text)) tests::play(rules, std::move(*odd), in);
    return 0;
  }
  tests::check_options(rules, text);
  auto made = rules.create(kind % 4 == 0 ? std::string_view{} : text);
  if (auto* m = std::get_if<gamehub::engines::host::match>(&made))
    tests::play(rules, std::move(*m), in);
  return 0;
}
