#include "actors/table/replay.hpp"

#include "actors/table/engine_output.hpp"
#include "actors/table/substitutes.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace gamehub::actors::table {

using journal::record;

namespace {

// Applies the records in order and returns a description of the first invalid one.
class replayer {
 public:
  replayer(const engines::host::engine& rules, const journal::game_header& header,
           std::span<const record> log, engines::host::match& m)
      : rules_(rules),
        header_(header),
        log_(log),
        match_(m),
        substitutes_(substitutes::at_start(log)) {}

  std::optional<std::string> take(const record& r) {
    if (r.number != ++last_) return "is numbered " + std::to_string(r.number);
    if (ended_) return "comes after the end";
    if (left_ && r.what != record::kind::ended) return "comes between a leaving and the end";
    if ((r.what == record::kind::opened) != (r.number == 1))
      return r.number == 1 ? "is not the opening" : "opens the game again";
    switch (r.what) {
      case record::kind::opened: return check_state(r);
      case record::kind::joined: return take_joined(r);
      case record::kind::moved: return take_action(r, r.seat);
      case record::kind::drawn: return take_action(r, engines::chance);
      case record::kind::ended: return take_end(r);
      case record::kind::said: return take_player(r);
      case record::kind::left: left_ = true; return take_player(r);
      case record::kind::offered:
      case record::kind::accepted:
      case record::kind::declined:
      case record::kind::withdrawn: return take_offer(r);
      case record::kind::taken_back: return take_back(r);
      case record::kind::substituted:
      case record::kind::returned:
        if (auto wrong = take_player(r)) return wrong;
        if (substitutes_.follow(r)) return std::nullopt;
        return "changes who plays a seat that can't be changed";
    }
    return "is of no known kind";
  }

  // Returns what is missing at the end of the log.
  std::optional<std::string> finish() const {
    if (last_ == 0) return "the log is empty";
    if (joined_ != match_.players()) return "not every seat is taken";
    if (!ended_ && (left_ || match_.over())) return "the end is missing";
    if (!ended_ && match_.at_chance()) return "a draw is missing";
    if (!ended_ && (match_.to_move() & ~(engines::only(match_.players()) - 1)) != 0)
      return "it is the turn of a seat that is not there";
    return std::nullopt;
  }

 private:
  std::optional<std::string> check_state(const record& r) const {
    if (match_.hash() == r.state) return std::nullopt;
    return "leads to another state than the one that was logged";
  }

  std::optional<std::string> take_joined(const record& r) {
    // The player at the seat has another name.
    if (joined_ == match_.players() && r.seat >= 0 && r.seat < joined_) return std::nullopt;
    if (r.seat != joined_ || joined_ >= match_.players()) return "takes a seat that is not free";
    ++joined_;
    return std::nullopt;
  }

  std::optional<std::string> take_action(const record& r, int seat) {
    const auto* why = match_.apply(seat, r.action);
    if (why != nullptr && std::string_view{why} == engines::reasons::engine_failure)
      throw match_.failure("apply");
    if (why != nullptr) return "is refused by the engine: " + std::string{why};
    return check_state(r);
  }

  std::optional<std::string> take_player(const record& r) const {
    if (r.seat < 0 || r.seat >= joined_) return "is by somebody who does not play";
    return std::nullopt;
  }

  std::optional<std::string> take_offer(const record& r) const {
    const auto what = static_cast<offer_kind>(r.action);
    if (what != offer_kind::draw && what != offer_kind::takeback) return "offers no known thing";
    return take_player(r);
  }

  std::optional<std::string> take_back(const record& r) {
    const auto before = log_.first(static_cast<std::size_t>(r.number - 1));
    const auto from = latest_move_of(before, r.seat);
    if (from == 0 || from != static_cast<journal::record_number>(r.action))
      return "takes back what is not the latest move of its seat";
    match_ = match_before(rules_, header_.options, before, from);
    return check_state(r);
  }

  std::optional<std::string> take_end(const record& r) {
    ended_ = true;
    if (left_ && r.why != end_reason::left) return "gives another reason than the leaving before";
    if (r.seat < -1 || r.seat >= match_.players()) return "has a winner that does not play";
    if (r.why == end_reason::agreed && r.seat != -1) return "has a winner of an agreed draw";
    if (r.why != end_reason::rules) return std::nullopt;
    if (!match_.over()) return "ends a game that is not over by its rules";
    auto how = outcome_by_rules(match_);
    substitutes_.settle(how);
    if (how.winner.value_or(-1) != r.seat) return "names another winner than the rules do";
    return std::nullopt;
  }

  const engines::host::engine& rules_;
  const journal::game_header& header_;
  std::span<const record> log_;
  engines::host::match& match_;
  substitutes substitutes_;
  journal::record_number last_ = 0;
  int joined_ = 0;
  bool ended_ = false, left_ = false;
};

}  // namespace

bool shows_player(const record& r) {
  return r.seat >= 0 && r.what != record::kind::ended && r.what != record::kind::withdrawn &&
         r.what != record::kind::taken_back;
}

std::vector<const record*> actions_of(std::span<const record> log) {
  std::vector<const record*> out;
  for (const auto& r : log) {
    if (r.what == record::kind::moved || r.what == record::kind::drawn) out.push_back(&r);
    if (r.what != record::kind::taken_back) continue;
    const auto from = static_cast<journal::record_number>(r.action);
    while (!out.empty() && out.back()->number >= from) out.pop_back();
  }
  return out;
}

journal::record_number latest_move_of(std::span<const record> log, seat_index seat) {
  const auto actions = actions_of(log);
  const auto at = std::find_if(actions.rbegin(), actions.rend(), [seat](const record* r) {
    return r->what == record::kind::moved && r->seat == seat;
  });
  return at == actions.rend() ? 0 : (*at)->number;
}

engines::host::match match_before(const engines::host::engine& rules, const std::string& options,
                                  std::span<const record> log, journal::record_number before) {
  auto created = rules.create(options);
  if (const auto* why = std::get_if<std::string>(&created)) {
    if (*why == engines::reasons::engine_failure) throw rules.failure("create");
    throw engines::host::engine_failure{"the engine refuses its options: " + *why, "create"};
  }
  auto& match = std::get<engines::host::match>(created);
  for (const auto* r : actions_of(log)) {
    if (r->number >= before) break;
    const auto seat = r->what == record::kind::drawn ? engines::chance : int{r->seat};
    const auto* why = match.apply(seat, r->action);
    if (why != nullptr && std::string_view{why} == engines::reasons::engine_failure)
      throw match.failure("apply");
    if (why != nullptr)
      throw engines::host::engine_failure{"the engine refuses what was logged", "apply"};
  }
  return std::move(match);
}

std::variant<engines::host::match, replay_fault> replay(const engines::host::engine& rules,
                                                        const journal::game_header& header,
                                                        std::span<const record> log) {
  journal::record_number at = 0;
  try {
    auto created = rules.create(header.options);
    if (auto* why = std::get_if<std::string>(&created)) {
      if (*why == engines::reasons::engine_failure) throw rules.failure("create");
      return replay_fault{0, "the engine refuses its options: " + *why, {}};
    }
    auto& match = std::get<engines::host::match>(created);
    replayer step{rules, header, log, match};
    for (const auto& r : log) {
      at = r.number;
      if (auto wrong = step.take(r)) return replay_fault{at, *std::move(wrong), {}};
    }
    if (auto wrong = step.finish()) return replay_fault{at, *std::move(wrong), {}};
    return std::move(match);
  } catch (const engines::host::engine_failure& failed) {
    return replay_fault{at, std::string{"the engine failed: "} + failed.what(), failed};
  }
}

}  // namespace gamehub::actors::table
