#include "gateways/http/cluster_list.hpp"

#include "gateways/http/list_merge.hpp"
#include "gateways/http/loop_service.hpp"
#include "gateways/http/relayed_request.hpp"

#include <chrono>
#include <utility>

namespace gamehub::gateways::http {

// Where the answer of one hub arrives.
class cluster_list::hub_output final : public stream_output {
 public:
  hub_output(std::weak_ptr<cluster_list> to, std::size_t hub) : to_(std::move(to)), hub_(hub) {}

  void charge_requests(std::uint32_t) override {}
  void set_poll_timeout(limits::seconds) override {}
  void begin_stream(std::string_view) override {}
  void send_chunk(std::initializer_list<std::string_view>) override {}
  void end_stream() override {
    if (const auto all = to_.lock()) all->on_answer(hub_, {}, 0);
  }
  void answer(const response& r) override {
    constexpr int good = 200;
    if (const auto all = to_.lock())
      all->on_answer(hub_, r.status == good ? r.body : std::string{}, r.extra_requests);
  }
  void answer_delayed(response r, limits::seconds) override { answer(r); }

 private:
  const std::weak_ptr<cluster_list> to_;
  const std::size_t hub_;
};

cluster_list::cluster_list(std::shared_ptr<kept_request> what, std::size_t limit)
    : kept_(std::move(what)), service_(kept_->from->service()), limit_(limit), bodies_(1) {}

void cluster_list::start() {
  const auto others = service_.relay()->port().others();
  bodies_.resize(1 + others.size());
  unanswered_ += others.size();
  const auto self = shared_from_this();
  for (std::size_t i = 0; i < others.size(); ++i) {
    const auto one = std::make_shared<kept_request>();
    one->what = kept_->what;
    one->asked = true;
    asked_.push_back(std::make_shared<relayed_request>(
        *service_.relay(), one, service_, std::make_shared<hub_output>(weak_from_this(), i + 1)));
    asked_.back()->start(others[i]);
  }
  timer_ = service_.loop().timers().arm(std::chrono::steady_clock::now() + time_max,
                                        [self] { self->answer(); });
}

void cluster_list::add_own(std::string body, std::uint32_t extra_requests) {
  on_answer(0, std::move(body), extra_requests);
}

void cluster_list::on_answer(std::size_t hub, std::string body, std::uint32_t extra_requests) {
  bodies_[hub] = std::move(body);
  // The other hub has worked for the address, too.
  extra_requests_ += extra_requests + (hub == 0 ? 0 : 1);
  if (--unanswered_ == 0) answer();
}

void cluster_list::answer() {
  if (std::exchange(answered_, true)) return;
  const auto self = shared_from_this();
  service_.loop().timers().cancel(std::exchange(timer_, {}));
  for (const auto& each : std::exchange(asked_, {})) each->stop();
  response r;
  r.body = merge_game_lists(bodies_, limit_);
  r.extra_requests = extra_requests_;
  kept_->from->answer(r);
}

}  // namespace gamehub::gateways::http
