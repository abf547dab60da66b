#include "engines/host/observation.hpp"

#include <algorithm>
#include <bit>
#include <string_view>
#include <utility>
#include <variant>

namespace gamehub::engines::host {

namespace {

// Changes without progress after which an attempt begins again.
constexpr std::size_t changes_max = 200;

// The next match differs from the one before it in an eighth of the hidden actions, and in this
// number of them if that is more.
constexpr std::size_t varied_min = 4;

// Of these changes one is at random, so that a wrong idea of the cause does not last.
constexpr std::size_t random_change_every = 4;

// FNV-1a.
constexpr std::uint64_t digest_begin = 0xcbf29ce484222325;
void add(std::uint64_t& digest, std::string_view bytes) {
  for (const char c : bytes) digest = (digest ^ static_cast<unsigned char>(c)) * 0x100000001b3;
}
void add(std::uint64_t& digest, std::uint64_t number) {
  for (int i = 0; i < 64; i += 8) digest = (digest ^ (number >> i & 0xff)) * 0x100000001b3;
}

match begin(const engine& rules, const std::string& options, int players) {
  auto made = rules.create(options, players);
  if (auto* m = std::get_if<match>(&made)) return std::move(*m);
  throw engine_failure{"the engine refuses options that it took: " + std::get<std::string>(made),
                       "create"};
}

// Applies an action. Returns false if the engine refuses it.
bool accepts(match& m, int seat, action a) {
  const char* why = m.apply(seat, a);
  if (why != nullptr && std::string_view{why} == reasons::engine_failure) throw m.failure("apply");
  return why == nullptr;
}

}  // namespace

std::uint64_t digest_of_view(const match& m, int seat) {
  auto digest = digest_begin;
  std::string text;
  m.view_json(seat, text);
  add(digest, text);
  m.glyphs(seat, text);
  add(digest, text);
  const auto moving = m.to_move();
  add(digest, moving);
  if (!holds(moving, seat)) return digest;
  std::vector<action> legal;
  m.legal_actions(seat, legal);
  for (const auto a : legal) add(digest, static_cast<std::uint64_t>(a));
  return digest;
}

observation observe(const engine& rules, const played_game& game, int seat) {
  observation out{rules, game.options, game.players, seat, {}, {}};
  match m = begin(rules, game.options, game.players);
  // How many events end no later than before a choice that the seat does not wait for.
  std::size_t kept = 0;
  for (const auto& [mover, what] : game.plies) {
    const bool hidden = mover != seat && (m.audience(mover, what) & only(seat)) == 0;
    const bool waits = !hidden || mover == chance || !holds(m.to_move(), seat);
    if (!accepts(m, mover, what))
      throw engine_failure{"the engine refuses what was played", "apply"};
    out.events.push_back({mover, hidden, hidden ? 0 : what, digest_of_view(m, seat)});
    if (waits) kept = out.events.size();
  }
  out.events.resize(kept);
  m.legal_actions(seat, out.legal);
  return out;
}

sampler::sampler(const observation& of, std::uint64_t seed) : of_(of), dice_(seed) {
  for (std::size_t i = 0; i < of_.events.size(); ++i)
    if (of_.events[i].hidden) unknown_.push_back({i});
  latest_ = unknown_;
}

void sampler::vary_latest() {
  guesses_ = latest_;
  for (auto& g : guesses_)
    if (dice_.below(guesses_.size()) < std::max(varied_min, guesses_.size() / 8)) g.what.reset();
}

std::optional<match> sampler::find(std::size_t plies) {
  const auto end = applied_ + plies;
  do {
    if (!best_) {
      vary_latest();
    } else if (changes_ >= changes_max) {
      best_.reset();
      guesses_ = unknown_;
    } else {
      guesses_ = before_;
      change_one(*best_);
    }
    auto now = replay();
    ++changes_;
    if (now.found) {
      best_.reset();
      latest_ = guesses_;
      return std::move(now.found);
    }
    if (best_ && now.failed_at < best_->failed_at) continue;
    if (!best_ || now.failed_at > best_->failed_at) changes_ = 0;
    best_ = std::move(now);
    before_ = guesses_;
  } while (applied_ < end);
  return std::nullopt;
}

sampler::outcome sampler::replay() {
  match m = begin(of_.rules, of_.options, of_.players);
  ++applied_;
  auto next = guesses_.begin();
  for (std::size_t i = 0; i < of_.events.size(); ++i, ++applied_) {
    const auto& e = of_.events[i];
    if (!holds(m.to_move(), e.mover)) return {i, true};
    if (e.hidden) {
      if (!apply_guess(m, e.mover, *next++)) return {i, true};
    } else {
      const bool is_shown =
          e.mover == of_.seat || (m.audience(e.mover, e.what) & only(of_.seat)) != 0;
      if (!accepts(m, e.mover, e.what) || !is_shown) return {i, true};
    }
    if (digest_of_view(m, of_.seat) != e.view) return {i, false};
  }
  return {of_.events.size(), false, std::move(m)};
}

bool sampler::apply_guess(match& m, int mover, guess& g) {
  std::vector<action> legal;
  if (mover == chance)
    legal = chance_.read(m);
  else
    m.legal_actions(mover, legal);
  if (legal.empty()) return false;
  if (!g.what || !std::binary_search(legal.begin(), legal.end(), *g.what))
    g.what = mover == chance ? chance_.draw(m, dice_) : dice_.one_of(legal);
  g.known_to = m.audience(mover, *g.what) | (mover == chance ? 0 : only(mover));
  return (g.known_to & only(of_.seat)) == 0 && accepts(m, mover, *g.what);
}

bool sampler::is_used(const guess& g, int mover, std::size_t before) const {
  for (auto i = g.at + 1; i < before; ++i) {
    const auto& e = of_.events[i];
    if (e.mover == mover && !e.hidden && e.what == g.what) return true;
  }
  return false;
}

std::vector<std::size_t> sampler::known_to_mover(std::size_t event) const {
  std::vector<std::size_t> out;
  const int mover = of_.events[event].mover;
  if (mover == chance) return out;
  for (std::size_t i = 0; i < guesses_.size() && guesses_[i].at < event; ++i)
    if (holds(guesses_[i].known_to, mover) && !is_used(guesses_[i], mover, event)) out.push_back(i);
  return out;
}

// A refused action that the seat knows: the mover does not have it, or may not take it for what it
// has, or it was drawn before. Returns false if no guess can be the cause.
bool sampler::repair(std::size_t failed_at) {
  const auto& e = of_.events[failed_at];
  const auto same = std::find_if(guesses_.begin(), guesses_.end(), [&](const guess& g) {
    return g.at < failed_at && g.what == e.what && !is_used(g, e.mover, failed_at);
  });
  const auto own = known_to_mover(failed_at);
  if (own.empty()) {
    if (same == guesses_.end()) return false;
    same->what.reset();
    return true;
  }
  auto& changed = guesses_[dice_.one_of(own)];
  if (same == guesses_.end() || !holds(same->known_to, e.mover)) {
    if (same != guesses_.end()) same->what = changed.what;
    changed.what = e.what;
  } else if (&changed != &*same) {
    changed.what.reset();
  }
  return true;
}

void sampler::change_one(const outcome& failure) {
  const auto last = std::find_if(guesses_.begin(), guesses_.end(),
                                 [&](const guess& g) { return g.at > failure.failed_at; });
  const auto count = static_cast<std::size_t>(last - guesses_.begin());
  // What comes after the failure was not tried.
  for (auto at = last; at != guesses_.end(); ++at) at->what.reset();
  if (count == 0) return;
  const bool is_known =
      failure.failed_at < of_.events.size() && !of_.events[failure.failed_at].hidden;
  if (failure.was_refused && is_known && dice_.below(random_change_every) != 0 &&
      repair(failure.failed_at))
    return;
  // Half of the time the latest, which a view shows soonest.
  redraw(dice_.below(2) == 0 ? count - 1 : dice_.below(count));
}

}  // namespace gamehub::engines::host
