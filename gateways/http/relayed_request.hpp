// A request that another hub of the cluster answers: passes the response on to where the request
// came from. It lives on the loop of its responder, shared by that and by the relay.
#pragma once

#include "gateways/http/request_relay.hpp"
#include "gateways/http/stream_output.hpp"

#include <cstdint>
#include <memory>
#include <string>

namespace gamehub::gateways::http {

class relayed_request final : public attached_stream,
                              public std::enable_shared_from_this<relayed_request> {
 public:
  // The response goes to the output. If that is the request's own responder, the request is
  // dispatched again if need be.
  relayed_request(request_relay&, std::shared_ptr<kept_request>, loop_service& here,
                  std::shared_ptr<stream_output>);

  // Sends the request. Called once. Requires: attached to what has the output.
  void start(member_id to);
  loop_service& service() const { return service_; }

  // Messages of the other hub.
  void receive(gamehub::relay::web_part&);
  void receive(gamehub::relay::web_answer&);
  void receive(const gamehub::relay::web_stream&);
  void receive(const gamehub::relay::web_end&);
  // The other hub does not live any more.
  void lose();

  void stop() override;
  void on_timeout() override;
  void pause(bool) override;
  void on_shutdown() override;

 private:
  bool is_open() const { return number_ != 0; }
  // Nothing more comes. Returns the output.
  std::shared_ptr<stream_output> finish();
  bool may_repeat() const { return to_ == kept_->from; }
  // True if another hub may have what this one does not: it has answered with this status.
  bool is_elsewhere(int status) const;
  bool changes_something() const { return kept_->what.method != "GET"; }
  void take(std::size_t bytes);
  // The other hub sends more than it may: nothing more is taken.
  void give_up();
  void fail(std::string why);

  request_relay& relay_;
  std::shared_ptr<kept_request> kept_;
  std::shared_ptr<stream_output> to_;  // null: it has been answered, or the client has left
  loop_service& service_;
  member_id home_;
  std::uint64_t number_ = 0;
  std::string body_;               // of a response that is not a stream
  std::size_t untaken_bytes_ = 0;  // of a stream that is paused
  bool streams_ = false;
  bool paused_ = false;
};

}  // namespace gamehub::gateways::http
