#include "gateways/http/server/update_reader.hpp"

#include <boost/asio/post.hpp>
#include <utility>
#include <variant>

#include "gateways/http/server/client.hpp"
#include "gateways/http/server/connection.hpp"
#include "gateways/http/server/service.hpp"

namespace gamehub::gateways::http::server {

update_reader::update_reader(service& at, const std::shared_ptr<connection>& from, game_id game,
                             const reader_wish& wish, limits::seconds error_pause)
    : service_(at),
      connection_(from),
      game_(game),
      wish_(wish),
      error_pause_(error_pause),
      told_(wish.after) {}

update_reader::~update_reader() = default;

void update_reader::start() {
  service_.reads(*this);
  watching_ = service_.games().watch(game_, wish_.after, shared_from_this());
}

void update_reader::stop() {
  if (std::exchange(state_, state::through) == state::through) return;
  const auto self = shared_from_this();
  watching_.reset();
  service_.reads_no_more(*this);
  connection_.reset();
  if (const auto who = std::exchange(player_, nullptr)) {
    if (&who->home() == &service_)
      who->ends_reading();
    else
      boost::asio::post(who->home().loop().io(), [who] { who->ends_reading(); });
  }
  if (!guest_.empty()) service_.guest_goes(game_, std::exchange(guest_, {}));
}

void update_reader::attend(std::shared_ptr<client> as) {
  if (state_ != state::through) {
    player_ = std::move(as);
    is_guest_ = !player_;
    attended_ = true;
    if (const auto known = std::exchange(unattended_, std::nullopt)) {
      watching_->pause(false);
      return found(*known);
    }
    return list_guest();
  }
  // It is gone, and the client has counted it.
  if (!as) return;
  boost::asio::post(as->home().loop().io(), [as] { as->ends_reading(); });
}

void update_reader::list_guest() {
  if (!is_guest_ || !found_ || state_ != state::streaming || !guest_.empty()) return;
  if (auto name = service_.guest_comes(game_, players_)) {
    guest_ = *std::move(name);
    service_.tell_of_guest(game_, came{guest_});
  }
}

void update_reader::hear(update u) {
  if (state_ != state::streaming) return;
  u.number = told_;
  write(u.number, to_json(u));
}

void update_reader::found(const game_progress& p) {
  if (p.game && p.game->closed && !player_) {
    if (attended_) return fail_unknown();
    unattended_ = p;
    return watching_->pause(true);
  }
  found_ = true;
  waits_ = p.status == game_status::waiting;
  if (p.game) players_ = p.game->players;
  const auto at = position_of(wish_, {p.last, p.status == game_status::ended});
  if (const auto* wrong = std::get_if<error>(&at)) return fail(*wrong);
  if (const auto* empty = std::get_if<answer_empty>(&at)) return answer(empty->status, {});
  if (std::holds_alternative<stream_from>(at)) {
    state_ = state::streaming;
    connection_->begin_stream(wish_.how == reading::events ? event_content_type
                                                           : line_content_type);
    return list_guest();
  }
  state_ = state::polling;
  if (const auto* wait = std::get_if<wait_for>(&at)) connection_->wait_at_most(wait->at_most);
}

void update_reader::tell(const update_ref& u) {
  if (u->number <= told_) return;
  waits_ = false;
  if (state_ == state::polling) return answer(200, std::string{service_.json_of(u)} + '\n');
  if (state_ != state::streaming) return;
  if (players_.empty()) players_ = u->game->players;
  told_ = u->number;
  write(u->number, service_.json_of(u));
}

void update_reader::write(std::uint64_t number, std::string_view json) {
  if (wish_.how == reading::events)
    connection_->send_piece({"id: ", std::to_string(number), "\ndata: ", json, "\n\n"});
  else
    connection_->send_piece({json, "\n"});
}

void update_reader::ended() { finish(); }

void update_reader::unknown() { found_ ? finish() : fail_unknown(); }

void update_reader::time_is_up() {
  if (state_ == state::streaming)
    connection_->send_piece({wish_.how == reading::events ? event_heartbeat : line_heartbeat});
  else if (state_ == state::polling)
    answer(200, {});
}

void update_reader::hold(bool yes) {
  if (watching_) watching_->pause(yes);
}

void update_reader::hub_stops() {
  if (state_ == state::polling || waits_) finish();
}

void update_reader::finish() {
  if (state_ == state::through) return;
  if (state_ != state::streaming) return answer(200, {});
  const auto to = connection_;
  stop();
  to->end_stream();
}

void update_reader::answer(int status, std::string body) {
  response r;
  r.status = status;
  r.content_type = wish_.how == reading::events  ? event_content_type
                   : wish_.how == reading::lines ? line_content_type
                                                 : r.content_type;
  r.body = std::move(body);
  const auto to = connection_;
  stop();
  to->answer(r);
}

void update_reader::fail_unknown() { fail(no_such_game()); }

void update_reader::fail(const error& e) {
  const auto to = connection_;
  stop();
  if (error_pause_.count() > 0)
    to->answer_later(to_response(e), error_pause_);
  else
    to->answer(to_response(e));
}

void attend(const service& here, const std::shared_ptr<update_reader>& reader,
            std::shared_ptr<client> as) {
  if (&reader->at() == &here) return reader->attend(std::move(as));
  boost::asio::post(reader->at().loop().io(),
                    [reader, as = std::move(as)]() mutable { reader->attend(std::move(as)); });
}

}  // namespace gamehub::gateways::http::server
