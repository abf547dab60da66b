#include "gateways/http/dispatch.hpp"

#include "gateways/http/client_id.hpp"
#include "gateways/http/combined_stream.hpp"
#include "gateways/http/connection.hpp"
#include "gateways/http/game_preview.hpp"
#include "gateways/http/game_query.hpp"
#include "gateways/http/handshake.hpp"
#include "gateways/http/http_limits.hpp"
#include "gateways/http/http_player.hpp"
#include "gateways/http/loop_service.hpp"
#include "gateways/http/parameters.hpp"
#include "gateways/http/player_symbols.hpp"
#include "gateways/http/response_bodies.hpp"
#include "gateways/http/routes.hpp"
#include "gateways/http/static_files.hpp"
#include "gateways/http/stream_position.hpp"
#include "gateways/http/update_stream.hpp"
#include "gateways/http/webhook_requests.hpp"
#include "hub/base/address.hpp"

#include <boost/asio/post.hpp>

#include <chrono>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace gamehub::gateways::http {

namespace {

// Prefix of the name of a bot that must be online.
constexpr std::string_view bot_prefix = "bot:";

// The path of bot registrations.
constexpr std::string_view rpc_path = "/rpc";

// The engine of requests that name none, for compatibility with older clients.
constexpr std::string_view default_engine = "tictactoe";

// Values of `opponent` that are not names of players.
constexpr std::string_view any_opponent = "any", engine_opponent = "engine",
                           engine_level_prefix = "engine:";

bool changes_something(std::string_view method) { return has_body(method) || method == "DELETE"; }

class dispatcher {
 public:
  dispatcher(loop_service& at, const std::shared_ptr<connection>& from, const request& r)
      : service_(at), from_(from), r_(r), origin_(at.limiter().origin_of(r)) {}

  void run() {
    const auto* site = service_.limiter().allowed_site(r_.origin);
    from_->allow_site(site);
    from_->set_origin(origin_);
    if (r_.method == "OPTIONS" && site != nullptr) return answer_preflight();
    if (const auto later = service_.limiter().try_acquire(origin_, r_.received))
      return fail(*later);
    if (service_.limiter().is_misdirected(r_)) return fail(misdirected());
    if (changes_something(r_.method) && service_.limiter().is_foreign(r_))
      return fail(foreign_site());
    if (r_.path == rpc_path && service_.setup().rpc) return run_rpc();
    if (const auto game = previewed_game(r_)) return show_preview(*game);
    const auto found = find_route(r_.method, r_.path);
    if (const auto* wrong = std::get_if<error>(&found)) return fail(*wrong);
    const auto& route = std::get<found_route>(found);
    const auto read = parameters::read(r_, route.to->parameters);
    if (const auto* wrong = std::get_if<error>(&read)) return fail(*wrong);
    run_operation(route, std::get<parameters>(read));
  }

 private:
  void run_operation(const found_route& route, const parameters& given) {
    from_->set_route(route.to->what);
    switch (route.to->what) {
      case operation::connect: return connect(given);
      case operation::play: return play(given);
      case operation::move: return move(given);
      case operation::quit:
      case operation::rematch:
      case operation::claim:
      case operation::mine:
      case operation::decline: return forward_to_client(begin(route.to->what, given), given);
      case operation::chat: return chat(given);
      case operation::set_webhook: return register_webhook(given);
      case operation::webhook:
      case operation::remove_webhook: return read_webhook(route.to->what, given);
      case operation::offer: return offer(given);
      case operation::rename: return rename(given);
      case operation::invitation: return show_invitation(given);
      case operation::engines: return answer_text(service_.engine_list());
      case operation::engine: return show_engine(route.engine);
      case operation::leaderboard: return show_leaderboard(given);
      case operation::openapi: return answer_text(service_.document());
      case operation::updates: return read_updates(route, given);
      case operation::follow: return follow(given);
      case operation::games: return list_games(given);
      case operation::game: return show_game(route, given);
      case operation::replay: return replay(route, given);
      case operation::socket: return open_socket();
      case operation::page: return answer_file(*route.file);
    }
  }

  void answer_file(const static_file& file) {
    from_->answer(page_answer(file, r_, service_.setup().frames));
  }

  void show_preview(game_id game) {
    from_->set_route(operation::page);
    if (service_.games().busy()) return fail(logs_busy());
    service_.games().query_snapshot(
        game, std::nullopt,
        [game, to = response_handle{from_}, &at = service_](std::optional<game_snapshot> found) {
          std::string title;
          if (found) title = at.title_of(found->progress.game->engine);
          auto r = preview_page(game, found ? &*found : nullptr, title);
          if (found) r.extra_requests = extra_requests_of(found->progress);
          to.send(at, std::move(r));
        });
  }

  void run_rpc() {
    from_->set_rpc_route();
    if (r_.method != "POST") {
      error e;
      e.code = error_code::wrong_method;
      e.message = "bots register by POST";
      e.allow = "POST";
      return fail(e);
    }
    service_.setup().rpc(
        {r_.content_type, r_.body, origin_.address, origin_.exempt, r_.received, &service_.loop()},
        [to = response_handle{from_}, &at = service_](response r) { to.send(at, std::move(r)); });
  }

  // Answers a CORS preflight request.
  void answer_preflight() {
    response r;
    r.status = 204;
    r.fields.push_back({"Access-Control-Allow-Methods", "GET, POST, PUT, DELETE, HEAD"});
    r.fields.push_back(
        {"Access-Control-Allow-Headers", "Authorization, Content-Type, Last-Event-ID"});
    r.fields.push_back({"Access-Control-Max-Age", "600"});
    from_->answer(r);
  }

  void open_socket() {
    if (service_.limiter().is_foreign(r_)) return fail(foreign_site());
    const auto accepted = accept_socket(r_);
    if (const auto* wrong = std::get_if<error>(&accepted)) {
      auto r = to_response(*wrong);
      if (r.status == 426) {
        r.fields.push_back({"Upgrade", "websocket"});
        r.fields.push_back({"Sec-WebSocket-Version", "13"});
      }
      return from_->answer(r);
    }
    if (service_.stopping()) return fail(from(refusal::draining));
    if (!hold_stream()) return fail(too_many_streams());
    from_->switch_to_websocket(std::get<response>(accepted));
  }

  client_request begin(operation what, const parameters& given) const {
    client_request a;
    a.what = what;
    a.to = response_handle{from_};
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
    auto play = std::make_unique<play_request>();
    play->resume = given.boolean("resume").value_or(false);
    play->new_game = given.boolean("new_game").value_or(false);
    play->keep = given.boolean("keep").value_or(false);
    play->closed = given.boolean("private").value_or(false);
    play->engine = given.has("engine") ? given.text("engine") : default_engine;
    play->options = given.text("options");
    play->clock = given.text("clock");
    play->invitation = given.text("invitation");
    if (const auto game = given.text("game_id"); !game.empty() && !play->resume) {
      const auto id = read_game(game);
      if (!id) return fail(no_such_game());
      if (!play->invitation.empty())
        return fail(bad_request("give game_id or invitation, not both"));
      play->join = *id;
    }
    if (const auto mark = given.text("seat"); !mark.empty()) {
      play->seat = seat_of(mark);
      if (!play->seat) return fail(bad_request("seat has to be X, O, or a number from 3 on"));
    }
    auto opponent = given.text("opponent");
    play->against_engine = opponent == engine_opponent || opponent.starts_with(engine_level_prefix);
    if (opponent.starts_with(engine_level_prefix))
      play->level = opponent.substr(engine_level_prefix.size());
    if (opponent.starts_with(bot_prefix)) {
      opponent.remove_prefix(bot_prefix.size());
      play->opponent_ready = true;
    } else if (play->against_engine || opponent == any_opponent) {
      opponent = {};
    }
    play->opponent = opponent;
    if (given.has("opponents")) {
      if (given.has("opponent")) return fail(bad_request("give opponent or opponents, not both"));
      auto others = read_fillers(given.list("opponents"));
      if (const auto* wrong = std::get_if<std::string>(&others)) return fail(bad_request(*wrong));
      play->others = std::get<std::vector<seat_filler>>(std::move(others));
    }
    a.play = std::move(play);
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

  void offer(const parameters& given) {
    auto a = begin(operation::offer, given);
    const auto what = given.text("what"), answer = given.text("answer");
    if (what != to_string(offer_kind::draw) && what != to_string(offer_kind::takeback))
      return fail(bad_request("what has to be draw or takeback"));
    if (what == to_string(offer_kind::takeback)) a.offer.what = offer_kind::takeback;
    for (const auto step : {offer_step::accepted, offer_step::declined, offer_step::withdrawn})
      if (answer == to_string(step)) a.offer.step = step;
    if (!answer.empty() && a.offer.step == offer_step::offered)
      return fail(bad_request("answer has to be accepted, declined or withdrawn"));
    forward_to_client(std::move(a), given);
  }

  void register_webhook(const parameters& given) {
    auto a = begin(operation::set_webhook, given);
    a.webhook = std::make_unique<webhook_request>();
    a.webhook->url = given.text("url");
    a.webhook->secret = given.text("secret");
    if (!origin_.exempt) a.webhook->sender = base::sender_text(origin_.address);
    forward_to_client(std::move(a), given);
  }

  // Needs no session: a player whose games have ended has none, and may still have a webhook.
  void read_webhook(operation what, const parameters& given) {
    const auto id = *client_id::read(given.text("client_id"));
    if (const auto later = service_.limiter().try_acquire(origin_, id.key(), r_.received))
      return fail(*later);
    const auto act = what == operation::webhook ? show_webhook : remove_webhook;
    act(service_, id.key(), response_handle{from_});
  }

  void rename(const parameters& given) {
    auto a = begin(operation::rename, given);
    a.message = given.text("name");
    forward_to_client(std::move(a), given);
  }

  void show_invitation(const parameters& given) {
    auto a = begin(operation::invitation, given);
    a.message = given.text("invitation");
    look(std::move(a), given);
  }

  void read_updates(const found_route& route, const parameters& given) {
    const auto game = read_game(route.game_id);
    if (!game) return fail(no_such_game());
    const auto wanted = parse_read_request(r_, given);
    if (const auto* wrong = std::get_if<error>(&wanted)) return fail(*wrong);
    if (!hold_stream()) return fail(too_many_streams());
    const auto stream = std::make_shared<update_stream>(
        service_, from_, *game, std::get<read_request>(wanted), error_pause(r_.query));
    from_->attach(stream);
    start(stream, given);
  }

  void follow(const parameters& given) {
    const auto read = parse_follow_request(given);
    if (const auto* wrong = std::get_if<error>(&read)) return fail(*wrong);
    const auto& wanted = std::get<follow_request>(read);
    if (!hold_stream()) return fail(too_many_streams());
    if (wanted.games.size() > 1)
      service_.limiter().charge(origin_, static_cast<std::uint32_t>(wanted.games.size() - 1),
                                r_.received);
    const auto stream = std::make_shared<combined_stream>(from_);
    from_->attach(stream);
    for (const auto& part : stream->begin(service_, wanted)) start(part, given);
  }

  // Starts a stream as its client, who may be a player of the game, or as a guest.
  void start(const std::shared_ptr<update_stream>& stream, const parameters& given) {
    const auto id = client_id::read(given.text("client_id"));
    if (!id) return stream->start(nullptr, std::nullopt);
    auto a = begin(operation::updates, given);
    a.to = {};
    a.stream = stream;
    forward_to_client(std::move(a), *id);
  }

  // Holds the place of a stream or WebSocket. The connections of a trusted proxy are not counted.
  bool hold_stream() {
    if (!origin_.by_proxy) return true;
    auto hold = address_hold::of_one(service_.account_of(origin_), address_limit::connections);
    if (hold) from_->keep(*std::move(hold));
    return hold.has_value();
  }

  void list_games(const parameters& given) {
    if (service_.games().busy()) return fail(logs_busy());
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
    query.player = given.text("player");
    query.limit = static_cast<std::size_t>(given.integer("limit").value_or(list_query{}.limit));
    service_.games().list(query, [to = response_handle{from_}, &at = service_,
                                  origin = origin_](const game_page& page) {
      const auto now = std::chrono::steady_clock::now();
      // A page of a rare engine or name may have cost the reading of many logs.
      at.limiter().charge(
          origin, static_cast<std::uint32_t>(page.logs_read / limits::http_logs_per_request), now);
      response r;
      r.body = game_list(page, now, at.latest_notice());
      to.send(at, std::move(r));
    });
  }

  void show_leaderboard(const parameters& given) {
    const auto engine = given.has("engine") ? given.text("engine") : default_engine;
    const auto limit = given.integer("limit").value_or(std::int64_t{leaderboard_default});
    const auto& source = service_.setup().leaderboard;
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

  void show_game(const found_route& route, const parameters& given) {
    if (!read_game(route.game_id)) return fail(no_such_game());
    auto a = begin(operation::game, given);
    a.game_id = route.game_id;
    a.history = given.boolean("history").value_or(true);
    look(std::move(a), given);
  }

  void replay(const found_route& route, const parameters& given) {
    if (service_.games().busy()) return fail(logs_busy());
    if (!read_game(route.game_id)) return fail(no_such_game());
    auto a = begin(operation::replay, given);
    a.game_id = route.game_id;
    look(std::move(a), given);
  }

  // Handles a GET that guests may make, too. A player sees more than a guest, and has come back by
  // it if the hub was restarted.
  void look(client_request a, const parameters& given) {
    const auto id = client_id::read(given.text("client_id"));
    if (!id) return look_as_guest(a);
    if (const auto there = service_.clients().find(id->key())) return pass_on(there, std::move(a));
    if (service_.limiter().try_acquire(origin_, id->key(), r_.received)) return look_as_guest(a);
    resume_player(std::move(a), *id);
  }

  void look_as_guest(const client_request& a) {
    answer_guest(service_, a, service_.account_of(origin_));
  }

  // Handles a request whose session may not exist yet.
  void open_session(client_request a, const parameters& given) {
    const auto text = given.text("client_id");
    const auto id = client_id::read(text.empty() ? service_.random().secret() : text);
    if (const auto later = service_.limiter().try_acquire(origin_, id->key(), r_.received))
      return fail(*later);
    if (a.what == operation::connect) a.client_id = id->reveal();
    if (const auto there = text.empty() ? nullptr : service_.clients().find(id->key()))
      return pass_on(there, std::move(a));
    a.client_id = id->reveal();
    sign_in who;
    who.features.answers_offers = true;
    who.exact_name = given.has("name");
    who.name = who.exact_name ? std::string{given.text("name")} : guest_name();
    who.resume_secret = id->reveal();
    who.proposes_secret = true;
    create_player(id->key(), std::move(a), std::move(who));
  }

  // Handles a request of an existing session, or of one that can be resumed.
  void forward_to_client(client_request a, const parameters& given) {
    forward_to_client(std::move(a), *client_id::read(given.text("client_id")));
  }

  void forward_to_client(client_request a, const client_id& id) {
    if (const auto later = service_.limiter().try_acquire(origin_, id.key(), r_.received)) {
      // The game may be read by everybody.
      if (a.stream) return a.stream->start(nullptr, std::nullopt);
      return fail(*later);
    }
    if (const auto there = service_.clients().find(id.key())) return pass_on(there, std::move(a));
    resume_player(std::move(a), id);
  }

  void resume_player(client_request a, const client_id& id) {
    sign_in who;
    who.features.answers_offers = true;
    who.resume_secret = id.reveal();
    who.only_resume = true;
    create_player(id.key(), std::move(a), std::move(who));
  }

  void create_player(const client_key& key, client_request a, sign_in who) {
    auto account = service_.account_of(origin_);
    if (const auto wait =
            account ? account->try_spend(address_limit::arrivals, r_.received) : std::nullopt) {
      if (a.stream) return a.stream->start(nullptr, std::nullopt);
      if (answer_guest(service_, a, account)) return;
      return fail(rate_exceeded(*wait));
    }
    auto made = std::make_shared<http_player>(service_, key, std::move(account));
    const auto there = service_.clients().insert(key, made);
    if (there == made) {
      made->on_request(std::move(a));
      made->enter(std::move(who));
    } else {
      pass_on(there, std::move(a));
    }
  }

  void pass_on(const std::shared_ptr<http_player>& to, client_request a) {
    if (&to->service() == &service_) return to->on_request(std::move(a));
    boost::asio::post(to->service().loop().io(),
                      [to, a = std::move(a)]() mutable { to->on_request(std::move(a)); });
  }

  std::string guest_name() {
    constexpr std::uint64_t least = 1'000, numbers = 9'000;
    return "Guest" + std::to_string(least + service_.random().below(numbers));
  }

  void show_engine(std::string_view id) {
    if (const auto body = service_.engine_text(id)) return answer_text(*body);
    fail(no_such_engine());
  }

  void answer_text(const std::string& body) {
    response r;
    r.body = body;
    from_->answer(r);
  }

  void fail(const error& e) {
    if (const auto page = page_of_error(e, r_)) return from_->answer(*page);
    if (const auto pause = error_pause(r_.query); pause.count() > 0)
      return from_->answer_delayed(to_response(e), pause);
    from_->answer(to_response(e));
  }

  loop_service& service_;
  const std::shared_ptr<connection>& from_;
  const request& r_;
  const rate_limiter::origin origin_;
};

}  // namespace

void response_handle::send(const loop_service& here, response&& r) const {
  if (!to_) return;
  if (&to_->service() == &here) return to_->answer(r);
  boost::asio::post(to_->service().loop().io(), [to = to_, r = std::move(r)] { to->answer(r); });
}

void dispatch(loop_service& at, const std::shared_ptr<connection>& from, const request& r) {
  dispatcher{at, from, r}.run();
}

}  // namespace gamehub::gateways::http
