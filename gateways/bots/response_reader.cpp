#include "gateways/bots/response_reader.hpp"

#include "gateways/bots/bot_limits.hpp"
#include "hub/base/text.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/basic_parser.hpp>
#include <boost/beast/http/error.hpp>

#include <algorithm>
#include <utility>

namespace gamehub::gateways::bots {

namespace {

namespace beast = boost::beast;
using beast::http::field;
using boost::system::error_code;

constexpr int continue_status = 199;

std::string_view as_std(beast::string_view text) { return {text.data(), text.size()}; }

std::string kib(std::size_t bytes) { return std::to_string(bytes / 1024) + " KiB"; }

std::string words_for(const error_code& failed) {
  using beast::http::error;
  if (failed == error::body_limit)
    return "The body of your answer is over " + kib(limits::bot_body_bytes_max) + ".";
  if (failed == error::header_limit)
    return "The header of your answer is over " + kib(limits::bot_header_bytes_max) + ".";
  if (failed == error::bad_content_length || failed == error::multiple_content_length ||
      failed == error::bad_transfer_encoding)
    return "It is not clear how long the body of your answer is.";
  if (failed == error::bad_chunk || failed == error::bad_chunk_extension)
    return "A chunk of your answer's body is broken.";
  if (failed == error::partial_message) return "The connection ended in the middle of your answer.";
  if (failed == error::end_of_stream) return "The connection ended without an answer.";
  return "Your answer is no HTTP/1.1.";
}

}  // namespace

class response_reader::parser final : public beast::http::basic_parser<false> {
 public:
  parser() {
    header_limit(limits::bot_header_bytes_max);
    body_limit(limits::bot_body_bytes_max);
  }

  answered answer;
  // True within the data of a chunk, false within its framing lines.
  bool in_chunk = false;
  bool coded = false;

 private:
  void on_request_impl(beast::http::verb, beast::string_view, beast::string_view, int,
                       error_code&) override {}
  void on_response_impl(int status, beast::string_view, int, error_code&) override {
    answer.status = status;
  }
  void on_field_impl(field name, beast::string_view, beast::string_view value,
                     error_code&) override {
    if (name == field::content_encoding && !value.empty() &&
        !base::same_letters(as_std(value), "identity"))
      answer.encoded = true;
    if (name == field::transfer_encoding) coded = true;
  }
  void on_header_impl(error_code& failed) override {
    // Any other transfer coding leaves the length of the body ambiguous.
    if (coded && !chunked()) failed = beast::http::error::bad_transfer_encoding;
  }
  void on_body_init_impl(const boost::optional<std::uint64_t>&, error_code&) override {}
  std::size_t on_body_impl(beast::string_view text, error_code&) override {
    answer.body.append(text.data(), text.size());
    return text.size();
  }
  void on_chunk_header_impl(std::uint64_t size, beast::string_view, error_code&) override {
    in_chunk = size != 0;
  }
  std::size_t on_chunk_body_impl(std::uint64_t left, beast::string_view text,
                                 error_code&) override {
    answer.body.append(text.data(), text.size());
    in_chunk = left > text.size();
    return text.size();
  }
  void on_finish_impl(error_code&) override {}
};

response_reader::response_reader() : parser_(std::make_unique<parser>()) {}
response_reader::~response_reader() = default;

response_reader::state response_reader::receive(std::string_view bytes) {
  if (state_ != state::reading) return state_;
  received_ += bytes.size();
  if (received_ > limits::bot_answer_bytes_max)
    return fail("Your answer is over " + kib(limits::bot_answer_bytes_max) +
                ", its framing included.");
  unread_ += bytes;
  return parse();
}

response_reader::state response_reader::parse() {
  // Beast 1.81 reports an error if a last chunk arrives in pieces that are shorter than any last
  // chunk (boostorg/beast pull request 2861 corrects it).
  constexpr std::string_view last_chunk = "0\r\n\r\n";
  const auto begins_last_chunk = [&](std::string_view rest) {
    return parser_->is_header_done() && parser_->chunked() && !parser_->in_chunk &&
           rest.front() == last_chunk.front() && rest.size() < last_chunk.size();
  };
  std::size_t taken = 0;
  error_code failed;
  for (;;) {
    const auto rest = std::string_view{unread_}.substr(taken);
    if (parser_->is_done() || rest.empty() || begins_last_chunk(rest)) break;
    taken += parser_->put(boost::asio::buffer(rest), failed);
    if (failed == beast::http::error::need_more) break;
    if (failed) return fail(words_for(failed));
  }
  unread_.erase(0, taken);
  if (parser_->is_done()) return finish();
  const bool in_lines = !parser_->is_header_done() || (parser_->chunked() && !parser_->in_chunk);
  if (in_lines && unread_.size() > limits::bot_header_bytes_max)
    return fail(words_for(beast::http::error::header_limit));
  return state_;
}

response_reader::state response_reader::finish() {
  // An interim response, such as 100 Continue. 101 would switch to an unknown protocol.
  const auto status = parser_->answer.status;
  if (status <= continue_status && status != 101) {
    parser_ = std::make_unique<parser>();
    return unread_.empty() ? state_ : parse();
  }
  // Bytes after the response answer no call, so the connection is not reused.
  keeps_alive_ = parser_->keep_alive() && unread_.empty();
  return state_ = state::done;
}

response_reader::state response_reader::end() {
  if (state_ != state::reading) return state_;
  error_code failed;
  if (!parser_->got_some()) return fail(words_for(beast::http::error::end_of_stream));
  parser_->put_eof(failed);
  if (failed) return fail(words_for(failed));
  if (!parser_->is_done()) return fail(words_for(beast::http::error::partial_message));
  finish();
  // Only an interim response arrived.
  return state_ == state::reading ? fail(words_for(beast::http::error::end_of_stream)) : state_;
}

response_reader::state response_reader::fail(std::string why) {
  mistake_ = std::move(why);
  unread_.clear();
  parser_ = std::make_unique<parser>();
  return state_ = state::wrong;
}

answered response_reader::take() { return std::move(parser_->answer); }

std::size_t response_reader::kept_bytes() const {
  return unread_.size() + parser_->answer.body.size();
}

}  // namespace gamehub::gateways::bots
