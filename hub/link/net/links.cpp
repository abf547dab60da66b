#include "hub/link/net/links.hpp"

#include "hub/link/net/worker.hpp"

#include <utility>

namespace gamehub::link::net {

links::links(links_options o, links_events e)
    : worker_(std::make_unique<worker>(std::move(o), std::move(e))) {}
links::~links() { stop(); }

std::uint16_t links::port() const { return worker_->port(); }
void links::start() { worker_->start(); }
void links::set_members(std::vector<peer> all) { worker_->set_members(std::move(all)); }
std::size_t links::unanswered_bytes(journal::member_id of) const {
  return worker_->unanswered_bytes(of);
}

bool links::send(journal::member_id to, std::string message) {
  return worker_->send(to, std::move(message));
}

void links::flush() { worker_->post_flush(); }
std::vector<link_status> links::status() const { return worker_->status(); }
link_numbers links::numbers() const { return worker_->numbers(); }
void links::stop() { worker_->stop(); }

}  // namespace gamehub::link::net
