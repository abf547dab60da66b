#include "engines/process/process_match.hpp"

#include "engines/process/reply_validation.hpp"

#include <algorithm>
#include <bit>
#include <memory>
#include <utility>

namespace gamehub::engines::process {

namespace {

// Cached answers of one state, and how many of them are requested in advance for the next state.
constexpr std::size_t known_max = 256;
constexpr std::size_t usual_max = 16;
// Texts of actions that are asked in one request.
constexpr std::size_t related_max = 64;

// Maximum number of reasons of one engine.
constexpr std::size_t reasons_max = 256;

// True for queries that recur in every state, unlike parsing of client input.
bool is_usual(const query& q) {
  using kind = query::kind;
  return q.what == kind::glyphs || q.what == kind::view || q.what == kind::score ||
         q.what == kind::summary;
}

// The longest texts of a failure that are passed on.
constexpr std::size_t failure_bytes_max = 256, function_bytes_max = 32;

// The failure that a function of this thread reported by its result, until it is taken.
struct reported_failure {
  std::string function, what;
};
thread_local reported_failure last_reported;

// Reports a failure by the result of this function. A failure in another one, whose result the
// process needs for its reply, is thrown.
gamehub_reason fail(const char* function, const failure_text& told) {
  const auto failure = failure_of(told, reasons::engine_failure);
  if (!failure.function().empty() && failure.function() != function) throw failure;
  report_failure(function, failure);
  return reasons::engine_failure;
}

}  // namespace

host::engine_failure failure_of(const failure_text& told, const char* otherwise) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; };
  const auto named = told.function.size() <= function_bytes_max &&
                     std::all_of(told.function.begin(), told.function.end(), letter);
  return host::engine_failure{
      told.what.empty() ? otherwise : told.what.substr(0, failure_bytes_max),
      named ? told.function : std::string{}};
}

void report_failure(const char* function, const host::engine_failure& failure) {
  last_reported = {function, failure.what()};
}

std::size_t take_failure(const char* function, char* out, std::size_t capacity) {
  if (last_reported.function != function) return 0;
  const auto last = std::exchange(last_reported, {});
  std::copy_n(last.what.begin(), std::min(last.what.size(), capacity), out);
  return last.what.size();
}

reply exchange::send(std::uint64_t life, request asked, std::chrono::nanoseconds more) {
  {
    const std::lock_guard lock{mutex_};
    for (const auto& each : released_)
      if (each.life == life) asked.released.push_back(each.match);
    released_.clear();
  }
  auto said = decode_reply(channel_.ask(life, encode(asked), more));
  if (!said) reject_if(life, "says what means nothing");
  reject_if(life, validate(*said, asked));
  return *std::move(said);
}

void exchange::reject_if(std::uint64_t life, const std::string& wrong) {
  if (wrong.empty()) return;
  channel_.end(life, wrong);
  throw host::engine_failure{"the engine " + wrong};
}

void exchange::release(std::uint64_t life, std::uint64_t match) noexcept {
  try {
    const std::lock_guard lock{mutex_};
    if (life == channel_.life()) released_.push_back({life, match});
  } catch (...) {
    // Out of memory: the process keeps the match.
  }
}

gamehub_reason exchange::keep(std::uint64_t life, const std::string& word) {
  const std::lock_guard lock{mutex_};
  auto at = reasons_.find(word);
  if (at == reasons_.end()) {
    if (reasons_.size() >= reasons_max) {
      channel_.end(life, "has ever new reasons");
      return reasons::engine_failure;
    }
    at = reasons_.insert(word).first;
  }
  return at->c_str();
}

process_match::process_match(exchange& owner, std::string options, std::int32_t players)
    : process_match(owner) {
  plan_ = plan{std::move(options), players};
}

process_match* process_match::make(exchange& owner, request how, gamehub_reason& why) {
  auto made = std::unique_ptr<process_match>{new process_match{owner}};
  const char* const function = how.what == request::kind::create ? "create"
                               : how.what == request::kind::load ? "load"
                                                                 : "clone";
  made->life_ = owner.life();
  made->id_ = owner.next_match();
  how.match = made->id_;
  auto said = owner.send(made->life_, std::move(how));
  if (said.failed)
    why = fail(function, said.failure);
  else if (!said.reason.empty())
    why = owner.keep(made->life_, said.reason);
  else
    made->take(said, {});
  return made->state_ ? made.release() : nullptr;
}

process_match* process_match::clone() {
  now();
  if (life_ != exchange_.life()) throw host::engine_failure{"the engine's process was restarted"};
  request how;
  how.what = request::kind::clone;
  how.number = static_cast<std::int64_t>(id_);
  gamehub_reason why = nullptr;
  return make(exchange_, std::move(how), why);
}

process_match::~process_match() {
  exchange_.count_match(false);
  drop_prepared();
  if (state_) exchange_.release(life_, id_);
}

void process_match::begin() {
  if (!plan_) throw host::engine_failure{"the engine failed to begin"};
  const auto with = *std::exchange(plan_, std::nullopt);
  life_ = exchange_.life();
  id_ = exchange_.next_match();
  request how;
  how.what = request::kind::create;
  how.match = id_;
  how.number = with.players;
  how.text = with.options;
  auto said = exchange_.send(life_, how);
  if (said.failed) throw failure_of(said.failure, "the engine failed to begin");
  if (!said.reason.empty())
    throw host::engine_failure{"the engine refuses to begin: " + said.reason};
  take(said, {});
}

const state_summary& process_match::now() {
  if (!state_) begin();
  return *state_;
}

void process_match::take(reply& said, std::vector<query> asked) {
  exchange_.reject_if(
      life_, validate(*said.state, exchange_.engine_description(), state_ ? &*state_ : nullptr));
  state_ = std::move(said.state);
  cached_.clear();
  for (std::size_t i = 0; i < asked.size(); ++i) {
    exchange_.reject_if(
        life_, validate(said.answers[i], asked[i], *state_, exchange_.engine_description()));
    cached_.push_back({std::move(asked[i]), std::move(said.answers[i]), false});
  }
}

// Returns the queries about this state, which probably recur for the next one.
std::vector<query> process_match::usual_queries() const {
  std::vector<query> out;
  for (const auto& each : cached_)
    if (each.used && is_usual(each.what) && out.size() < usual_max) out.push_back(each.what);
  // Each seat asks in its own turns.
  for (auto rest = listing_; rest != 0 && out.size() < usual_max; rest &= rest - 1) {
    query q;
    q.what = query::kind::legal_actions;
    q.seat = std::countr_zero(rest);
    out.push_back(std::move(q));
  }
  return out;
}

// Clients list the actions of a seat: the text of one is asked with those of the ones after it.
std::vector<query> process_match::with_related(const query& q) const {
  std::vector<query> out{q};
  if (q.what != query::kind::to_json) return out;
  for (const auto& each : cached_) {
    const auto& all = each.answer.actions;
    auto at = std::find(all.begin(), all.end(), q.number);
    if (at == all.end()) continue;
    for (++at; at != all.end() && out.size() < related_max; ++at) out.emplace_back(q).number = *at;
    break;
  }
  return out;
}

bool process_match::may_play(const query& q) const {
  return exchange_.engine_description().protocol_minor >= minor_with_play && is_move(q) &&
         holds(state_->to_move, q.seat);
}

// Reads a move and prepares the state after it. Returns nothing if the engine failed: then the two
// steps, one by one, say where.
std::optional<query_result> process_match::play(const query& q) {
  prepared_move next{exchange_.next_match(), q.seat, 0, {}, usual_queries()};
  request how;
  how.what = request::kind::play;
  how.match = id_;
  how.number = static_cast<std::int64_t>(next.id);
  how.queries = next.asked;
  how.queries.insert(how.queries.begin(), q);
  try {
    next.then = exchange_.send(life_, std::move(how));
  } catch (const host::engine_failure& failure) {
    // Whether the process has read the move or was applying it is not known.
    throw host::engine_failure{failure.what(), "play"};
  }
  auto& answers = next.then.answers;
  if (next.then.failed) {
    exchange_.release(life_, next.id);
    return std::nullopt;
  }
  auto found = std::move(answers.front());
  answers.erase(answers.begin());
  drop_prepared();
  next.what = found.number;
  if (next.then.state) prepared_ = std::move(next);
  return found;
}

void process_match::drop_prepared() {
  if (prepared_) exchange_.release(life_, prepared_->id);
  prepared_.reset();
}

gamehub_reason process_match::apply(std::int32_t seat, action a) {
  now();
  if (prepared_ && prepared_->seat == seat && prepared_->what == a) {
    auto next = *std::exchange(prepared_, std::nullopt);
    exchange_.release(life_, std::exchange(id_, next.id));
    take(next.then, std::move(next.asked));
    return nullptr;
  }
  drop_prepared();
  request how;
  how.what = request::kind::apply;
  how.match = id_;
  how.seat = seat;
  how.number = a;
  how.queries = usual_queries();
  auto asked = how.queries;
  auto said = exchange_.send(life_, std::move(how));
  if (said.failed) return fail("apply", said.failure);
  if (!said.reason.empty()) return exchange_.keep(life_, said.reason);
  take(said, std::move(asked));
  return nullptr;
}

const query_result& process_match::ask(query q, std::chrono::nanoseconds more) {
  now();
  if (q.what == query::kind::legal_actions && q.seat >= 0 && q.seat < state_->players)
    listing_ |= only(q.seat);
  const auto find = [&] {
    return std::find_if(cached_.begin(), cached_.end(),
                        [&](const cached_answer& k) { return k.what == q; });
  };
  auto at = find();
  if (at == cached_.end()) {
    std::optional<query_result> played;
    if (may_play(q)) played = play(q);
    if (played) {
      add_to_cache(q, *std::move(played));
    } else {
      request how;
      how.match = id_;
      how.queries = with_related(q);
      auto asked = how.queries;
      auto said = exchange_.send(life_, std::move(how), more);
      if (said.failed) throw host::engine_failure{"the engine lost a match"};
      for (std::size_t i = asked.size(); i-- > 0;)
        add_to_cache(std::move(asked[i]), std::move(said.answers[i]));
    }
    at = find();
  }
  at->used = true;
  if (at->answer.failed) throw failure_of(at->answer.failure, "the engine failed to answer");
  return at->answer;
}

void process_match::add_to_cache(query q, query_result answer) {
  exchange_.reject_if(life_, validate(answer, q, *state_, exchange_.engine_description()));
  if (cached_.size() >= known_max) cached_.clear();
  cached_.push_back({std::move(q), std::move(answer), false});
}

gamehub_reason process_match::reason_of(const query_result& a) {
  return a.reason.empty() ? nullptr : exchange_.keep(life_, a.reason);
}

seats process_match::audience(std::int32_t seat, action a) {
  using kind = query::kind;
  // The audience arrived with the action.
  for (const auto& each : cached_)
    if (each.what.seat == seat && !each.answer.failed && each.answer.reason.empty() &&
        each.answer.number == a &&
        (each.what.what == kind::from_text || each.what.what == kind::from_json ||
         each.what.what == kind::at_cell) &&
        holds(state_->to_move, seat))
      return each.answer.audience;
  query q;
  q.what = kind::audience;
  q.seat = seat;
  q.number = a;
  return ask(std::move(q)).audience;
}

}  // namespace gamehub::engines::process
