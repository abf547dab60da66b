#include "gateways/http/update_stream.hpp"

#include "gateways/http/connection.hpp"
#include "gateways/http/http_player.hpp"
#include "gateways/http/loop_service.hpp"

#include <boost/asio/post.hpp>

#include <utility>
#include <variant>

namespace gamehub::gateways::http {

update_stream::update_stream(loop_service& at, const std::shared_ptr<connection>& from,
                             game_id game, const read_request& request, limits::seconds error_pause)
    : service_(at),
      connection_(from),
      game_(game),
      request_(request),
      error_pause_(error_pause),
      last_number_(request.after) {}

update_stream::~update_stream() = default;

void update_stream::start() {
  service_.add_stream(*this);
  watch_ = service_.games().watch(game_, request_.after, shared_from_this());
}

void update_stream::stop() {
  if (std::exchange(state_, state::done) == state::done) return;
  const auto self = shared_from_this();
  watch_.reset();
  service_.remove_stream(*this);
  connection_.reset();
  if (const auto who = std::exchange(player_, nullptr)) {
    if (&who->service() == &service_)
      who->on_stream_closed();
    else
      boost::asio::post(who->service().loop().io(), [who] { who->on_stream_closed(); });
  }
  if (!guest_.empty()) service_.remove_listed_guest(game_, std::exchange(guest_, {}));
}

void update_stream::set_player(std::shared_ptr<http_player> as) {
  if (state_ != state::done) {
    player_ = std::move(as);
    is_guest_ = !player_;
    player_known_ = true;
    if (const auto known = std::exchange(undecided_, std::nullopt)) {
      watch_->pause(false);
      return on_found(*known);
    }
    return list_guest();
  }
  // The stream has ended, but the player has counted it.
  if (!as) return;
  boost::asio::post(as->service().loop().io(), [as] { as->on_stream_closed(); });
}

void update_stream::list_guest() {
  if (!is_guest_ || !found_ || state_ != state::streaming || !guest_.empty()) return;
  if (auto name = service_.add_listed_guest(game_, players_)) {
    guest_ = *std::move(name);
    service_.publish_guest_change(game_, game_update::kind::joined, guest_);
  }
}

void update_stream::on_guest_change(game_update u) {
  if (state_ != state::streaming) return;
  u.number = last_number_;
  const auto line = to_line(u);
  connection_->send_chunk({reads_events() ? to_event(u.number, line) : line});
}

void update_stream::on_found(const game_progress& p) {
  if (p.game && p.game->closed && !player_) {
    if (player_known_) return fail_unknown();
    undecided_ = p;
    return watch_->pause(true);
  }
  found_ = true;
  waits_ = p.status == game_status::waiting;
  if (p.game) players_ = p.game->players;
  const auto at = position_of(request_, {p.last, p.status == game_status::ended});
  if (const auto* wrong = std::get_if<error>(&at)) return fail(*wrong);
  if (const auto* empty = std::get_if<answer_empty>(&at)) return answer(empty->status, {});
  if (std::holds_alternative<stream_from>(at)) {
    state_ = state::streaming;
    connection_->begin_stream(reads_events() ? event_content_type : line_content_type);
    return list_guest();
  }
  state_ = state::polling;
  if (const auto* wait = std::get_if<wait_for>(&at)) connection_->set_poll_timeout(wait->at_most);
}

void update_stream::on_update(const update_ref& u) {
  if (u->number <= last_number_) return;
  waits_ = false;
  if (state_ == state::polling) return answer(200, service_.text_of(u, false));
  if (state_ != state::streaming) return;
  if (players_.empty()) players_ = u->game->players;
  last_number_ = u->number;
  connection_->send_chunk({service_.text_of(u, reads_events())});
}

void update_stream::on_end() { finish(); }

void update_stream::on_unavailable() { found_ ? finish() : fail_unknown(); }

void update_stream::on_timeout() {
  if (state_ == state::streaming)
    connection_->send_chunk({reads_events() ? event_heartbeat : line_heartbeat});
  else if (state_ == state::polling)
    answer(200, {});
}

void update_stream::pause(bool yes) {
  if (watch_) watch_->pause(yes);
}

void update_stream::on_shutdown() {
  if (state_ == state::polling || waits_) finish();
}

void update_stream::finish() {
  if (state_ == state::done) return;
  if (state_ != state::streaming) return answer(200, {});
  const auto to = connection_;
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
  const auto to = connection_;
  stop();
  to->answer(r);
}

void update_stream::fail_unknown() { fail(no_such_game()); }

void update_stream::fail(const error& e) {
  const auto to = connection_;
  stop();
  if (error_pause_.count() > 0)
    to->answer_delayed(to_response(e), error_pause_);
  else
    to->answer(to_response(e));
}

void set_player(const loop_service& here, const std::shared_ptr<update_stream>& stream,
                std::shared_ptr<http_player> as) {
  if (&stream->service() == &here) return stream->set_player(std::move(as));
  boost::asio::post(stream->service().loop().io(),
                    [stream, as = std::move(as)]() mutable { stream->set_player(std::move(as)); });
}

}  // namespace gamehub::gateways::http
