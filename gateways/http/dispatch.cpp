#include "gateways/http/server/dispatch.hpp"

#include <boost/asio/post.hpp>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "gateways/http/client_id.hpp"
#include "gateways/http/marks.hpp"
#include "gateways/http/move_parameter.hpp"
#include "gateways/http/page.hpp"
#include "gateways/http/parameters.hpp"
#include "gateways/http/routes.hpp"
#include "gateways/http/server/client.hpp"
#include "gateways/http/server/connection.hpp"
#include "gateways/http/server/game_answers.hpp"
#include "gateways/http/server/game_inquiry.hpp"
#include "gateways/http/server/handshake.hpp"
#include "gateways/http/server/leaderboard.hpp"
#include "gateways/http/server/service.hpp"
#include "gateways/http/server/update_reader.hpp"
#include "gateways/http/stream_position.hpp"

namespace gamehub::gateways::http::server {

namespace {

// Before the name of a bot that has to be online.
constexpr std::string_view bot_prefix = "bot:";

// Where bots register.
constexpr std::string_view rpc_path = "/rpc";

// What was played before there was a choice.
constexpr std::string_view usual_engine = "tictactoe";

// Who is no player by that name.
constexpr std::string_view anybody = "any", house = "engine", house_at_level = "engine:";

class dispatcher {
 public:
  dispatcher(service& at, const std::shared_ptr<connection>& from, const request& r)
      : at_(at), from_(from), r_(r), origin_(at.gates().origin_of(r)) {}

  void run() {
    const auto* site = at_.gates().allowed_site(r_.origin);
    from_->let_read(site);
    from_->asked_from(origin_.address);
    if (r_.method == "OPTIONS" && site != nullptr) return answer_preflight();
    if (const auto later = at_.gates().admit(origin_, r_.received)) return fail(*later);
    if (r_.path == rpc_path && at_.setup().rpc) return take_rpc();
    const auto found = find_route(r_.method, r_.path);
    if (const auto* wrong = std::get_if<error>(&found)) return fail(*wrong);
    const auto& route = std::get<found_route>(found);
    const auto read = parameters::read(r_, route.to->parameters);
    if (const auto* wrong = std::get_if<error>(&read)) return fail(*wrong);
    carry_out(route, std::get<parameters>(read));
  }

 private:
  void carry_out(const found_route& route, const parameters& given) {
    from_->is_for(route.to->what);
    switch (route.to->what) {
      case operation::connect: return connect(given);
      case operation::play: return play(given);
      case operation::move: return move(given);
      case operation::quit:
      case operation::rematch: return forward_to_client(begin(route.to->what, given), given);
      case operation::chat: return chat(given);
      case operation::engines: return answer_text(at_.engine_list());
      case operation::leaderboard: return show_leaderboard(given);
      case operation::openapi: return answer_text(at_.document());
      case operation::updates: return read_updates(route, given);
      case operation::games: return list_games(given);
      case operation::game: return show_game(route, given);
      case operation::replay: return replay(route, given);
      case operation::socket: return open_socket();
      case operation::page: return from_->answer(page_answer(*route.file, r_));
    }
  }

  void take_rpc() {
    from_->is_for_rpc();
    if (r_.method != "POST") {
      error e;
      e.code = error_code::wrong_method;
      e.message = "bots register by POST";
      e.allow = "POST";
      return fail(e);
    }
    at_.setup().rpc(
        {r_.content_type, r_.body, origin_.address, origin_.exempt, r_.received, &at_.loop()},
        [to = reply{from_}, &at = at_](response r) { to.send(at, std::move(r)); });
  }

  // A browser asks so before it lets a page send more than a form.
  void answer_preflight() {
    response r;
    r.status = 204;
    r.fields.push_back({"Access-Control-Allow-Methods", "GET, POST, HEAD"});
    r.fields.push_back(
        {"Access-Control-Allow-Headers", "Authorization, Content-Type, Last-Event-ID"});
    r.fields.push_back({"Access-Control-Max-Age", "600"});
    from_->answer(r);
  }

  void open_socket() {
    const auto accepted = accept_socket(r_);
    if (const auto* wrong = std::get_if<error>(&accepted)) {
      auto said = to_response(*wrong);
      if (said.status == 426) {
        said.fields.push_back({"Upgrade", "websocket"});
        said.fields.push_back({"Sec-WebSocket-Version", "13"});
      }
      return from_->answer(said);
    }
    if (at_.stopping()) return fail(from(refusal::draining));
    from_->switch_to_websocket(std::get<response>(accepted));
  }

  ask begin(operation what, const parameters& given) const {
    ask a;
    a.what = what;
    a.to = reply{from_};
    a.received = r_.received;
    a.game_id = given.text("game_id");
    return a;
  }

  void connect(const parameters& given) {
    auto a = begin(operation::connect, given);
    open_session(std::move(a), given);
  }

  void play(const parameters& given) {
    auto a = begin(operation::play, given);
    auto wish = std::make_unique<play_wish>();
    wish->resume = given.boolean("resume").value_or(false);
    wish->closed = given.boolean("private").value_or(false);
    wish->engine = given.has("engine") ? given.text("engine") : usual_engine;
    wish->options = given.text("options");
    wish->invitation = given.text("invitation");
    if (const auto mark = given.text("seat"); !mark.empty()) {
      wish->seat = seat_of(mark);
      if (!wish->seat) return fail(bad_request("seat has to be X or O"));
    }
    auto opponent = given.text("opponent");
    wish->against_engine = opponent == house || opponent.starts_with(house_at_level);
    if (opponent.starts_with(house_at_level)) wish->level = opponent.substr(house_at_level.size());
    if (opponent.starts_with(bot_prefix)) {
      opponent.remove_prefix(bot_prefix.size());
      wish->opponent_ready = true;
    } else if (wish->against_engine || opponent == anybody) {
      opponent = {};
    }
    wish->opponent = opponent;
    a.wish = std::move(wish);
    open_session(std::move(a), given);
  }

  void move(const parameters& given) {
    auto what = read_move(given);
    if (const auto* wrong = std::get_if<error>(&what)) return fail(*wrong);
    auto a = begin(operation::move, given);
    a.move = std::get<gamehub::move>(std::move(what));
    forward_to_client(std::move(a), given);
  }

  void chat(const parameters& given) {
    auto a = begin(operation::chat, given);
    a.message = given.text("message");
    forward_to_client(std::move(a), given);
  }

  void read_updates(const found_route& route, const parameters& given) {
    const auto game = read_game(route.game_id);
    if (!game) return fail(no_such_game());
    const auto wish = parse_read_request(r_, given);
    if (const auto* wrong = std::get_if<error>(&wish)) return fail(*wrong);
    const auto reader = std::make_shared<update_stream>(
        at_, from_, *game, std::get<read_request>(wish), error_pause(r_.query));
    from_->attach(reader);
    reader->start();
    const auto id = client_id::read(given.text("client_id"));
    if (!id) return reader->set_player(nullptr);
    auto a = begin(operation::updates, given);
    a.to = {};
    a.reader = reader;
    forward_to_client(std::move(a), *id);
  }

  void list_games(const parameters& given) {
    list_query query;
    query.engine = given.text("engine");
    if (const auto status = given.text("status"); !status.empty()) {
      query.status = read_status(status);
      if (!query.status) return fail(bad_request("status has to be waiting, running or ended"));
    }
    if (const auto after = given.text("after"); !after.empty()) {
      const auto before = read_game(after);
      if (!before) return fail(bad_request("after has to be the member next of a page"));
      query.before = *before;
    }
    query.limit = static_cast<std::size_t>(given.integer("limit").value_or(list_query{}.limit));
    at_.games().list(query, [to = reply{from_}, &at = at_](const game_page& page) {
      response r;
      r.body = game_list(page);
      to.send(at, std::move(r));
    });
  }

  void show_leaderboard(const parameters& given) {
    const auto engine = given.has("engine") ? given.text("engine") : usual_engine;
    const auto limit = given.integer("limit").value_or(std::int64_t{leaderboard_default});
    const auto& source = at_.setup().leaderboard;
    std::vector<leaderboard_row> best;
    if (source) best = source(engine, static_cast<std::size_t>(limit));
    answer_text(leaderboard(engine, best));
  }

  static std::optional<game_status> read_status(std::string_view text) {
    if (text == "waiting") return game_status::waiting;
    if (text == "running") return game_status::running;
    if (text == "ended") return game_status::ended;
    return std::nullopt;
  }

  // Of a player's own game a player is told more.
  bool forward_to_player(const found_route& route, const parameters& given) {
    const auto id = client_id::read(given.text("client_id"));
    const auto there = id ? at_.clients().find(id->key()) : nullptr;
    if (!there) return false;
    auto a = begin(route.to->what, given);
    a.game_id = route.game_id;
    a.history = with_history(given);
    hand_over(there, std::move(a));
    return true;
  }

  static bool with_history(const parameters& given) {
    return given.boolean("history").value_or(true);
  }

  void show_game(const found_route& route, const parameters& given) {
    const auto game = read_game(route.game_id);
    if (!game) return fail(no_such_game());
    if (!forward_to_player(route, given))
      std::make_shared<game_query>(at_, *game, std::nullopt, with_history(given), reply{from_})
          ->start();
  }

  void replay(const found_route& route, const parameters& given) {
    const auto game = read_game(route.game_id);
    if (!game) return fail(no_such_game());
    if (!forward_to_player(route, given)) tell_replay(at_, *game, false, reply{from_});
  }

  // A client that need not be there yet.
  void open_session(ask a, const parameters& given) {
    const auto text = given.text("client_id");
    const auto id = client_id::read(text.empty() ? at_.luck().secret() : text);
    if (const auto later = at_.gates().admit(origin_, id->key(), r_.received)) return fail(*later);
    if (a.what == operation::connect) a.client_id = id->reveal();
    if (const auto there = text.empty() ? nullptr : at_.clients().find(id->key()))
      return hand_over(there, std::move(a));
    a.client_id = id->reveal();
    sign_in who;
    who.exact_name = given.has("name");
    who.name = who.exact_name ? std::string{given.text("name")} : guest_name();
    who.resume_secret = id->reveal();
    who.proposes_secret = true;
    welcome(id->key(), std::move(a), std::move(who));
  }

  // A client that is there, or was before the hub was away.
  void forward_to_client(ask a, const parameters& given) {
    forward_to_client(std::move(a), *client_id::read(given.text("client_id")));
  }

  void forward_to_client(ask a, const client_id& id) {
    if (const auto later = at_.gates().admit(origin_, id.key(), r_.received)) {
      // A stream is there already, and is a guest's then.
      if (a.reader) return a.reader->set_player(nullptr);
      return fail(*later);
    }
    if (const auto there = at_.clients().find(id.key())) return hand_over(there, std::move(a));
    sign_in who;
    who.resume_secret = id.reveal();
    who.only_resume = true;
    welcome(id.key(), std::move(a), std::move(who));
  }

  void welcome(const client_key& key, ask a, sign_in who) {
    auto made = std::make_shared<client>(at_, key);
    const auto there = at_.clients().enter(key, made);
    if (there == made) {
      made->take(std::move(a));
      made->enter(std::move(who));
    } else {
      hand_over(there, std::move(a));
    }
  }

  void hand_over(const std::shared_ptr<client>& to, ask a) {
    if (&to->home() == &at_) return to->take(std::move(a));
    boost::asio::post(to->home().loop().io(),
                      [to, a = std::move(a)]() mutable { to->take(std::move(a)); });
  }

  std::string guest_name() {
    constexpr std::uint64_t least = 1'000, numbers = 9'000;
    return "Guest" + std::to_string(least + at_.luck().below(numbers));
  }

  void answer_text(const std::string& body) {
    response r;
    r.body = body;
    from_->answer(r);
  }

  void fail(const error& e) {
    if (const auto pause = error_pause(r_.query); pause.count() > 0)
      return from_->answer_delayed(to_response(e), pause);
    from_->answer(to_response(e));
  }

  service& at_;
  const std::shared_ptr<connection>& from_;
  const request& r_;
  const rate_limiter::origin origin_;
};

}  // namespace

void reply::send(const service& here, response&& r) const {
  if (!to_) return;
  if (&to_->at() == &here) return to_->answer(r);
  boost::asio::post(to_->at().loop().io(), [to = to_, r = std::move(r)] { to->answer(r); });
}

void dispatch(service& at, const std::shared_ptr<connection>& from, const request& r) {
  dispatcher{at, from, r}.run();
}

}  // namespace gamehub::gateways::http::server
