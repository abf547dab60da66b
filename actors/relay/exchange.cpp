#include "actors/relay/exchange.hpp"

#include "actors/relay/followed_games.hpp"
#include "actors/relay/game_watchers.hpp"
#include "actors/relay/home_client.hpp"

#include <caf/send.hpp>

#include <algorithm>
#include <iterator>
#include <type_traits>
#include <utility>

namespace gamehub::actors::relay {

namespace {

namespace messages = gamehub::relay;

// The ids of clients of other hubs are above those of this hub's own.
constexpr std::uint64_t first_client = std::uint64_t{1} << 62;

// Of the 4 MiB that a link keeps: the rest is for what is said of players.
constexpr std::size_t web_bytes_max = 1024 * 1024;

constexpr bool is_web(const messages::message& m) {
  return std::visit(
      [](const auto& each) {
        using kind = std::decay_t<decltype(each)>;
        return std::is_same_v<kind, messages::web_request> ||
               std::is_same_v<kind, messages::web_taken> ||
               std::is_same_v<kind, messages::web_gone> ||
               std::is_same_v<kind, messages::web_part> ||
               std::is_same_v<kind, messages::web_answer> ||
               std::is_same_v<kind, messages::web_stream> ||
               std::is_same_v<kind, messages::web_end> ||
               std::is_same_v<kind, messages::guest_change>;
      },
      m);
}

// The level that a hub must have for a message; 0: each hub knows it.
constexpr std::uint32_t level_of(const messages::message& m) {
  return std::visit(
      [](const auto& each) {
        using kind = std::decay_t<decltype(each)>;
        if constexpr (std::is_same_v<kind, messages::web_request> ||
                      std::is_same_v<kind, messages::find_game>)
          return messages::web_level;
        else if constexpr (std::is_same_v<kind, messages::watch> ||
                           std::is_same_v<kind, messages::guest_change>)
          return messages::watch_level;
        else if constexpr (std::is_same_v<kind, messages::order>)
          return messages::order_level;
        else
          return 0u;
      },
      m);
}

// The number of a question of another lobby; none: it is something else.
constexpr std::optional<std::uint64_t> question_of(const messages::message& m) {
  return std::visit(
      [](const auto& each) -> std::optional<std::uint64_t> {
        using kind = std::decay_t<decltype(each)>;
        if constexpr (std::is_same_v<kind, messages::find_player> ||
                      std::is_same_v<kind, messages::find_opponent> ||
                      std::is_same_v<kind, messages::find_game>)
          return each.question;
        else
          return std::nullopt;
      },
      m);
}

constexpr bool is_about_orders(const messages::message& m) {
  return std::holds_alternative<messages::order>(m) ||
         std::holds_alternative<messages::order_answer>(m);
}

}  // namespace

exchange::exchange(exchange_options o)
    : options_(std::move(o)), self_(options_.self), next_client_(first_client) {}
exchange::~exchange() = default;

bool exchange::is_far(attachment_id client) { return client.value > first_client; }

void exchange::start(exchange_actors a) {
  const std::lock_guard lock{mutex_};
  actors_ = std::move(a);
  for (std::size_t i = 0; i < actors_->loops.size(); ++i) {
    auto& loop = *actors_->loops[i];
    games_.push_back({&loop,
                      std::make_shared<followed_games>(*this, loop, i, actors_->loops.size()),
                      std::make_shared<game_watchers>(*this, loop, actors_->spectators(i))});
  }
}

void exchange::stop() {
  const std::lock_guard lock{mutex_};
  to_all_games([](const loop_games& each) { each.followed->close(), each.watchers->close(); });
  games_.clear();
  actors_.reset();
  entries_.clear();
  // Their sessions would wait for them.
  for (const auto& [name, at] : std::exchange(homes_, {}))
    at.loop->post([client = at.client] { client->leave(); });
}

std::vector<member_id> exchange::others() const {
  const std::lock_guard lock{mutex_};
  return others_here();
}

std::vector<member_id> exchange::living() const {
  const std::lock_guard lock{mutex_};
  return {living_.begin(), living_.end()};
}

bool exchange::lives(member_id who) const {
  const std::lock_guard lock{mutex_};
  return who == self_ || living_.contains(who);
}

std::vector<member_id> exchange::others_here() const {
  std::vector<member_id> out;
  std::set_intersection(linked_.begin(), linked_.end(), greeted_.begin(), greeted_.end(),
                        std::back_inserter(out));
  return out;
}

void exchange::on_link(member_id who, bool up) {
  // An answer to no question.
  if (up) send(who, messages::answer{0, false, messages::present_level}, {});
  const std::lock_guard lock{mutex_};
  const bool changed = up ? linked_.insert(who).second : linked_.erase(who) != 0;
  if (changed && actors_) caf::anon_send(actors_->lobby, runtime::hubs_changed{});
}

void exchange::on_members(const std::vector<member_id>& all) {
  std::vector<member_id> gone;
  {
    const std::lock_guard lock{mutex_};
    std::set<member_id> now{all.begin(), all.end()};
    std::set_difference(living_.begin(), living_.end(), now.begin(), now.end(),
                        std::back_inserter(gone));
    lose(gone);
    living_ = std::move(now);
  }
  tell_web_of_lost(gone);
}

void exchange::join_as(member_id self) {
  std::vector<member_id> gone;
  {
    const std::lock_guard lock{mutex_};
    gone.assign(living_.begin(), living_.end());
    // A client can have its player at its own hub.
    gone.push_back(self_.exchange(self));
    lose(gone);
    living_.clear();
    if (actors_) caf::anon_send(actors_->lobby, runtime::hubs_changed{});
  }
  tell_web_of_lost(gone);
}

void exchange::lose(const std::vector<member_id>& gone) {
  const auto is_gone = [&](member_id who) {
    return std::find(gone.begin(), gone.end(), who) != gone.end();
  };
  for (const auto& [client, at] : entries_)
    if (is_gone(at.home))
      caf::anon_send(at.session, runtime::from_home{runtime::from_home::lost{}});
  for (const auto& [name, at] : homes_)
    if (is_gone(name.first)) at.loop->post([client = at.client] { client->lose_way(); });
  std::erase_if(homes_, [&](const auto& each) { return is_gone(each.first.first); });
  std::erase_if(unsent_ends_, [&](const auto& each) { return is_gone(each.first.first); });
  std::erase_if(linked_, is_gone);
  std::erase_if(greeted_, is_gone);
  std::erase_if(levels_, [&](const auto& each) { return is_gone(each.first); });
  std::erase_if(waiting_, [&](const auto& each) { return is_gone(each.first); });
  if (!gone.empty())
    to_all_games(
        [gone](const loop_games& each) { each.followed->lose(gone), each.watchers->lose(gone); });
}

void exchange::tell_web_of_lost(const std::vector<member_id>& gone) {
  if (gone.empty()) return;
  const std::lock_guard lock{web_mutex_};
  if (web_ != nullptr) web_->on_lost(gone);
}

bool exchange::has_room(member_id to) const {
  return !options_.kept || options_.kept(to) < web_bytes_max;
}

std::optional<member_id> exchange::league() const {
  const std::lock_guard lock{mutex_};
  return league_ == self() ? std::nullopt : league_;
}

void exchange::set_league(std::optional<member_id> who) {
  const std::lock_guard lock{mutex_};
  league_ = who;
}

void exchange::find_game(game_id game, std::string invitation,
                         std::function<void(std::optional<member_id>)> found) {
  {
    const std::lock_guard lock{mutex_};
    if (actors_)
      return caf::anon_send(actors_->lobby,
                            runtime::locate_game{game, std::move(invitation), std::move(found)});
  }
  found(std::nullopt);
}

void exchange::serve(gamehub::relay::web_receiver* to) {
  const std::lock_guard lock{web_mutex_};
  web_ = to;
}

void exchange::serve_orders(order_receiver to) {
  const std::lock_guard lock{order_mutex_};
  orders_ = std::move(to);
}

bool exchange::send(member_id to, const messages::message& m, base::instant now) {
  if (to == self_) {
    {
      const std::lock_guard lock{mutex_};
      if (!actors_) return false;
      receive(to, m);
    }
    send_unsent(now);
    return true;
  }
  if (const auto needed = level_of(m); needed != 0) {
    const std::lock_guard lock{mutex_};
    if (!has_level(to, needed)) return false;
    if (std::holds_alternative<messages::web_request>(m)) ++numbers_.web_passed;
    if (std::holds_alternative<messages::order>(m)) ++numbers_.orders_passed;
  }
  auto bytes = messages::encode(m, now);
  const bool done = bytes && options_.send(to, *std::move(bytes));
  if (done && options_.flush) {
    auto* const loop = runtime::loop::of_this_thread();
    loop != nullptr ? loop->flush_links(options_.flush) : options_.flush();
  }
  const std::lock_guard lock{mutex_};
  ++(done ? numbers_.sent : numbers_.unsent);
  return done;
}

bool exchange::has_level(member_id who, std::uint32_t needed) const {
  const auto level = levels_.find(who);
  return level != levels_.end() && level->second >= needed;
}

bool exchange::can_watch(member_id at) const {
  const std::lock_guard lock{mutex_};
  return has_level(at, messages::watch_level) &&
         followed_ < static_cast<std::int64_t>(followed_games::games_max);
}

// A game that no object follows is dropped with its subscription.
void exchange::watch(member_id at, game_id game, std::shared_ptr<runtime::subscription> by) {
  const std::lock_guard lock{mutex_};
  to_games(game.value, [at, game, by = std::move(by)](const loop_games& to) {
    to.followed->add(at, game, by);
  });
}

void exchange::replay(game_id game, std::function<void(std::optional<game_replay>)> to) {
  {
    const std::lock_guard lock{mutex_};
    if (!games_.empty())
      return to_games(game.value, [game, to = std::move(to)](const loop_games& of) {
        to(of.followed->replay_of(game));
      });
  }
  to(std::nullopt);
}

void exchange::count_wrong() {
  const std::lock_guard lock{mutex_};
  ++numbers_.wrong;
}

bool exchange::enter(attachment_id client, member_id home, runtime::session_actor to) {
  const std::lock_guard lock{mutex_};
  if (home != self_ && !living_.contains(home)) return false;
  entries_[client] = {home, std::move(to)};
  return true;
}

void exchange::leave(attachment_id client) {
  const std::lock_guard lock{mutex_};
  entries_.erase(client);
}

void exchange::count_return() {
  const std::lock_guard lock{mutex_};
  ++numbers_.returned;
}

void exchange::count_questions(std::size_t open) {
  const std::lock_guard lock{mutex_};
  numbers_.questions = open;
}

exchange::numbers exchange::count() const {
  const std::lock_guard lock{mutex_};
  auto out = numbers_;
  out.hubs = others_here().size();
  out.entries = entries_.size();
  out.homes = homes_.size();
  out.watched_there = static_cast<std::uint64_t>(std::max<std::int64_t>(0, followed_));
  out.watched_here = static_cast<std::uint64_t>(std::max<std::int64_t>(0, watchers_));
  out.watches_refused = watches_refused_;
  std::copy(refused_.begin(), refused_.end(), out.refused.begin());
  return out;
}

std::optional<messages::fault> exchange::on_message(member_id from, std::string_view bytes,
                                                    base::instant now) {
  auto found = messages::decode(bytes, now);
  if (!found) return std::nullopt;
  if (const auto* wrong = std::get_if<messages::fault>(&*found)) {
    const std::lock_guard lock{mutex_};
    ++numbers_.wrong;
    return *wrong;
  }
  auto& m = std::get<messages::message>(*found);
  bool too_much = false;
  {
    const std::lock_guard lock{mutex_};
    // It was sent by a hub that has died since, or is fenced.
    if (!living_.contains(from)) return std::nullopt;
    ++numbers_.received;
    if (greeted_.insert(from).second && actors_)
      caf::anon_send(actors_->lobby, runtime::hubs_changed{});
    if (const auto* a = std::get_if<messages::answer>(&m); a != nullptr && a->question == 0)
      levels_[from] = a->level;
    if (std::holds_alternative<messages::web_request>(m)) ++numbers_.web_answered;
    if (std::holds_alternative<messages::order>(m)) ++numbers_.orders_answered;
    too_much = is_too_much(from, m);
    if (actors_ && !too_much && !is_web(m) && !is_about_orders(m)) receive(from, std::move(m));
  }
  if (too_much) {
    count_refused(messages::demand::question);
    if (const auto number = question_of(m)) send(from, messages::answer{*number, false}, now);
    return std::nullopt;
  }
  if (is_about_orders(m)) {
    const std::lock_guard lock{order_mutex_};
    if (orders_) orders_(from, std::move(m));
    return std::nullopt;
  }
  if (is_web(m)) {
    const std::lock_guard lock{web_mutex_};
    if (web_ != nullptr) web_->on_web(from, std::move(m));
  }
  send_unsent(now);
  return std::nullopt;
}

void exchange::receive(member_id from, messages::message m) {
  std::visit(
      [&](auto& each) {
        using kind = std::decay_t<decltype(each)>;
        if constexpr (std::is_same_v<kind, messages::attach>) {
          ++numbers_.attached;
          sign_in as;
          as.only_resume = true;
          as.relayed = std::make_shared<const relayed_player>(
              relayed_player{std::move(each.digest), false, from.value, each.client.moves});
          open(from, each.client, each.ticket, std::move(as));
        } else if constexpr (std::is_same_v<kind, messages::arrive>) {
          sign_in as;
          as.name = std::move(each.name);
          as.relayed = std::make_shared<const relayed_player>(
              relayed_player{std::move(each.digest), true, from.value, each.client.moves,
                             std::move(each.former_names)});
          open(from, each.client, 0, std::move(as));
        } else if constexpr (std::is_same_v<kind, messages::request>) {
          const auto client = each.client;
          to_home(from, client, [what = std::move(each)](home_client& c) { c.submit(what); });
        } else if constexpr (std::is_same_v<kind, messages::presence>) {
          to_home(from, each.client,
                  [until = each.kept_until](home_client& c) { c.set_away(until); });
        } else if constexpr (std::is_same_v<kind, messages::depart>) {
          to_home(from, each.client,
                  [lost = each.way_lost](home_client& c) { lost ? c.lose_way() : c.leave(); });
          homes_.erase({from, each.client});
        } else if constexpr (std::is_same_v<kind, messages::told>) {
          to_entry(from, each.client, {std::move(each.what)});
        } else if constexpr (std::is_same_v<kind, messages::accepted>) {
          ++numbers_.moves;
          to_entry(from, each.client, {runtime::from_home::accepted{}});
        } else if constexpr (std::is_same_v<kind, messages::closed>) {
          to_entry(from, each.client, {each.why});
        } else if constexpr (std::is_same_v<kind, messages::watch> ||
                             std::is_same_v<kind, messages::watch_taken> ||
                             std::is_same_v<kind, messages::watch_gone>) {
          to_games(each.number,
                   [from, m = each](const loop_games& to) { to.watchers->receive(from, m); });
        } else if constexpr (std::is_same_v<kind, messages::watch_found> ||
                             std::is_same_v<kind, messages::watch_update> ||
                             std::is_same_v<kind, messages::watch_present> ||
                             std::is_same_v<kind, messages::watch_end>) {
          to_games(each.number, [from, m = std::move(each)](const loop_games& to) mutable {
            to.followed->receive(from, m);
          });
        } else {
          to_lobby(from, std::move(each));
        }
      },
      m);
}

void exchange::to_lobby(member_id from, messages::message m) {
  caf::anon_send(actors_->lobby, runtime::from_hub{from, std::move(m), waiting_[from].add()});
}

bool exchange::is_too_much(member_id from, const messages::message& m) const {
  if (!question_of(m) && !std::holds_alternative<messages::answer>(m)) return false;
  const auto of = waiting_.find(from);
  return of != waiting_.end() && of->second.count() >= lobby_messages_max;
}

void exchange::to_games(std::uint64_t number, std::function<void(const loop_games&)> to) {
  if (games_.empty()) return;
  const auto& of = games_[number % games_.size()];
  of.loop->post([of, to = std::move(to)] { to(of); });
}

void exchange::to_all_games(const std::function<void(const loop_games&)>& to) {
  for (const auto& each : games_) each.loop->post([each, to] { to(each); });
}

void exchange::to_entry(member_id from, attachment_id client, runtime::from_home what) {
  const auto at = entries_.find(client);
  if (at != entries_.end() && at->second.home == from)
    caf::anon_send(at->second.session, std::move(what));
}

void exchange::to_home(member_id from, attachment_id client,
                       std::function<void(home_client&)> call) {
  const auto at = homes_.find({from, client});
  if (at == homes_.end()) return;
  at->second.loop->post([who = at->second.client, call = std::move(call)] { call(*who); });
}

void exchange::open(member_id from, const messages::client_at& who, gamehub::ticket number,
                    sign_in as) {
  const auto& wires = actors_->directory->wires;
  const auto wire = std::find_if(wires.begin(), wires.end(), [&](const auto& w) {
    return w.name == who.wire && w.crossing != hub_crossing::none;
  });
  const client_name name{from, who.id};
  if (wire == wires.end() || homes_.contains(name)) {
    unsent_ends_[name] = close_reason::failed;
    return;
  }
  as.features = who.features;
  const auto index = next_loop_++ % actors_->loops.size();
  auto& where = *actors_->loops[index];
  const auto account =
      who.address && options_.account_of ? options_.account_of(*who.address) : nullptr;
  auto client = std::make_shared<home_client>(
      *this, where, from, who.id, attachment_id{++next_client_}, as.relayed->moves, account);
  homes_[name] = {client, &where};
  auto& acceptor = actors_->acceptor(static_cast<std::size_t>(wire - wires.begin()), index);
  const bool by_requests = wire->crossing == hub_crossing::requests;
  where.post([this, client, name, number, by_requests, as = std::move(as), &acceptor] {
    auto why = close_reason::hub_full;
    auto session = acceptor.accept(client, why);
    if (!session) return end_client(name, why);
    client->begin(std::move(session), number, as);
    if (by_requests) client->await_successor();
  });
}

void exchange::end_client(client_name name, close_reason why) {
  {
    const std::lock_guard lock{mutex_};
    homes_.erase(name);
    unsent_ends_[name] = why;
  }
  send_unsent({});
}

void exchange::send_unsent(base::instant now) {
  std::map<client_name, close_reason> ends;
  {
    const std::lock_guard lock{mutex_};
    ends.swap(unsent_ends_);
  }
  for (const auto& [name, why] : ends) {
    if (send(name.first, messages::closed{name.second, why}, now)) continue;
    const std::lock_guard lock{mutex_};
    if (unsent_ends_.size() < unsent_ends_max) unsent_ends_.emplace(name, why);
  }
}

}  // namespace gamehub::actors::relay
