// Hubs of a simulated cluster with links between all of them, for scenes that a test plays. Nothing
// fails unless the test says so. Used on one thread.
#pragma once

#include "tests/simulation/simulated_member.hpp"
#include "tests/support/catch.hpp"

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace gamehub::tests {

using client_ref = std::shared_ptr<test_client>;

class linked_hubs {
 public:
  explicit linked_hubs(std::size_t count, test_hub_options o = {.grace = std::chrono::seconds{60}})
      : options_(o) {
    cluster_.fault = [](std::string_view) { return log_fault::none; };
    for (std::size_t i = 0; i < count; ++i) {
      options_.seed = i + 1;
      members_.push_back(std::make_unique<simulated_member>(cluster_, options_, 1u << 20));
    }
    pass(std::chrono::seconds{1});
    for (auto& a : members_)
      for (auto& b : members_)
        if (a != b) a->on_link(b->id(), true);
    settle();
  }
  ~linked_hubs() {
    clients_.clear();
    members_.clear();
  }
  linked_hubs(const linked_hubs&) = delete;
  linked_hubs& operator=(const linked_hubs&) = delete;

  simulated_member& operator[](std::size_t i) { return *members_.at(i); }
  std::size_t size() const { return members_.size(); }

  client_ref connect(std::size_t at, std::size_t wire = test_hub::cells_wire,
                     address_account_ref of = nullptr) {
    clients_.push_back(members_.at(at)->hub().connect(wire, 0, std::move(of)));
    REQUIRE(clients_.back()->connected());
    return clients_.back();
  }
  // A client that has signed in with a name.
  client_ref enter(std::size_t at, const std::string& name, const std::string& secret = {}) {
    auto c = connect(at, test_hub::documents_wire);
    submit(*c, sign_in{name, secret});
    REQUIRE(c->last<signed_in>() != nullptr);
    return c;
  }
  void submit(test_client& c, intent what) {
    c.submit(std::move(what));
    settle();
  }
  // A seek may wait a moment before other hubs are asked.
  void seek(test_client& c, intent what) {
    submit(c, std::move(what));
    pass(std::chrono::milliseconds{100});
  }
  void disconnect(test_client& c) {
    c.disconnect();
    pass(std::chrono::seconds{1});
  }

  void settle() {
    for (int i = 0; i < 16; ++i)
      for (auto& each : members_)
        if (!each->paused) each->settle();
  }
  void pass(std::chrono::milliseconds time) {
    for (const auto end = cluster_.now + time; cluster_.now < end;) {
      cluster_.now += std::chrono::milliseconds{50};
      for (auto& each : members_)
        if (!each->paused) each->beat();
      settle();
    }
  }
  // What the two send each other waits, or arrives again.
  void cut(std::size_t a, std::size_t b, bool on) {
    const auto one = members_[a]->id(), other = members_[b]->id();
    for (const auto& way : {std::pair{one, other}, std::pair{other, one}})
      if (on)
        cluster_.cut.insert(way);
      else
        cluster_.cut.erase(way);
  }
  void drain(std::size_t i, bool secrets = true) {
    members_[i]->begin_drain(secrets, std::chrono::seconds{60});
    settle();
  }
  // The hub does nothing for so long that another one adopts it. When it goes on it is fenced.
  void pause(std::size_t i) {
    members_[i]->paused = true;
    for (auto& each : members_) each->on_link(members_[i]->id(), false);
    pass(std::chrono::seconds{3});
    members_[i]->paused = false;
  }
  // It learns that, and stays the entry of its clients if it can.
  void wake(std::size_t i) {
    pass(std::chrono::milliseconds{300});
    REQUIRE(members_[i]->fenced());
    members_[i]->leave_if_fenced();
    pass(std::chrono::milliseconds{300});
    if (!members_[i]->is_fenced_entry()) return;
    for (auto& each : members_)
      if (each != members_[i])
        each->on_link(members_[i]->id(), true), members_[i]->on_link(each->id(), true);
    pass(std::chrono::seconds{1});
  }
  // The hub runs no more, and its clients have gone.
  void kill(std::size_t i) {
    for (auto& each : members_)
      if (each != members_[i]) each->on_link(members_[i]->id(), false);
    for (auto& c : clients_)
      if (c->connected()) c->disconnect();
    members_.erase(members_.begin() + static_cast<std::ptrdiff_t>(i));
    settle();
  }
  simulated_cluster& cluster() { return cluster_; }
  std::size_t asleep() const {
    return cluster_.database.look([](const auto& s) { return s.asleep.size(); });
  }

 private:
  test_hub_options options_;
  simulated_cluster cluster_;
  std::vector<std::unique_ptr<simulated_member>> members_;
  std::vector<client_ref> clients_;
};

}  // namespace gamehub::tests
