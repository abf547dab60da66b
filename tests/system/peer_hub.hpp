// A member of a cluster without players or games, as another hub sees it: a row, heartbeats, and
// links. Its messages are those of a test. One thread, beside its own ones.
#pragma once

#include "hub/cluster/membership.hpp"
#include "hub/cluster/postgres/postgres_members.hpp"
#include "hub/journal/postgres/postgres_log.hpp"
#include "hub/link/net/links.hpp"
#include "hub/relay/codec.hpp"

#include <chrono>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace gamehub::tests::system {

class peer_hub {
 public:
  using member_id = journal::member_id;
  // Called with each message of another hub, on the thread of the links.
  using listener = std::function<void(peer_hub&, member_id from, relay::message&)>;

  peer_hub(const std::string& target, listener on_message)
      : on_message_(std::move(on_message)), log_({target, "127.0.0.1", "test"}) {
    log_.open();
    link::net::links_options o;
    o.cluster = log_.cluster();
    o.self = log_.self();
    links_ = std::make_unique<link::net::links>(
        std::move(o), link::net::links_events{
                          .on_up =
                              [this](member_id to) {
                                send(to, relay::answer{0, false, relay::present_level});
                              },
                          .on_broken = {},
                          .on_message = [this](member_id from,
                                               std::string_view bytes) { receive(from, bytes); }});
    if (!log_.publish_link("127.0.0.1:" + std::to_string(links_->port())))
      throw std::runtime_error{"the address of the peer was not written"};
    links_->start();
    members_ = std::make_unique<cluster::membership>(
        cluster::postgres::make_postgres_members(target, log_.self()), log_.self(),
        cluster::member_actions{.games = [] { return 0; },
                                .adopt = [](member_id) {},
                                .on_fenced = [] {},
                                .on_trouble = [](const std::string&) {},
                                .on_rows = [this](const auto& rows) { connect(rows); }});
    members_->start();
  }
  ~peer_hub() {
    members_->stop();
    links_->stop();
  }
  peer_hub(const peer_hub&) = delete;
  peer_hub& operator=(const peer_hub&) = delete;

  // Returns false if the link takes no more.
  bool send(member_id to, const relay::message& m) {
    const auto sent = links_->send(to, *relay::encode(m, std::chrono::steady_clock::now()));
    links_->flush();
    return sent;
  }

 private:
  void connect(const std::vector<cluster::member_row>& rows) {
    std::vector<link::net::peer> peers;
    for (const auto& r : rows)
      if (r.id != log_.self() && cluster::is_here(r) && !r.link.empty())
        peers.push_back({r.id, r.link});
    links_->set_members(std::move(peers));
  }
  void receive(member_id from, std::string_view bytes) {
    auto found = relay::decode(bytes, std::chrono::steady_clock::now());
    if (!found) return;
    if (auto* const m = std::get_if<relay::message>(&*found)) on_message_(*this, from, *m);
  }

  const listener on_message_;
  journal::postgres::postgres_log log_;
  std::unique_ptr<link::net::links> links_;
  std::unique_ptr<cluster::membership> members_;
};

}  // namespace gamehub::tests::system
