#include "gateways/http/update_stream.hpp"

#include "gateways/http/http_player.hpp"
#include "gateways/http/loop_service.hpp"
#include "hub/base/time.hpp"

#include <boost/asio/post.hpp>

#include <algorithm>
#include <chrono>
#include <utility>
#include <variant>

namespace gamehub::gateways::http {

using std::chrono::steady_clock;

update_stream::update_stream(loop_service& at, std::shared_ptr<stream_output> to, game_id game,
                             const read_request& request, limits::seconds error_pause)
    : service_(at),
      output_(std::move(to)),
      game_(game),
      request_(request),
      error_pause_(error_pause),
      last_number_(request.after) {}

update_stream::~update_stream() = default;

void update_stream::start(std::shared_ptr<http_player> as, std::optional<seat_index> seat,
                          std::vector<offer_update> offers) {
  if (state_ != state::done) {
    player_ = std::move(as);
    seat_ = seat;
    if (!player_) request_.offers = false;
    offers_ = std::move(offers);
    service_.add_stream(*this);
    auto& games = service_.games();
    watch_ = hub_ && !player_
                 ? games.watch_elsewhere(*hub_, game_, request_.after, shared_from_this())
                 : games.watch(game_, request_.after, seat_, shared_from_this());
    return;
  }
  // The stream has ended, but the player has counted it.
  if (!as) return;
  boost::asio::post(as->service().loop().io(),
                    [as, offers = request_.offers] { as->on_stream_closed(offers); });
}

void update_stream::stop() {
  if (std::exchange(state_, state::done) == state::done) return;
  const auto self = shared_from_this();
  watch_.reset();
  service_.remove_stream(*this);
  output_.reset();
  if (const auto who = std::exchange(player_, nullptr)) {
    if (&who->service() == &service_)
      who->on_stream_closed(request_.offers);
    else
      boost::asio::post(who->service().loop().io(),
                        [who, offers = request_.offers] { who->on_stream_closed(offers); });
  }
  if (!guest_.empty()) service_.remove_listed_guest(game_, std::exchange(guest_, {}));
}

void update_stream::list_guest() {
  if (player_ || !guest_.empty()) return;
  const auto& players = about_ ? about_->players : std::vector<std::string>{};
  if (auto name = service_.add_listed_guest(game_, players)) {
    guest_ = *std::move(name);
    service_.publish_guest_change(game_, game_update::kind::joined, guest_);
  }
}

void update_stream::on_guest_change(game_update u) {
  if (state_ != state::streaming) return;
  u.number = last_number_;
  send_live(to_line(u));
}

void update_stream::send_live(const std::string& line) {
  output_->send_chunk({reads_events() ? to_event(last_number_, line) : line});
}

void update_stream::on_found(const game_progress& p) {
  output_->charge_requests(extra_requests_of(p));
  if (p.game && p.game->closed && !player_) return fail_unknown();
  found_ = true;
  waits_ = p.status == game_status::waiting;
  about_ = p.game;
  const auto at = position_of(request_, {p.last, p.status == game_status::ended});
  if (const auto* wrong = std::get_if<error>(&at)) return fail(*wrong);
  if (const auto* empty = std::get_if<answer_empty>(&at)) return answer(empty->status, {});
  if (std::holds_alternative<stream_from>(at)) {
    state_ = state::streaming;
    output_->begin_stream(reads_events() ? event_content_type : line_content_type);
    // The hub that has the client can't be told: that ended the stream.
    if (state_ == state::streaming) list_guest();
    return;
  }
  state_ = state::polling;
  const auto* wait = std::get_if<wait_for>(&at);
  if (wait == nullptr) return;
  waits_after_end_ = p.status == game_status::ended;
  output_->set_poll_timeout(wait->at_most);
}

void update_stream::send_update(const update_ref& u, const present_ref& present) {
  if (u->number <= last_number_) return;
  waits_ = false;
  const bool as_event = state_ == state::streaming && reads_events();
  std::string own;
  if (seat_) own = to_line(*u, {present.get(), steady_clock::now()});
  if (seat_ && as_event) own = to_event(u->number, own);
  const auto& text = seat_ ? own : service_.text_of(u, present, as_event);
  if (state_ == state::polling) return answer(200, text);
  if (state_ != state::streaming) return;
  about_ = u->game;
  last_number_ = u->number;
  known_.clock = present ? present->clock : game_clock{};
  if (has_actions(*u)) {
    known_.current = present != nullptr;
    known_.actions = present ? present->actions : nullptr;
  }
  output_->send_chunk({text});
}

void update_stream::on_players(const std::shared_ptr<const game_metadata>& game) {
  about_ = game;
  if (state_ == state::streaming)
    send_live(to_players_line({last_number_, base::wall_now(), steady_clock::now()}, *game));
}

// An own stream begins with a `state`: the updates before it may be chat, or missing.
void update_stream::on_present(const present_ref& present, const position_ref& latest) {
  if (state_ != state::streaming) return;
  const live_stamp stamp{last_number_, base::wall_now(), steady_clock::now()};
  send_absences(present->away, stamp);
  const bool same_actions =
      known_.actions == present->actions ||
      (known_.actions && present->actions && *known_.actions == *present->actions);
  const bool told = !seat_ || (known_.stated && known_.current && same_actions);
  if (told && shows_same(known_.clock, present->clock)) return;
  known_.stated = known_.current = true;
  known_.clock = present->clock;
  known_.actions = present->actions;
  const std::string_view of_engine = about_ ? std::string_view{about_->marks} : std::string_view{};
  send_live(to_state_line(stamp, *present, latest, of_engine, seat_.has_value()));
}

void update_stream::send_absences(const std::vector<absence>& now_away, const live_stamp& stamp) {
  const auto was_away = std::exchange(known_.away, now_away);
  const auto find = [](const std::vector<absence>& in, seat_index seat) {
    return std::find_if(in.begin(), in.end(), [seat](const absence& a) { return a.seat == seat; });
  };
  for (const auto& each : was_away)
    if (find(now_away, each.seat) == now_away.end())
      send_live(to_back_line(stamp, *about_, each.seat));
  for (const auto& each : now_away)
    if (const auto at = find(was_away, each.seat); at == was_away.end() || *at != each)
      send_live(to_away_line(stamp, *about_, each));
}

// A poll after the end waits for its timeout.
void update_stream::on_end() {
  if (request_.offers && !offers_over_ && state_ == state::streaming && !service_.stopping())
    return begin_offers();
  if (!waits_after_end_) finish();
}

void update_stream::begin_offers() {
  offers_until_ = steady_clock::now() + limits::http_offers_for;
  const auto self = shared_from_this();
  for (const auto& each : std::exchange(offers_, {})) send_offer(each);
}

void update_stream::on_offer(const http_player& to, const std::optional<offer_update>& what) {
  if (player_.get() != &to || !request_.offers || state_ == state::done) return;
  if (!what) {
    offers_over_ = true;
    return offers_until_ ? finish() : void();
  }
  offers_until_ ? send_offer(*what) : offers_.push_back(*what);
}

// Nothing follows the beginning of the next game.
void update_stream::send_offer(const offer_update& what) {
  if (state_ != state::streaming) return;
  send_live(to_offer_line({last_number_, base::wall_now(), steady_clock::now()}, what));
  if (what.next) finish();
}

void update_stream::on_unavailable() {
  if (!found_) return fail_unknown();
  if (waits_ && state_ == state::streaming)
    send_live(to_withdrawn_line({last_number_, base::wall_now(), steady_clock::now()}));
  // No hub has the game any more, or not yet.
  if (!waits_ && hub_ && state_ == state::streaming) {
    const auto to = output_;
    stop();
    return to->break_off();
  }
  finish();
}

void update_stream::on_timeout() {
  if (offers_until_ && steady_clock::now() >= *offers_until_) return finish();
  if (state_ == state::streaming)
    output_->send_chunk({reads_events() ? event_heartbeat : line_heartbeat});
  else if (state_ == state::polling)
    answer(200, {});
}

void update_stream::pause(bool yes) {
  if (watch_) watch_->pause(yes);
}

void update_stream::on_shutdown() {
  if (state_ == state::polling || waits_ || offers_until_) finish();
}

void update_stream::finish() {
  if (state_ == state::done) return;
  if (state_ != state::streaming) return answer(200, {});
  const auto to = output_;
  stop();
  to->end_stream();
}

void update_stream::answer(int status, std::string body) {
  response r;
  r.status = status;
  r.content_type = request_.how == read_plan::events  ? event_content_type
                   : request_.how == read_plan::lines ? line_content_type
                                                      : r.content_type;
  r.body = std::move(body);
  const auto to = output_;
  stop();
  to->answer(r);
}

void update_stream::fail_unknown() { fail(no_such_game()); }

void update_stream::fail(const error& e) {
  const auto to = output_;
  stop();
  if (error_pause_.count() > 0)
    to->answer_delayed(to_response(e), error_pause_);
  else
    to->answer(to_response(e));
}

void start_stream(const loop_service& here, const std::shared_ptr<update_stream>& stream,
                  std::shared_ptr<http_player> as, std::optional<seat_index> seat,
                  std::vector<offer_update> offers) {
  if (&stream->service() == &here) return stream->start(std::move(as), seat, std::move(offers));
  boost::asio::post(stream->service().loop().io(),
                    [stream, as = std::move(as), seat, offers = std::move(offers)]() mutable {
                      stream->start(std::move(as), seat, std::move(offers));
                    });
}

}  // namespace gamehub::gateways::http
