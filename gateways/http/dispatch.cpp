#include "gateways/http/dispatch.hpp"

#include "gateways/http/client_id.hpp"
#include "gateways/http/cluster_list.hpp"
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
#include "gateways/http/relayed_request.hpp"
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
// Its content type and body, as parameters of a request that is passed on.
constexpr std::string_view type_of_rpc = "content_type", body_of_rpc = "body";

// The engine of requests that name none, for compatibility with older clients.
constexpr std::string_view default_engine = "tictactoe";

// Values of `opponent` that are not names of players.
constexpr std::string_view any_opponent = "any", engine_opponent = "engine",
                           engine_level_prefix = "engine:";

// The client of a request: by the secret that it sent, or by its digest, which another hub sent.
struct caller {
  client_key key;
  std::string secret;
};

rate_limiter::origin relayed_origin(const relay::web_request& what) {
  if (!what.address) return {{}, true, false};
  return {base::endpoint{*what.address, 0, 0}, false, false};
}

request view_of(const relay::web_request& what) {
  request r;
  r.method = what.method;
  r.path = what.path;
  r.accept = what.accept;
  r.last_event_id = what.last_event_id;
  r.received = std::chrono::steady_clock::now();
  return r;
}

// True for requests that only the hub of the client's player can answer.
bool is_of_client(operation what) {
  switch (what) {
    case operation::connect:
    case operation::play:
    case operation::quit:
    case operation::move:
    case operation::chat:
    case operation::rematch:
    case operation::decline:
    case operation::offer:
    case operation::claim:
    case operation::rename:
    case operation::mine:
    case operation::invitation: return true;
    case operation::updates:
    case operation::follow:
    case operation::engines:
    case operation::engine:
    case operation::games:
    case operation::game:
    case operation::replay:
    case operation::leaderboard:
    case operation::openapi:
    case operation::socket:
    case operation::page:
    // Hubs of a cluster have none.
    case operation::webhook:
    case operation::set_webhook:
    case operation::remove_webhook: return false;
  }
  return false;
}

// The update after which a move is made once only, however often it comes; 0: it is not given.
std::uint64_t update_before(const parameters& given) {
  return static_cast<std::uint64_t>(given.integer("last_update_id").value_or(0));
}

bool changes_something(std::string_view method) { return has_body(method) || method == "DELETE"; }

class dispatcher {
 public:
  dispatcher(loop_service& at, const std::shared_ptr<connection>& from, const request& r)
      : service_(at),
        from_(from),
        connection_(from.get()),
        r_(r),
        origin_(at.limiter().origin_of(r)),
        pause_(error_pause(r.query)) {}
  dispatcher(loop_service& at, const std::shared_ptr<responder>& from, const request& r,
             const relay::web_request& what)
      : service_(at),
        from_(from),
        r_(r),
        origin_(relayed_origin(what)),
        pause_(limits::seconds{what.error_pause}) {}

  void run() {
    const auto* site = service_.limiter().allowed_site(r_.origin);
    connection_->allow_site(site);
    connection_->set_origin(origin_);
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

  // Handles a request that this hub, or another one, has checked and charged.
  void run_kept(const relay::web_request& what) {
    if (r_.path == rpc_path) return run_kept_rpc(what);
    const auto found = find_route(r_.method, r_.path);
    if (const auto* wrong = std::get_if<error>(&found)) return fail(*wrong);
    const auto& route = std::get<found_route>(found);
    const auto read = parameters::of(what.names, what.values, route.to->parameters);
    if (const auto* wrong = std::get_if<error>(&read)) return fail(*wrong);
    run_operation(route, std::get<parameters>(read));
  }
  void run_again(const std::shared_ptr<kept_request>& kept) {
    kept_ = kept;
    run_kept(kept->what);
  }
  void run_for(member_id reader, const relay::web_request& what) {
    reader_ = reader;
    opens_ = what.opens;
    if (const auto key = client_key::of_digest(what.digest)) caller_ = caller{*key, {}};
    run_kept(what);
  }

 private:
  void run_operation(const found_route& route, const parameters& given) {
    from_->set_route(route.to->what);
    if (is_elsewhere(route, given)) return;
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
    connection_->set_rpc_route();
    if (r_.method != "POST") {
      error e;
      e.code = error_code::wrong_method;
      e.message = "bots register by POST";
      e.allow = "POST";
      return fail(e);
    }
    if (auto* const relay = service_.relay())
      if (const auto there = relay->port().league()) return pass_rpc(*there);
    take_rpc(r_.content_type, r_.body);
  }

  void take_rpc(std::string_view content_type, std::string_view body) {
    service_.setup().rpc(
        {content_type, body, origin_.address, origin_.exempt, r_.received, &service_.loop()},
        [to = response_handle{from_}, &at = service_](response r) { to.send(at, std::move(r)); });
  }

  // Passes a registration on to the hub that has the bots.
  void pass_rpc(member_id there) {
    kept_ = std::make_shared<kept_request>();
    auto& what = kept_->what;
    what.method = r_.method;
    what.path = r_.path;
    what.names = {std::string{type_of_rpc}, std::string{body_of_rpc}};
    what.values = {std::string{r_.content_type}, std::string{r_.body}};
    if (!origin_.exempt) what.address = origin_.address.address;
    kept_->from = from_;
    // It is not carried out twice, and no other hub is asked.
    kept_->asked = true;
    service_.relay()->pass(kept_, there);
  }

  // One that another hub has read, or that can't be passed on.
  void run_kept_rpc(const relay::web_request& what) {
    if (!service_.setup().rpc ||
        what.names !=
            std::vector<std::string>{std::string{type_of_rpc}, std::string{body_of_rpc}} ||
        what.values.size() != what.names.size())
      return fail(bad_request("no hub of this cluster reads that"));
    take_rpc(what.values[0], what.values[1]);
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
    connection_->switch_to_websocket(std::get<response>(accepted));
  }

  // Passes the request on if its client was at another hub before, or its game may be.
  bool is_elsewhere(const found_route& route, const parameters& given) {
    auto* const relay = service_.relay();
    if (relay == nullptr || reader_) return false;
    const auto what = route.to->what;
    if (what == operation::leaderboard) {
      const auto there = relay->port().league();
      if (there) relay->pass(keep(given), *there);
      return there.has_value();
    }
    const bool of_game =
        what == operation::game || what == operation::replay || what == operation::updates;
    const auto game = of_game ? read_game(route.game_id) : std::nullopt;
    const bool located = kept_ && kept_->located;
    if (game && !located) {
      if (what == operation::updates && !hold_stream()) {
        fail(too_many_streams());
        return true;
      }
      keep(given)->is_guest = what == operation::updates && is_guest_here(given);
      relay->locate(kept_, *game);
      return true;
    }
    if (what == operation::invitation && !located && may_guess()) {
      relay->locate(keep(given), {}, std::string{given.text("invitation")});
      return true;
    }
    const auto who = is_of_client(what) ? caller_of(given) : std::nullopt;
    if (!who || service_.clients().find(who->key)) return false;
    const auto home = relay->home_of(who->key);
    if (!home) return false;
    keep(given)->what.opens = what == operation::connect;
    relay->pass(kept_, *home);
    return true;
  }

  // A client without a player, or whose player is at this hub, plays in no game of another hub.
  bool is_guest_here(const parameters& given) const {
    const auto who = caller_of(given);
    return !who || service_.clients().find(who->key);
  }

  // Other hubs are not asked for a client that has guessed too much.
  bool may_guess() const {
    const auto account = service_.account_of(origin_);
    return !account || !account->wait(address_limit::guesses, r_.received);
  }

  std::shared_ptr<kept_request> keep(const parameters& given) {
    if (kept_ || service_.relay() == nullptr || reader_) return kept_;
    const auto who = caller_of(given);
    kept_ = std::make_shared<kept_request>();
    auto& what = kept_->what;
    what.method = r_.method;
    what.path = r_.path;
    given.append(what.names, what.values);
    what.accept = r_.accept;
    what.last_event_id = r_.last_event_id;
    what.error_pause = static_cast<std::uint32_t>(pause_.count());
    if (who) what.digest = who->key.text();
    if (!origin_.exempt) what.address = origin_.address.address;
    kept_->from = from_;
    // Of those that change something only a move has it.
    kept_->counts_once = !changes_something(r_.method) || update_before(given) != 0;
    if (who) kept_->client_id = who->secret;
    return kept_;
  }

  std::optional<caller> caller_of(const parameters& given) const {
    if (reader_) return caller_;
    auto id = client_id::read(kept_ ? kept_->client_id : given.text("client_id"));
    if (!id) return std::nullopt;
    return caller{id->key(), std::move(*id).reveal()};
  }

  client_request begin(operation what, const parameters& given) {
    client_request a;
    a.what = what;
    a.to = response_handle{from_};
    a.received = r_.received;
    a.game_id = given.text("game_id");
    a.kept = keep(given);
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
    a.repeated_after = update_before(given);
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
    const auto who = caller_of(given);
    if (!who) return fail(bad_request("client_id is missing"));
    if (const auto later = service_.limiter().try_acquire(origin_, who->key, r_.received))
      return fail(*later);
    const auto act = what == operation::webhook ? show_webhook : remove_webhook;
    act(service_, who->key, response_handle{from_});
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
    // Before its game was looked for it was held.
    if (!kept_ && !hold_stream()) return fail(too_many_streams());
    const auto stream = std::make_shared<update_stream>(service_, from_, *game,
                                                        std::get<read_request>(wanted), pause_);
    from_->attach(stream);
    if (kept_ && kept_->watched_at) stream->watch_at(kept_->watched_at->value);
    start(stream, caller_of(given), keep(given));
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
    const auto kept = keep(given);
    if (kept) kept->is_guest = is_guest_here(given);
    std::size_t i = 0;
    for (const auto& part : stream->begin(service_, wanted)) {
      const auto& game = wanted.games[i++];
      if (!kept) {
        start(part, caller_of(given), nullptr);
        continue;
      }
      service_.relay()->find(
          service_, game.game, {},
          [&at = service_, kept, stream, part, game](std::optional<member_id> there) {
            const bool watches = there && kept->is_guest && at.relay()->port().can_watch(*there);
            if (there && !watches) return follow_elsewhere(at, *kept, *stream, game, *there);
            if (watches) part->watch_at(there->value);
            start_here(kept, part);
          });
    }
  }

  static void start_here(const std::shared_ptr<kept_request>& kept,
                         const std::shared_ptr<update_stream>& part) {
    const auto view = view_of(kept->what);
    dispatcher again{kept->from->service(), kept->from, view, kept->what};
    const auto id = client_id::read(kept->client_id);
    again.start(part, id ? std::optional{caller{id->key(), id->reveal()}} : std::nullopt, nullptr);
  }

  // The other hub has a combined stream of this one game.
  static void follow_elsewhere(loop_service& at, const kept_request& all, combined_stream& stream,
                               const followed_game& game, member_id there) {
    const auto one = std::make_shared<kept_request>();
    one->what = all.what;
    one->what.names = {"games"};
    one->what.values = {std::to_string(game.game.value) + '.' + std::to_string(game.after)};
    for (std::size_t i = 0; i < all.what.names.size(); ++i) {
      if (all.what.names[i] != "offers") continue;
      one->what.names.push_back(all.what.names[i]);
      one->what.values.push_back(all.what.values[i]);
    }
    one->asked = true;
    const auto request = std::make_shared<relayed_request>(*at.relay(), one, at,
                                                           stream.output_of_other_hub(game.game));
    stream.replace(game.game, request);
    request->start(there);
  }

  // Starts a stream as its client, who may be a player of the game, or as a guest.
  void start(const std::shared_ptr<update_stream>& stream, const std::optional<caller>& who,
             std::shared_ptr<kept_request> kept) {
    if (!who) return stream->start(nullptr, std::nullopt);
    client_request a;
    a.what = operation::updates;
    a.received = r_.received;
    a.kept = std::move(kept);
    a.stream = stream;
    forward_to_client(std::move(a), *who);
  }

  // Holds the place of a stream or WebSocket. The connections of a trusted proxy are not counted.
  bool hold_stream() {
    if (!origin_.by_proxy || connection_ == nullptr) return true;
    auto hold = address_hold::of_one(service_.account_of(origin_), address_limit::connections);
    if (hold) connection_->keep(*std::move(hold));
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
    // Each hub lists all games that have ended.
    query.open = reader_.has_value();
    std::shared_ptr<cluster_list> all;
    if (const auto kept = query.status == game_status::ended ? nullptr : keep(given)) {
      all = std::make_shared<cluster_list>(kept, query.limit);
      all->start();
    }
    service_.games().list(query, [to = response_handle{from_}, &at = service_, all,
                                  origin = origin_](const game_page& page) {
      const auto now = std::chrono::steady_clock::now();
      // A page of a rare engine or name may have cost the reading of many logs.
      at.limiter().charge(
          origin, static_cast<std::uint32_t>(page.logs_read / limits::http_logs_per_request), now);
      response r;
      r.body = game_list(page, now, at.latest_notice());
      all ? all->add_own(std::move(r.body), 0) : to.send(at, std::move(r));
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
    const auto who = caller_of(given);
    if (!who) return look_as_guest(a);
    if (const auto there = service_.clients().find(who->key)) return pass_on(there, std::move(a));
    if (service_.limiter().try_acquire(origin_, who->key, r_.received)) return look_as_guest(a);
    resume_player(std::move(a), *who);
  }

  void look_as_guest(const client_request& a) {
    answer_guest(service_, a, service_.account_of(origin_));
  }

  // Handles a request whose session may not exist yet.
  void open_session(client_request&& a, const parameters& given) {
    auto id = caller_of(given);
    const bool is_new = !id;
    if (is_new) {
      const auto made = *client_id::read(service_.random().secret());
      id = caller{made.key(), made.reveal()};
    }
    if (const auto later = service_.limiter().try_acquire(origin_, id->key, r_.received))
      return fail(*later);
    if (a.what == operation::connect) a.client_id = id->secret;
    a.opens = a.what == operation::connect || opens_;
    if (const auto there = is_new ? nullptr : service_.clients().find(id->key))
      return pass_on(there, std::move(a));
    // The reader opens a session if the player is not here.
    if (reader_) return resume_player(std::move(a), *id);
    a.client_id = id->secret;
    a.opens = true;
    if (a.kept) {
      a.kept->client_id = id->secret;
      a.kept->what.digest = id->key.text();
      a.kept->what.opens = true;
    }
    sign_in who;
    const bool named = given.has("name");
    who.choice = named ? name_choice::exact : name_choice::any;
    who.name = named ? std::string{given.text("name")} : guest_name();
    who.resume_secret = id->secret;
    who.proposes_secret = true;
    create_player(id->key, std::move(a), std::move(who));
  }

  // Handles a request of an existing session, or of one that can be resumed.
  void forward_to_client(client_request&& a, const parameters& given) {
    const auto who = caller_of(given);
    who ? forward_to_client(std::move(a), *who) : fail(bad_request("client_id is missing"));
  }

  void forward_to_client(client_request&& a, const caller& id) {
    if (const auto later = service_.limiter().try_acquire(origin_, id.key, r_.received)) {
      // The game may be read by everybody.
      if (a.stream) return a.stream->start(nullptr, std::nullopt);
      return fail(*later);
    }
    if (const auto there = service_.clients().find(id.key)) return pass_on(there, std::move(a));
    resume_player(std::move(a), id);
  }

  void resume_player(client_request&& a, const caller& id) {
    sign_in who;
    who.resume_secret = id.secret;
    who.only_resume = true;
    who.game = http_player::game_of(a);
    if (reader_)
      who.relayed = std::make_shared<const relayed_player>(
          relayed_player{id.key.text(), false, reader_->value, 0});
    create_player(id.key, std::move(a), std::move(who));
  }

  void create_player(const client_key& key, client_request&& a, sign_in who) {
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

  void pass_on(const std::shared_ptr<http_player>& to, client_request&& a) {
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
    if (pause_.count() > 0) return from_->answer_delayed(to_response(e), pause_);
    from_->answer(to_response(e));
  }

  loop_service& service_;
  const std::shared_ptr<responder> from_;
  connection* const connection_ = nullptr;  // null: it has been read before
  const request& r_;
  const rate_limiter::origin origin_;
  const limits::seconds pause_;
  std::shared_ptr<kept_request> kept_;
  std::optional<member_id> reader_;  // the hub that has read it; none: this one
  std::optional<caller> caller_;     // of that
  bool opens_ = false;               // the request that it has read opens a session
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

void dispatch_again(const std::shared_ptr<kept_request>& kept) {
  dispatcher{kept->from->service(), kept->from, view_of(kept->what), kept->what}.run_again(kept);
}

void dispatch_relayed(loop_service& at, const std::shared_ptr<responder>& from, member_id reader,
                      const relay::web_request& what) {
  dispatcher{at, from, view_of(what), what}.run_for(reader, what);
}

}  // namespace gamehub::gateways::http
