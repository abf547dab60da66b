// The thread of the links and everything on it. Owned by links; any thread may call its public
// functions, which links.hpp describes.
#pragma once

#include "hub/base/endpoint.hpp"
#include "hub/base/random.hpp"
#include "hub/link/net/connection.hpp"
#include "hub/link/net/links.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace gamehub::link::net {

class links::worker final : public connection_owner {
 public:
  worker(links_options, links_events);
  ~worker() override;

  std::uint16_t port() const { return port_; }
  void start();
  void set_members(std::vector<peer>);
  bool send(journal::member_id, std::string message);
  void post_flush();
  std::size_t unanswered_bytes(journal::member_id) const;
  std::vector<link_status> status() const;
  link_numbers numbers() const;
  void stop();

 private:
  using member_id = journal::member_id;
  using connection_ref = std::shared_ptr<connection>;
  using lock = std::unique_lock<std::mutex>;

  // What is kept of one peer.
  struct member {
    member(const peer& p, const links_options& o, std::uint64_t seed, base::instant now)
        : state(p.id, o.unanswered_bytes_max),
          address(p.address),
          pause(o.connect_pause_min, o.connect_pause_max, seed),
          next_try(now),
          since(now) {}

    peer_state state;
    std::string address;
    connection_ref out, in;
    bool up_out = false, up_in = false;  // the connection has been answered
    bool up = false;                     // both are, and on_up() was called
    reconnect_pause pause;
    base::instant next_try, since;
    std::string why, build;
    bool drops = false;  // the latest send() was refused
  };
  using member_ref = std::shared_ptr<member>;

  // Of connections, on the thread.
  void on_open(connection&) override;
  void on_bytes(connection&, std::size_t) override;
  void on_written(connection&, std::size_t, bool done) override;
  void on_failure(connection&, const std::string& why, bool tls) override;

  void listen();
  void accept();
  void accept_client(tcp::socket, const tcp::endpoint&);
  void dial_all(base::instant now);
  void tick();
  void look_at(connection&, base::instant now);
  void flush();

  // With the mutex held, on the thread:
  void take(connection&, const frame&, lock&);
  void greet(connection&, const frame&);
  void count_in(connection&, const base::address_bytes&);
  void count_out(connection&);
  void note_up(member&);
  void end(connection&, break_cause, const std::string& why);
  void refuse(connection&, refusal);
  void count(refusal);
  void fill(connection&);
  void write(connection&);
  member* find(const connection&) const;
  void later(std::function<void()> event) { events_due_.push_back(std::move(event)); }
  // Calls the events that are due. The mutex is released.
  void finish(lock&);
  void close_all();

  const links_options options_;
  const links_events events_;
  const identity who_;
  std::optional<boost::asio::ssl::context> tls_;
  boost::asio::io_context io_;
  tcp::acceptor acceptor_;
  boost::asio::steady_timer timer_;
  std::uint16_t port_ = 0;
  bool accepting_ = false;
  std::thread thread_;

  mutable std::mutex mutex_;
  // Guarded by the mutex:
  std::map<member_id, member_ref> members_;
  std::set<connection_ref> unidentified_;  // accepted, without a valid hello
  std::map<base::address_bytes, std::size_t> unidentified_of_;
  link_numbers numbers_;  // those that are not in members_
  std::map<refusal, base::instant> logged_;
  std::vector<std::function<void()>> events_due_;
  base::system_entropy random_;
  bool flush_posted_ = false, stopped_ = false;
};

}  // namespace gamehub::link::net
