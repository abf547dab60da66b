#include "gateways/http_client/response_parser.hpp"

#include "hub/base/text.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/basic_parser.hpp>
#include <boost/beast/http/error.hpp>

#include <utility>

namespace gamehub::gateways::http_client {

namespace {

namespace beast = boost::beast;
using beast::http::field;
using boost::system::error_code;

call_error error_of(const error_code& failed) {
  using beast::http::error;
  if (failed == error::body_limit) return call_error::body_size;
  if (failed == error::header_limit) return call_error::header_size;
  if (failed == error::bad_content_length || failed == error::multiple_content_length ||
      failed == error::bad_transfer_encoding)
    return call_error::length;
  if (failed == error::bad_chunk || failed == error::bad_chunk_extension) return call_error::chunk;
  if (failed == error::partial_message) return call_error::partial;
  return call_error::not_http;
}

}  // namespace

// One message; response_parser replaces it for the next one. It keeps only what is needed of the
// header, because a load generator reads thousands of responses a second.
class response_parser::parser final : public beast::http::basic_parser<false> {
 public:
  parser(const response_limits& limits, response& to) : to_(to) {
    header_limit(static_cast<std::uint32_t>(limits.header));
    body_limit(limits.body);
  }

  // An interim response, such as 100 Continue. 101 would switch to an unknown protocol.
  bool is_interim() const { return to_.status < 200 && to_.status != 101; }
  // True within the framing lines of a message, outside of its body.
  bool in_lines() const { return !is_header_done() || in_chunk_lines(); }

  // Beast 1.81 reports an error if a last chunk arrives in pieces that are shorter than any last
  // chunk (boostorg/beast pull request 2861 corrects it).
  bool must_wait(std::string_view rest) const {
    constexpr std::string_view last_chunk = "0\r\n\r\n";
    return in_chunk_lines() && rest.front() == last_chunk.front() &&
           rest.size() < last_chunk.size();
  }

 private:
  bool in_chunk_lines() const { return is_header_done() && chunked() && !in_chunk_; }

  void on_request_impl(beast::http::verb, beast::string_view, beast::string_view, int,
                       error_code&) override {}
  void on_response_impl(int status, beast::string_view, int, error_code&) override {
    to_.status = status;
  }
  void on_field_impl(field name, beast::string_view, beast::string_view value,
                     error_code&) override {
    if (name == field::content_encoding && !value.empty() &&
        !base::same_letters({value.data(), value.size()}, "identity"))
      to_.encoded = true;
    if (name == field::transfer_encoding) coded_ = true;
  }
  void on_header_impl(error_code& failed) override {
    // Any other transfer coding leaves the length of the body ambiguous.
    if (coded_ && !chunked()) failed = beast::http::error::bad_transfer_encoding;
  }
  void on_body_init_impl(const boost::optional<std::uint64_t>&, error_code&) override {}
  std::size_t on_body_impl(beast::string_view text, error_code&) override {
    to_.body.append(text.data(), text.size());
    return text.size();
  }
  void on_chunk_header_impl(std::uint64_t size, beast::string_view, error_code&) override {
    in_chunk_ = size != 0;
  }
  std::size_t on_chunk_body_impl(std::uint64_t left, beast::string_view text,
                                 error_code&) override {
    to_.body.append(text.data(), text.size());
    in_chunk_ = left > text.size();
    return text.size();
  }
  void on_finish_impl(error_code&) override {}

  response& to_;
  bool in_chunk_ = false;
  bool coded_ = false;
};

response_parser::response_parser(const response_limits& limits) : limits_(limits) {
  next_message();
}
response_parser::~response_parser() = default;

void response_parser::next_message() {
  here_.status = 0;
  here_.encoded = false;
  here_.body.clear();
  parser_ = std::make_unique<parser>(limits_, here_);
}

void response_parser::reset() {
  next_message();
  unread_.clear();
  received_ = 0;
  state_ = state::reading;
}

bool response_parser::has_header() const {
  return parser_->is_header_done() && !parser_->is_interim();
}

bool response_parser::is_chunked() const { return parser_->chunked(); }

response_parser::state response_parser::receive(std::string_view bytes) {
  if (state_ != state::reading) return state_;
  received_ += bytes.size();
  if (received_ > limits_.total) return fail(call_error::total_size);
  auto held = std::exchange(unread_, {});
  if (!held.empty()) bytes = held.append(bytes);
  return parse(bytes);
}

response_parser::state response_parser::parse(std::string_view rest) {
  error_code failed;
  for (;;) {
    if (parser_->is_done()) {
      if (!parser_->is_interim()) {
        // Bytes after the response answer no call, so the connection is not reused.
        keeps_alive_ = parser_->keep_alive() && rest.empty();
        return state_ = state::done;
      }
      next_message();
    }
    if (rest.empty() || parser_->must_wait(rest)) break;
    rest.remove_prefix(parser_->put(boost::asio::buffer(rest), failed));
    if (failed == beast::http::error::need_more) break;
    if (failed) return fail(error_of(failed));
  }
  if (parser_->in_lines() && rest.size() > limits_.header) return fail(call_error::header_size);
  unread_ = rest;
  return state_;
}

response_parser::state response_parser::end() {
  if (state_ != state::reading) return state_;
  if (!parser_->got_some()) return fail(call_error::none);
  error_code failed;
  parser_->put_eof(failed);
  if (failed) return fail(error_of(failed));
  if (!parser_->is_done()) return fail(call_error::partial);
  // Only an interim response may have arrived.
  return parse({}) == state::done ? state_ : fail(call_error::none);
}

response_parser::state response_parser::fail(call_error why) {
  error_ = why;
  unread_.clear();
  next_message();
  return state_ = state::failed;
}

}  // namespace gamehub::gateways::http_client
