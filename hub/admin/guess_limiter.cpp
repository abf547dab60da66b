#include "hub/admin/guess_limiter.hpp"

#include <cstddef>
#include <utility>

namespace gamehub::admin {
namespace {

constexpr std::size_t senders = 1'024;
constexpr base::request_rate guess_rate{base::duration{std::chrono::seconds{1}} / guesses_a_second,
                                        guesses_burst};
constexpr base::request_rate line_rate{std::chrono::minutes{1}, 1};
constexpr base::request_rate all_lines_rate{std::chrono::seconds{6}, 10};

}  // namespace

guess_limiter::guess_limiter(base::random_source& random)
    : key_{random.next(), random.next()},
      guesses_(guess_rate, senders),
      lines_(line_rate, senders) {}

std::optional<base::duration> guess_limiter::wait(const base::endpoint& from,
                                                  base::instant now) const {
  return guesses_.wait(base::hash_of_sender(from, key_), now);
}

std::optional<std::uint64_t> guess_limiter::add(const base::endpoint& from, base::instant now) {
  const auto sender = base::hash_of_sender(from, key_);
  guesses_.take(sender, now);
  if (lines_.take(sender, now) || all_lines_.take(all_lines_rate, now)) {
    ++left_out_;
    return std::nullopt;
  }
  return std::exchange(left_out_, 0);
}

}  // namespace gamehub::admin
