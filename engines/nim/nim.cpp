// Nim: the player to move takes any number of objects from one heap. The player who takes the last
// object wins, or loses in misère play. The example of a game without a board: protocols that
// support only cells refuse it.
#include "engines/json.hpp"
#include "engines/plugin.hpp"

#include <algorithm>
#include <array>

namespace gamehub::engines::nim {

namespace {

constexpr int heaps_max = 8;

// The first heap has 1 object, the next 3, then 5 and so on.
constexpr int full(int heap) { return 2 * heap + 1; }
constexpr int heap_max = full(heaps_max - 1);

// An action is a heap and a number of objects.
constexpr action take_end = 16;
static_assert(heap_max < take_end);

constexpr int objects_max = heaps_max * heaps_max;  // 1 + 3 + 5 + … is a square.

constexpr const char* schema =
    R"({"type":"object","properties":{)"
    R"("heaps":{"type":"integer","minimum":1,"maximum":8,"default":4},)"
    R"("last":{"type":"string","enum":["wins","loses"],"default":"wins"}},)"
    R"("additionalProperties":false})";

// The texts of all actions, and of the same for people, who count heaps from 1.
struct action_texts {
  char text[objects_max][5];
  char words[objects_max][20];
  char title[heaps_max][7];
};

constexpr void append(char*& to, std::string_view text) {
  for (const char c : text) *to++ = c;
}
constexpr void append(char*& to, int number) {
  if (number >= 10) *to++ = static_cast<char>('0' + number / 10);
  *to++ = static_cast<char>('0' + number % 10);
}

constexpr action_texts texts = [] {
  action_texts out{};
  int i = 0;
  for (int heap = 0; heap < heaps_max; ++heap) {
    char* title = out.title[heap];
    append(title, "Heap ");
    append(title, heap + 1);
    for (int take = 1; take <= full(heap); ++take, ++i) {
      char* text = out.text[i];
      append(text, heap);
      append(text, ":");
      append(text, take);
      char* words = out.words[i];
      append(words, "Take ");
      append(words, take);
      append(words, " from heap ");
      append(words, heap + 1);
    }
  }
  return out;
}();

constexpr face_description face_of_nim = [] {
  face_description out{
      .blurb = "Take from the heaps. The last one counts.",
      .rules = {"There are several heaps of objects. The players take turns. A player takes any "
                "number of objects from one heap, but at least one.",
                "The player who takes the last object of all wins. An option turns that around: "
                "then the player who takes the last object loses."},
      .icon =
          R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" )"
          R"(fill="currentColor">)"
          R"(<circle cx="12" cy="5" r="2"/>)"
          R"(<circle cx="8" cy="12" r="2"/><circle cx="12" cy="12" r="2"/><circle cx="16" cy="12" r="2"/>)"
          R"(<circle cx="4" cy="19" r="2"/><circle cx="8" cy="19" r="2"/><circle cx="12" cy="19" r="2"/>)"
          R"(<circle cx="16" cy="19" r="2"/><circle cx="20" cy="19" r="2"/>)"
          R"(</svg>)"};
  int i = 0;
  for (int heap = 0; heap < heaps_max; ++heap) {
    out.groups[heap].title = texts.title[heap];
    for (int take = 1; take <= full(heap); ++take, ++i) {
      out.actions[i].action = texts.text[i];
      out.actions[i].words = texts.words[i];
      out.groups[heap].actions[take - 1] = texts.text[i];
    }
  }
  return out;
}();

}  // namespace

class game {
 public:
  static constexpr description about{.id = "nim",
                                     .title = "Nim",
                                     .actions_max = objects_max,
                                     .plies_max = objects_max,
                                     .options_schema = schema};
  static constexpr const face_description& face = face_of_nim;

  reason set_up(std::string_view options, int) {
    set_heaps(static_cast<int>(json::integer_or(options, "heaps", heaps_)));
    last_loses_ = json::is_text(options, "last", "loses") ? 1 : 0;
    return nullptr;
  }
  int players() const { return 2; }

  seats to_move() const noexcept { return is_empty() ? 0 : only(mover_); }

  void legal_actions(int, action_list& out) const {
    for (int heap = 0; heap < heaps_; ++heap)
      for (int take = 1; take <= left(heap); ++take) out.add(heap * take_end + take);
  }

  reason apply(int seat, action a) noexcept {
    if (!is_action(a)) return reasons::out_of_bounds;
    const int heap = static_cast<int>(a / take_end);
    const int take = static_cast<int>(a % take_end);
    if (take > left(heap)) return "too-few-objects";
    left_[static_cast<std::size_t>(heap)] = static_cast<std::uint8_t>(left(heap) - take);
    mover_ = static_cast<std::uint8_t>(1 - seat);
    return nullptr;
  }

  void scores(std::span<double> out) const {
    out[winner()] = 1;
    out[1U - winner()] = -1;
  }

  void summary(writer& out) const {
    int objects = 0;
    for (int heap = 0; heap < heaps_; ++heap) objects += left(heap);
    out << objects << (objects == 1 ? " object is left." : " objects are left.");
  }

  // "2:3": from heap 2 take 3. Heaps are counted from 0.
  reason from_text(int, std::string_view text, action& out) const {
    const auto colon = text.find(':');
    std::int64_t heap = 0;
    std::int64_t take = 0;
    if (colon == text.npos || !is_number(text.substr(0, colon), heap) ||
        !is_number(text.substr(colon + 1), take))
      return reasons::malformed;
    return action_of(heap, take, out);
  }

  void to_text(action a, writer& out) const { out << a / take_end << ':' << a % take_end; }

  reason from_json(int, std::string_view text, action& out) const {
    const auto given = json::members(text, {"heap", "take"});
    if (!given) return reasons::out_of_bounds;
    const auto heap = json::index((*given)[0], heaps_);
    const auto take = json::index((*given)[1], take_end);
    if (!heap || !take) return reasons::out_of_bounds;
    return action_of(*heap, *take, out);
  }

  void to_json(action a, writer& out) const {
    out << R"({"type":"move","heap":)" << a / take_end << R"(,"take":)" << a % take_end << '}';
  }

  void view(int, writer& out) const {
    out << R"({"heaps":[)";
    for (int heap = 0; heap < heaps_; ++heap) out << (heap == 0 ? "" : ",") << left(heap);
    out << R"(],"last":)" << (last_loses_ != 0 ? R"("loses")" : R"("wins")") << R"(,"winner":)";
    if (is_empty())
      out << winner();
    else
      out << "null";
    out << '}';
  }

  bool valid() const {
    if (heaps_ < 1 || heaps_ > heaps_max || mover_ > 1 || last_loses_ > 1) return false;
    for (int heap = 0; heap < heaps_max; ++heap)
      if (left(heap) > (heap < heaps_ ? full(heap) : 0)) return false;
    return true;
  }

 private:
  static bool is_number(std::string_view text, std::int64_t& out) {
    json::reader r{text};
    json::value found;
    if (text.empty() || text[0] < '0' || text[0] > '9' || !r.any(found) || !r.at_end())
      return false;
    const auto number = json::integer(found);
    out = number.value_or(-1);
    return true;
  }

  bool is_action(action a) const {
    return a >= 0 && a / take_end < heaps_ && a % take_end >= 1 &&
           a % take_end <= full(static_cast<int>(a / take_end));
  }

  reason action_of(std::int64_t heap, std::int64_t take, action& out) const {
    if (heap < 0 || heap >= heaps_ || take < 1 || take >= take_end) return reasons::out_of_bounds;
    if (!is_action(heap * take_end + take)) return reasons::out_of_bounds;
    out = heap * take_end + take;
    return nullptr;
  }

  void set_heaps(int count) {
    heaps_ = static_cast<std::uint8_t>(count);
    for (int heap = 0; heap < heaps_max; ++heap)
      left_[static_cast<std::size_t>(heap)] =
          static_cast<std::uint8_t>(heap < count ? full(heap) : 0);
  }

  int left(int heap) const { return left_[static_cast<std::size_t>(heap)]; }
  bool is_empty() const noexcept {
    return std::all_of(left_.begin(), left_.end(), [](std::uint8_t n) { return n == 0; });
  }

  // The heaps are empty. The player to move has lost, or won in misère play.
  unsigned winner() const { return last_loses_ != 0 ? mover_ : 1U - mover_; }

  std::array<std::uint8_t, heaps_max> left_{1, 3, 5, 7};
  std::uint8_t heaps_ = 4;
  std::uint8_t mover_ = 0;
  std::uint8_t last_loses_ = 0;
};

}  // namespace gamehub::engines::nim

GAMEHUB_ENGINE(gamehub::engines::nim::game);
