// Builds the C table of an engine from an author's class: each function of abi.h checks its
// arguments, calls the class and catches every exception. Only plugin.hpp includes it. Stateless,
// any thread.
#pragma once

#include "engines/json.hpp"
#include "engines/option_schema.hpp"
#include "engines/plugin.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <exception>
#include <memory>
#include <new>
#include <string>
#include <type_traits>
#include <utility>

// Hidden, so that each plugin uses its own tables: the dynamic linker would bind the equally named
// tables of two releases of an engine to one address.
#pragma GCC visibility push(hidden)

namespace gamehub::engines {

// FNV-1a over the bytes, then mixed, so that similar states have different hashes.
inline std::uint64_t hash_of(std::string_view bytes) {
  std::uint64_t h = 0xcbf29ce484222325;
  for (const char c : bytes) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  h = (h ^ (h >> 32)) * 0x9e3779b97f4a7c15;
  return h ^ (h >> 29);
}

// The exception that was caught on this thread most recently, until the hub takes its text.
struct caught_exception {
  const char* function = "";
  char text[240] = {};
  std::size_t size = 0;
};

inline caught_exception& last_caught() noexcept {
  static thread_local caught_exception last;
  return last;
}

// Stores the exception that is being handled.
inline void remember_exception(const char* function) noexcept {
  auto& last = last_caught();
  const char* text = "it threw a value that is no std::exception";
  const auto store = [&] {
    last.function = function;
    last.size = std::min(std::strlen(text), sizeof last.text);
    std::memcpy(last.text, text, last.size);
  };
  try {
    throw;
  } catch (const std::exception& thrown) {
    text = thrown.what();
    store();
  } catch (...) {
    store();
  }
}

// The extension failure of every class.
struct failure_adapter {
  static std::size_t take(const char* function, char* out, std::size_t capacity) noexcept {
    auto& last = last_caught();
    if (std::string_view{last.function} != function) return 0;
    last.function = "";
    std::memcpy(out, last.text, std::min(capacity, last.size));
    return last.size;
  }

  static constexpr gamehub_failure table{
      .struct_size = sizeof(gamehub_failure), .reserved = 0, .take = take};
};

// True if the bytes of an object may have any bits: false if a member is a bool, or is nothing that
// can be saved, such as a pointer. Bits that are no value are an error in a constant expression, or
// are changed in it.
template <class Class, unsigned char Byte>
constexpr bool keeps_bytes() {
  std::array<unsigned char, sizeof(Class)> bytes{};
  for (auto& each : bytes) each = Byte;
  return std::bit_cast<decltype(bytes)>(std::bit_cast<Class>(bytes)) == bytes;
}
template <class Class, unsigned char Byte>
concept takes_bytes = requires {
  typename std::enable_if_t<keeps_bytes<Class, Byte>()>;
};
// A class that can be no constant has no known members.
template <class Class>
concept has_bool = takes_bytes<Class, 0> && !takes_bytes<Class, 0xff>;

template <rules Class>
struct abi_adapter {
  static constexpr const description& about = Class::about;

  static_assert(has_audience<Class> || (about.perfect_information && !about.simultaneous),
                "an engine with secrets must have audience()");
  static_assert(has_text<Class> || about.actions_end > 0,
                "without from_text() and to_text() the description must have actions_end");
  static_assert(
      has_save<Class>
          ? about.state_bytes_max > 0
          : std::is_trivially_copyable_v<Class>&& std::has_unique_object_representations_v<Class>,
      "needs save(), load() and state_bytes_max, or members that are plain integers "
      "without gaps");
  static_assert(!has_valid<Class> || has_save<Class> || !has_bool<Class>,
                "a member is a bool, and valid() can't check its saved bytes: use an integer, or "
                "leave valid() out");
  static_assert(has_set_up<Class> || about.players_min == about.players_max,
                "a number of players that can differ needs set_up() and players()");
  static_assert(std::is_nothrow_move_assignable_v<Class>);

  // Without save() and valid(), saved bytes end with their digest, so that damaged ones are found.
  static constexpr std::size_t digest_bytes = sizeof(std::uint64_t);
  static constexpr std::size_t state_bytes_max =
      has_save<Class> ? about.state_bytes_max
                      : sizeof(Class) + (has_valid<Class> ? 0 : digest_bytes);

  static Class& of(gamehub_match* m) { return *reinterpret_cast<Class*>(m); }
  static const Class& of(const gamehub_match* m) { return *reinterpret_cast<const Class*>(m); }
  static gamehub_match* handle(std::unique_ptr<Class> m) {
    return reinterpret_cast<gamehub_match*>(m.release());
  }

  // Returns the result of the call, or the fallback if it throws. `function` is its name in abi.h.
  template <class Result, class Call>
  static Result guarded(const char* function, Result fallback, Call call) noexcept {
    try {
      return call();
    } catch (...) {
      remember_exception(function);
      return fallback;
    }
  }

  template <class Call>
  static gamehub_reason reason_of(const char* function, Call call) noexcept {
    return guarded<gamehub_reason>(function, reasons::engine_failure, call);
  }

  // Returns the size of the output of the call.
  template <class Call>
  static std::size_t size_of(const char* function, char* out, std::size_t capacity,
                             Call call) noexcept {
    return guarded<std::size_t>(function, GAMEHUB_FAILED, [&] {
      writer w{out, capacity};
      call(w);
      return w.size();
    });
  }

  // A viewer that is not a seat of this match sees what spectators see.
  static int viewer_of(const gamehub_match* m, std::int32_t viewer) {
    return viewer >= 0 && viewer < players(m) ? viewer : spectator;
  }

  static std::string_view schema() {
    if constexpr (about.options_schema == nullptr)
      return {};
    else
      return about.options_schema;
  }

  static gamehub_match* create(const char* options, std::size_t size, std::int32_t players,
                               gamehub_reason* why) noexcept {
    return guarded<gamehub_match*>("create", nullptr, [&]() -> gamehub_match* {
      *why = reasons::engine_failure;
      const std::string_view text{options, size};
      const int seated = players == 0 ? about.players_min : players;
      auto m = std::make_unique<Class>();
      if (seated < about.players_min || seated > about.players_max) {
        *why = "wrong-number-of-players";
      } else if (const auto bad = options::first_fault(schema(), text).what;
                 bad != options::fault::none) {
        *why = options::word(bad);
      } else if constexpr (has_set_up<Class>) {
        *why = m->set_up(text, seated);
      } else {
        *why = nullptr;
      }
      return *why == nullptr ? handle(std::move(m)) : nullptr;
    });
  }

  static gamehub_match* clone(const gamehub_match* m) noexcept {
    return guarded<gamehub_match*>("clone", nullptr,
                                   [&] { return handle(std::make_unique<Class>(of(m))); });
  }

  static void destroy(gamehub_match* m) noexcept { delete &of(m); }

  static std::int32_t players(const gamehub_match* m) noexcept {
    if constexpr (has_set_up<Class>)
      return guarded<std::int32_t>("players", 0, [&] { return of(m).players(); });
    else
      return about.players_min;
  }

  static std::uint64_t to_move(const gamehub_match* m) noexcept { return of(m).to_move(); }

  static std::size_t list(const char* function, const gamehub_match* m, std::int32_t seat,
                          action_list out) noexcept {
    if (!holds(of(m).to_move(), seat)) return 0;
    return guarded<std::size_t>(function, GAMEHUB_FAILED, [&] {
      of(m).legal_actions(seat, out);
      return out.size();
    });
  }

  static std::size_t legal_actions(const gamehub_match* m, std::int32_t seat, std::int64_t* out,
                                   std::size_t capacity) noexcept {
    if (seat == chance) return chance_outcomes(m, out, nullptr, capacity);
    return list("legal_actions", m, seat, {out, nullptr, capacity});
  }

  static std::size_t chance_outcomes(const gamehub_match* m, std::int64_t* actions,
                                     std::uint32_t* weights, std::size_t capacity) noexcept {
    if constexpr (about.has_chance)
      return list("chance_outcomes", m, chance, {actions, weights, capacity});
    else
      return 0;
  }

  static gamehub_reason apply(gamehub_match* m, std::int32_t seat, std::int64_t a) noexcept {
    const seats may = of(m).to_move();
    if (may == 0) return reasons::game_over;
    if (!holds(may, seat)) return reasons::not_your_turn;
    if constexpr (noexcept(of(m).apply(seat, a))) {
      return of(m).apply(seat, a);
    } else {
      return reason_of("apply", [&] {
        Class next{of(m)};
        const reason why = next.apply(seat, a);
        if (why == nullptr) of(m) = std::move(next);
        return why;
      });
    }
  }

  static std::uint64_t audience(const gamehub_match* m, std::int32_t seat,
                                std::int64_t a) noexcept {
    if constexpr (has_audience<Class>)
      return guarded<std::uint64_t>("audience", 0, [&] { return of(m).audience(seat, a); });
    else
      return everyone;
  }

  static void scores(const gamehub_match* m, double* out) noexcept {
    const std::span<double> all{out, static_cast<std::size_t>(players(m))};
    std::fill(all.begin(), all.end(), 0.0);
    if (of(m).to_move() != 0) return;
    guarded<int>("scores", 0, [&] { return of(m).scores(all), 0; });
  }

  // Parses an action by its number. Another number is out of bounds.
  static reason number(std::string_view text, action& out) {
    json::reader r{text};
    json::value found;
    const bool is_value = !text.empty() && (text[0] == '-' || (text[0] >= '0' && text[0] <= '9'));
    if (!is_value || !r.any(found) || !r.at_end()) return reasons::malformed;
    const auto n = json::integer(found);
    if (!n || *n < 0 || *n >= about.actions_end) return reasons::out_of_bounds;
    out = *n;
    return nullptr;
  }

  static reason text_to_action(const Class& m, int seat, std::string_view text, action& out) {
    if constexpr (has_text<Class>)
      return m.from_text(seat, text, out);
    else
      return number(text, out);
  }

  static gamehub_reason action_from_text(const gamehub_match* m, std::int32_t seat,
                                         const char* text, std::size_t size,
                                         std::int64_t* out) noexcept {
    return reason_of("action_from_text", [&] {
      return text_to_action(of(m), seat, {text, size}, *out);
    });
  }

  static gamehub_reason action_from_json(const gamehub_match* m, std::int32_t seat,
                                         const char* text, std::size_t size,
                                         std::int64_t* out) noexcept {
    return reason_of("action_from_json", [&]() -> reason {
      if constexpr (has_json<Class>) {
        return of(m).from_json(seat, {text, size}, *out);
      } else {
        const auto found = json::member({text, size}, "action");
        if (!found) return reasons::malformed;
        auto spelled = found->spelled;
        if (has_text<Class> != (found->what == json::kind::string)) return reasons::malformed;
        if constexpr (has_text<Class>) spelled = spelled.substr(1, spelled.size() - 2);
        return text_to_action(of(m), seat, spelled, *out);
      }
    });
  }

  static std::size_t action_to_text(const gamehub_match* m, std::int64_t a, char* out,
                                    std::size_t capacity) noexcept {
    return size_of("action_to_text", out, capacity, [&](writer& w) {
      if constexpr (has_text<Class>)
        of(m).to_text(a, w);
      else
        w << a;
    });
  }

  static std::size_t action_to_json(const gamehub_match* m, std::int64_t a, char* out,
                                    std::size_t capacity) noexcept {
    return size_of("action_to_json", out, capacity, [&](writer& w) {
      if constexpr (has_json<Class>) {
        of(m).to_json(a, w);
      } else {
        constexpr std::string_view quote = has_text<Class> ? "\"" : "";
        w << R"({"type":"move","action":)" << quote;
        if constexpr (has_text<Class>)
          of(m).to_text(a, w);
        else
          w << a;
        w << quote << '}';
      }
    });
  }

  static std::size_t view_json(const gamehub_match* m, std::int32_t viewer, char* out,
                               std::size_t capacity) noexcept {
    return size_of("view_json", out, capacity,
                   [&](writer& w) { of(m).view(viewer_of(m, viewer), w); });
  }

  static std::array<char, digest_bytes> digest(std::string_view bytes) {
    return std::bit_cast<std::array<char, digest_bytes>>(hash_of(bytes));
  }

  static void write(const Class& m, writer& w) {
    if constexpr (has_save<Class>) {
      m.save(w);
    } else {
      const std::string_view bytes{reinterpret_cast<const char*>(&m), sizeof m};
      w << bytes;
      if constexpr (!has_valid<Class>) w << std::string_view{digest(bytes).data(), digest_bytes};
    }
  }

  static std::size_t save(const gamehub_match* m, char* out, std::size_t capacity) noexcept {
    return size_of("save", out, capacity, [&](writer& w) { write(of(m), w); });
  }

  static reason read(Class& m, std::string_view bytes) {
    if constexpr (has_save<Class>) {
      return m.load(bytes);
    } else {
      if (bytes.size() != state_bytes_max) return reasons::malformed;
      if constexpr (!has_valid<Class>) {
        const auto wanted = digest(bytes.substr(0, sizeof m));
        if (bytes.substr(sizeof m) != std::string_view{wanted.data(), digest_bytes})
          return reasons::malformed;
      }
      std::memcpy(&m, bytes.data(), sizeof m);
      if constexpr (has_valid<Class>)
        if (!m.valid()) return reasons::malformed;
      return nullptr;
    }
  }

  static gamehub_match* load(const char* bytes, std::size_t size, gamehub_reason* why) noexcept {
    return guarded<gamehub_match*>("load", nullptr, [&]() -> gamehub_match* {
      *why = reasons::engine_failure;
      auto m = std::make_unique<Class>();
      *why = read(*m, {bytes, size});
      return *why == nullptr ? handle(std::move(m)) : nullptr;
    });
  }

  static std::uint64_t hash(const gamehub_match* m) noexcept {
    return guarded<std::uint64_t>("hash", 0, [&] {
      if constexpr (!has_save<Class>) {
        const auto bytes = std::bit_cast<std::array<char, sizeof(Class)>>(of(m));
        return hash_of({bytes.data(), bytes.size()});
      } else {
        std::string bytes(about.state_bytes_max, '\0');
        writer w{bytes.data(), bytes.size()};
        write(of(m), w);
        return hash_of(std::string_view{bytes}.substr(0, w.size()));
      }
    });
  }

  static const void* extension(const char* id) noexcept;

  static constexpr gamehub_engine_abi table{
      .magic = GAMEHUB_ENGINE_MAGIC,
      .abi_major = GAMEHUB_ABI_MAJOR,
      .abi_minor = GAMEHUB_ABI_MINOR,
      .struct_size = sizeof(gamehub_engine_abi),
      .flags = (about.perfect_information ? GAMEHUB_PERFECT_INFORMATION : 0) |
               (about.simultaneous ? GAMEHUB_SIMULTANEOUS : 0) |
               (about.has_chance ? GAMEHUB_HAS_CHANCE : 0) |
               (about.no_takeback ? GAMEHUB_NO_TAKEBACK : 0),
      .id = about.id,
      .title = about.title,
      .options_schema = about.options_schema,
      .version_major = about.version.major,
      .version_minor = about.version.minor,
      .version_patch = about.version.patch,
      .reserved = 0,
      .players_min = about.players_min,
      .players_max = about.players_max,
      .actions_max = about.actions_max,
      .plies_max = about.plies_max,
      .state_bytes_max = state_bytes_max,
      .create = create,
      .clone = clone,
      .destroy = destroy,
      .players = players,
      .to_move = to_move,
      .legal_actions = legal_actions,
      .apply = apply,
      .chance_outcomes = chance_outcomes,
      .audience = audience,
      .scores = scores,
      .action_from_text = action_from_text,
      .action_from_json = action_from_json,
      .action_to_text = action_to_text,
      .action_to_json = action_to_json,
      .view_json = view_json,
      .save = save,
      .load = load,
      .hash = hash,
      .extension = extension,
  };
};

}  // namespace gamehub::engines

#pragma GCC visibility pop

#include "engines/abi_adapter_extensions.hpp"
