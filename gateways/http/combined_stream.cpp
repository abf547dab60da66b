#include "gateways/http/combined_stream.hpp"

#include "gateways/http/loop_service.hpp"
#include "gateways/http/update_stream.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace gamehub::gateways::http {

// The last line of a game, after its id.
constexpr std::string_view done_members = "\"type\":\"done\"}\n";

// Where the stream of one game arrives, here or from another hub.
class combined_stream::game_output : public stream_output {
 public:
  game_output(std::weak_ptr<combined_stream> to, game_id game) : to_(std::move(to)), game_(game) {}

  void charge_requests(std::uint32_t more) override {
    if (const auto all = to_.lock(); all && all->output_) all->output_->charge_requests(more);
  }
  void set_poll_timeout(limits::seconds) override {}
  void begin_stream(std::string_view) override {}
  void answer_delayed(response r, limits::seconds) override { answer(r); }

 protected:
  const std::weak_ptr<combined_stream> to_;
  const game_id game_;
};

// Of this hub. Its heartbeats are left out: the whole has one.
class combined_stream::part_output final : public game_output {
 public:
  using game_output::game_output;

  void send_chunk(std::initializer_list<std::string_view> parts) override {
    const auto all = to_.lock();
    if (!all) return;
    for (const auto line : parts)
      if (line.starts_with('{')) all->send(game_, line.substr(1));
  }
  void end_stream() override {
    if (const auto all = to_.lock()) all->end(game_);
  }
  void break_off() override {
    if (const auto all = to_.lock()) all->break_off();
  }
  // The game has no further update, or can't be read.
  void answer(const response& r) override {
    if (!r.body.empty()) send_chunk({r.body + "\n"});
    end_stream();
  }
};

// Of another hub, in pieces that are not whole lines.
class combined_stream::other_hub_output final : public game_output {
 public:
  using game_output::game_output;

  void send_chunk(std::initializer_list<std::string_view> parts) override {
    const auto all = to_.lock();
    for (const auto part : parts) rest_ += part;
    for (auto end = rest_.find('\n'); all && end != rest_.npos; end = rest_.find('\n')) {
      const auto line = rest_.substr(0, end + 1);
      rest_.erase(0, end + 1);
      over_ = over_ || line.ends_with(done_members);
      if (line.starts_with('{') && all->output_) all->output_->send_chunk({line});
    }
  }
  void end_stream() override {
    const auto all = to_.lock();
    if (all) over_ ? all->end(game_, true) : all->break_off();
  }
  void answer(const response&) override { end_stream(); }

 private:
  std::string rest_;
  bool over_ = false;
};

combined_stream::combined_stream(std::shared_ptr<stream_output> to) : output_(std::move(to)) {}
combined_stream::~combined_stream() = default;

std::vector<std::shared_ptr<update_stream>> combined_stream::begin(loop_service& at,
                                                                   const follow_request& wanted) {
  output_->begin_stream(line_content_type);
  // The hub that has the client can't be told: that ended the stream.
  if (!output_) return {};
  if (wanted.notices) {
    listens_at_ = &at;
    at.add_listener(*this);
    if (const auto line = at.notice_line(); !line.empty()) on_notice(line);
  }
  std::vector<std::shared_ptr<update_stream>> made;
  for (const auto& each : wanted.games) {
    read_request request;
    request.after = each.after;
    request.offers = wanted.offers;
    request.notices = !wanted.notices;
    made.push_back(std::make_shared<update_stream>(
        at, std::make_shared<part_output>(weak_from_this(), each.game), each.game, request,
        limits::seconds{0}));
    parts_.push_back({each.game, made.back()});
  }
  return made;
}

std::shared_ptr<stream_output> combined_stream::output_of_other_hub(game_id game) {
  return std::make_shared<other_hub_output>(weak_from_this(), game);
}

void combined_stream::replace(game_id game, std::shared_ptr<attached_stream> by) {
  const auto at = std::find_if(parts_.begin(), parts_.end(),
                               [game](const auto& each) { return each.game == game; });
  if (at == parts_.end()) return by->stop();
  at->what = std::move(by);
}

void combined_stream::on_notice(const std::string& line) {
  if (output_) output_->send_chunk({line});
}

void combined_stream::stop() {
  output_.reset();
  if (auto* at = std::exchange(listens_at_, nullptr)) at->remove_listener(*this);
  for (const auto& each : std::exchange(parts_, {})) each.what->stop();
}

// A part ends if its offers are over.
void combined_stream::on_timeout() {
  const auto self = shared_from_this();
  for (const auto& each : std::vector{parts_}) each.what->on_timeout();
  if (output_) output_->send_chunk({line_heartbeat});
}

void combined_stream::pause(bool yes) {
  for (const auto& each : std::vector{parts_}) each.what->pause(yes);
}

void combined_stream::on_shutdown() {
  const auto self = shared_from_this();
  for (const auto& each : std::vector{parts_}) each.what->on_shutdown();
  if (output_ && is_over()) std::exchange(output_, nullptr)->end_stream();
}

bool combined_stream::is_over() const {
  return parts_.empty() && (listens_at_ == nullptr || listens_at_->stopping());
}

void combined_stream::send(game_id game, std::string_view members) {
  if (output_) output_->send_chunk({"{\"game\":\"", std::to_string(game.value), "\",", members});
}

void combined_stream::break_off() {
  const auto self = shared_from_this();
  if (const auto to = std::exchange(output_, nullptr)) to->end_stream();
}

void combined_stream::end(game_id game, bool told) {
  const auto self = shared_from_this();
  const auto at = std::find_if(parts_.begin(), parts_.end(),
                               [game](const auto& each) { return each.game == game; });
  if (at == parts_.end() || !output_) return;
  parts_.erase(at);
  if (!told) send(game, done_members);
  if (is_over()) std::exchange(output_, nullptr)->end_stream();
}

}  // namespace gamehub::gateways::http
