#include "hub/admin/journal_verify.hpp"

#include "actors/table/replay.hpp"
#include "hub/base/json.hpp"
#include "hub/base/text.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>
#include <variant>

namespace gamehub::admin {
namespace {

using journal::archived_game;
using journal::record;

constexpr std::uint64_t games_between_progress = 1'024;

class verifier {
 public:
  verifier(std::span<const game_id> asked, const engines::host::registry& engines,
           const std::function<void(const difference&)>& found,
           const std::function<void(std::uint64_t)>& progress)
      : asked_(asked), engines_(engines), found_(found), progress_(progress) {
    result_.missing.assign(asked.begin(), asked.end());
  }

  void look_at(const archived_game& game) {
    if (!asked_.empty()) std::erase(result_.missing, game.header.id);
    if (++looked_at_ % games_between_progress == 0) progress_(looked_at_);
    if (game.damage) report({game.header.id, game.records.size() + 1, *game.damage});
    if (game.state == journal::game_state::quarantined && asked_.empty()) {
      ++result_.in_quarantine;
      return;
    }
    const auto* engine = engine_of(game.header);
    if (engine == nullptr)
      ++result_.skipped[game.header.engine + ' ' + game.header.engine_version];
    else
      play(*engine, game);
  }

  void report(const difference& what) {
    ++result_.differences;
    found_(what);
  }

  verification result() { return std::move(result_); }

 private:
  // Most logs were played with the engine of the log before.
  const engines::host::engine* engine_of(const journal::game_header& header) {
    if (id_ != header.engine || version_ != header.engine_version) {
      engine_ = engines_.find(header.engine, header.engine_version);
      id_ = header.engine;
      version_ = header.engine_version;
    }
    return engine_ ? &*engine_ : nullptr;
  }

  void play(const engines::host::engine& engine, const archived_game& game) {
    ++result_.games;
    result_.records += game.records.size();
    result_.moves += static_cast<std::uint64_t>(
        std::count_if(game.records.begin(), game.records.end(),
                      [](const record& each) { return each.what == record::kind::moved; }));
    // What damage cut off is missed by the rules, too: that is said already.
    const auto played = actors::table::replay(engine, game.header, game.records);
    const auto* fault = std::get_if<actors::table::replay_fault>(&played);
    if (fault != nullptr && !game.damage) report({game.header.id, fault->at, fault->what});
  }

  const std::span<const game_id> asked_;
  const engines::host::registry& engines_;
  const std::function<void(const difference&)>& found_;
  const std::function<void(std::uint64_t)>& progress_;
  verification result_;
  std::uint64_t looked_at_ = 0;
  std::string id_, version_;
  std::optional<engines::host::engine> engine_;
};

double rate(const verification& v, std::chrono::duration<double> time) {
  return time.count() > 0 ? static_cast<double>(v.moves) / time.count() : 0;
}

}  // namespace

std::string in_words(const difference& d) {
  if (!d.game) return "journal: " + d.what;
  auto out = "game " + std::to_string(d.game.value);
  if (d.record != 0) out += ", record " + std::to_string(d.record);
  return out + ": " + d.what;
}

verification verify(journal::archive& from, std::span<const game_id> asked,
                    const engines::host::registry& engines,
                    const std::function<void(const difference&)>& found,
                    const std::function<void(std::uint64_t)>& progress) {
  verifier v{asked, engines, found, progress};
  try {
    // The file as a whole is looked at where all of it is asked for.
    if (asked.empty())
      if (auto damage = from.damage()) v.report({{}, 0, *damage});
    from.for_each(asked, [&](archived_game& game) {
      v.look_at(game);
      return true;
    });
  } catch (const journal::unusable_file& unreadable) {
    v.report({{}, 0, unreadable.what()});
  }
  return v.result();
}

std::string summary_text(const verification& v, std::chrono::duration<double> time) {
  char seconds[64];
  std::snprintf(seconds, sizeof seconds, "%.1f", time.count());
  std::string out;
  for (const auto& [engine, games] : v.skipped)
    out += "skipped " + base::counted(games, "game") + " of " + engine +
           ": this program has no such version of the engine\n";
  if (v.in_quarantine > 0)
    out += "passed over " + base::counted(v.in_quarantine, "game") +
           " in quarantine: name one by its number to play it\n";
  return out + "verified " + base::counted(v.games, "game") + ", " +
         base::counted(v.records, "record") + ", " + base::counted(v.moves, "move") + " in " +
         seconds + " s (" + base::grouped(static_cast<std::uint64_t>(rate(v, time))) +
         " moves/s): " +
         (v.differences == 0 ? "all is well" : base::counted(v.differences, "difference")) + '\n';
}

std::string summary_json(const verification& v, std::chrono::duration<double> time,
                         std::span<const difference> shown) {
  std::string out;
  base::json_writer to{out};
  to.begin('{');
  to.key("games").number(v.games);
  to.key("records").number(v.records);
  to.key("moves").number(v.moves);
  to.key("seconds").number(time.count());
  to.key("moves_per_second").number(std::round(rate(v, time)));
  to.key("in_quarantine").number(v.in_quarantine);
  to.key("skipped").begin('[');
  for (const auto& [engine, games] : v.skipped) {
    to.begin('{');
    to.key("engine").text(engine);
    to.key("games").number(games);
    to.end('}');
  }
  to.end(']');
  to.key("differences").number(v.differences);
  to.key("found").begin('[');
  for (const auto& each : shown) {
    to.begin('{');
    to.key("game");
    each.game ? to.number(each.game.value) : to.nothing();
    to.key("record");
    each.record != 0 ? to.number(each.record) : to.nothing();
    to.key("what").text(each.what);
    to.end('}');
  }
  to.end(']');
  to.end('}');
  return out + '\n';
}

}  // namespace gamehub::admin
