// What of a hub crosses to the other hubs of its cluster: for its clients whose player is at
// another hub (this one is their entry), for its players whose client is at another one (this one
// is their home), and for its lobby. Owned by the composition; it outlives the actors. Any thread
// may call it.
#pragma once

#include "actors/runtime/interfaces.hpp"
#include "actors/runtime/loop.hpp"
#include "actors/runtime/subscription.hpp"
#include "actors/table/engine_directory.hpp"
#include "hub/core/address_ledger.hpp"
#include "hub/relay/codec.hpp"
#include "hub/relay/in_hand.hpp"
#include "hub/relay/web_port.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace gamehub::actors::relay {

using gamehub::relay::member_id;

class followed_games;
class game_watchers;
class home_client;

struct exchange_options {
  member_id self;
  // Sends a message to another member, at the latest when flush() is called. Returns false if it
  // can't be sent: its link takes no more, or it is gone. Any thread calls it.
  std::function<bool(member_id, std::string)> send;
  // The account of a client's address; empty: no limits.
  std::function<address_account_ref(const base::address_bytes&)> account_of = {};
  // The bytes that the link to a member keeps, because it has not acknowledged them; empty: none.
  std::function<std::size_t(member_id)> kept = {};
  // Called after send(), once for all messages of one iteration of a loop; empty: each message goes
  // at once. Any thread calls it.
  std::function<void()> flush = {};
};

// The actors of this hub.
struct exchange_actors {
  const table::engine_directory* directory = nullptr;
  runtime::lobby_actor lobby;
  std::vector<runtime::loop*> loops;  // of clients
  std::function<session_acceptor&(std::size_t wire, std::size_t loop)> acceptor;
  std::function<spectator_service&(std::size_t loop)> spectators;
};

class exchange final : public gamehub::relay::web_port, public runtime::far_games {
 public:
  struct numbers {
    std::uint64_t hubs = 0;       // that can be asked
    std::uint64_t questions = 0;  // of the lobby
    std::uint64_t moves = 0;      // players of this hub that moved to another one
    std::uint64_t returned = 0;   // clients that went on after the end of their home
    std::uint64_t attached = 0;   // clients of other hubs that asked for their player here
    std::uint64_t entries = 0;    // clients of this hub whose player is at another one
    std::uint64_t homes = 0;      // clients of other hubs whose player is at this one
    std::uint64_t sent = 0, received = 0;
    std::uint64_t unsent = 0;  // the link took no more, or the message was too long
    std::uint64_t wrong = 0;   // no messages
    // Requests over HTTP: read here and answered there, and the other way round.
    std::uint64_t web_passed = 0, web_answered = 0;
    // Games of other hubs that are watched here, and games here by hubs that watch them.
    std::uint64_t watched_there = 0, watched_here = 0;
    std::uint64_t watches_refused = 0;  // that hub watched too many
    // Orders of operators, likewise.
    std::uint64_t orders_passed = 0, orders_answered = 0;
    std::array<std::uint64_t, gamehub::relay::demands.size()> refused{};  // by demand
  };

  // Messages of another hub that wait for the lobby of this one. Its questions beyond them are
  // answered with no, its answers dropped.
  static constexpr std::size_t lobby_messages_max = 16'384;
  // Ends of attachments that a link without room keeps, of all hubs.
  static constexpr std::size_t unsent_ends_max = 1'000'000;

  explicit exchange(exchange_options);
  virtual ~exchange();
  exchange(const exchange&) = delete;
  exchange& operator=(const exchange&) = delete;

  // From start() to stop() messages go to these actors; others are dropped.
  void start(exchange_actors);
  void stop();

  member_id self() const { return self_; }
  // This hub is another member from now on: what it had with others has ended, as if they did not
  // live any more. Requires: nothing comes for the former member any more.
  void join_as(member_id);
  // True if this attachment is that of a client of another hub.
  static bool is_far(attachment_id);
  // The members with a link to this one, which can be asked.
  std::vector<member_id> others() const override;

  // The members that live, but this one: also those that can't be asked.
  std::vector<member_id> living() const;
  // False for a member that has gone: the sessions of its clients have been told so.
  bool lives(member_id) const;

  // The link to a member is up, or broke: it repeats what was sent.
  void on_link(member_id, bool up);
  // These members live: messages of others are dropped. Clients and players of one that does not
  // live any more are lost.
  void on_members(const std::vector<member_id>&);
  // A message of another member. Returns what is wrong with it, for a log.
  std::optional<gamehub::relay::fault> on_message(member_id from, std::string_view,
                                                  base::instant now);

  // Returns false if it can't be sent now. To this hub itself, too: a client whose home is gone
  // goes on where its games are.
  bool send(member_id, const gamehub::relay::message&, base::instant now) override;

  bool has_room(member_id) const override;
  std::optional<member_id> league() const override;
  // This member has the bots of the cluster; none: it is not known.
  void set_league(std::optional<member_id>);
  void find_game(game_id, std::string invitation,
                 std::function<void(std::optional<member_id>)> found) override;
  void serve(gamehub::relay::web_receiver*) override;
  bool can_watch(member_id) const override;

  void watch(member_id, game_id, std::shared_ptr<runtime::subscription>) override;
  void replay(game_id, std::function<void(std::optional<game_replay>)>) override;

  // What the objects of the loops count.
  void add_followed(std::int64_t games) { followed_ += games; }
  void add_watchers(std::int64_t hubs) { watchers_ += hubs; }
  void count_refused_watch() { ++watches_refused_; }
  void count_refused(gamehub::relay::demand what) override {
    ++refused_[static_cast<std::size_t>(what)];
  }
  // A message of another hub has no sense.
  void count_wrong();

  // Gets what other hubs say of orders of operators, on the thread of a link, which it must not
  // block. Null: it is dropped. Returns when no call to the former one is under way.
  using order_receiver = std::function<void(member_id from, gamehub::relay::message)>;
  void serve_orders(order_receiver);

  // The number of questions of the lobby that other hubs have not answered.
  void count_questions(std::size_t open);

  // What the home of this client says goes to this session, until leave(). Returns false if that
  // hub does not live.
  bool enter(attachment_id, member_id home, runtime::session_actor);
  void leave(attachment_id);
  // A client has gone on at another hub after the end of its home.
  void count_return();

  numbers count() const;

 private:
  friend class home_client;

  using client_name = std::pair<member_id, attachment_id>;
  struct home_entry {
    std::shared_ptr<home_client> client;
    runtime::loop* loop = nullptr;
  };
  struct entry {
    member_id home;
    runtime::session_actor session;
  };

  // The games of one loop.
  struct loop_games {
    runtime::loop* loop = nullptr;
    std::shared_ptr<followed_games> followed;
    std::shared_ptr<game_watchers> watchers;
  };

  // The following require the mutex, but for the last three.
  std::vector<member_id> others_here() const;
  // Clients and players of these hubs are lost.
  void lose(const std::vector<member_id>&);
  bool has_level(member_id, std::uint32_t needed) const;
  void to_entry(member_id from, attachment_id, runtime::from_home);
  void to_home(member_id from, attachment_id, std::function<void(home_client&)>);
  void receive(member_id from, gamehub::relay::message);
  void to_lobby(member_id from, gamehub::relay::message);
  // Returns true if the message is for the lobby, and too many of that hub wait for it.
  bool is_too_much(member_id from, const gamehub::relay::message&) const;
  // Calls `to` on the loop of the games with this number.
  void to_games(std::uint64_t number, std::function<void(const loop_games&)> to);
  void to_all_games(const std::function<void(const loop_games&)>& to);
  void open(member_id from, const gamehub::relay::client_at&, gamehub::ticket, sign_in);
  // Says that the client's attachment has ended; again until that can be sent.
  void end_client(client_name, close_reason);
  void send_unsent(base::instant now);
  void tell_web_of_lost(const std::vector<member_id>&);

  const exchange_options options_;
  std::atomic<member_id> self_;
  mutable std::mutex mutex_;
  // Guarded by the mutex:
  std::optional<exchange_actors> actors_;
  // Linked; alive; builds with these messages, which say so when they are linked.
  std::set<member_id> linked_, living_, greeted_;
  std::map<member_id, std::uint32_t> levels_;  // of the messages that a member knows
  // Messages of a member that wait for the lobby.
  std::map<member_id, gamehub::relay::in_hand> waiting_;
  std::unordered_map<attachment_id, entry> entries_;
  std::map<client_name, home_entry> homes_;
  std::map<client_name, close_reason> unsent_ends_;
  std::vector<loop_games> games_;
  std::size_t next_loop_ = 0;
  std::uint64_t next_client_ = 0;
  numbers numbers_;
  std::optional<member_id> league_;

  std::atomic<std::int64_t> followed_{0}, watchers_{0};
  std::atomic<std::uint64_t> watches_refused_{0};
  std::array<std::atomic<std::uint64_t>, gamehub::relay::demands.size()> refused_{};

  std::mutex web_mutex_;  // not locked while the other one is
  gamehub::relay::web_receiver* web_ = nullptr;
  std::mutex order_mutex_;  // likewise
  order_receiver orders_;
};

}  // namespace gamehub::actors::relay
