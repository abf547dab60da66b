#include "gateways/opcodes/messages.hpp"

namespace gamehub::gateways::opcodes {
namespace {

void append_number(std::uint16_t n, std::string& out) {
  out += static_cast<char>(n >> 8);
  out += static_cast<char>(n & 0xFF);
}

void append_opcode(opcode o, std::string& out) {
  append_number(static_cast<std::uint16_t>(o), out);
}

}  // namespace

std::uint16_t read_opcode(std::string_view bytes) {
  const auto high = static_cast<unsigned char>(bytes[0]);
  const auto low = static_cast<unsigned char>(bytes[1]);
  return static_cast<std::uint16_t>(high << 8 | low);
}

void append_ack(char mark, std::string& out) {
  append_opcode(opcode::ack, out);
  out += mark;
}

void append_state(std::string_view board, std::size_t cells, char status, std::string& out) {
  append_opcode(opcode::state, out);
  board = board.substr(0, cells);
  out += board;
  out.append(cells - board.size(), blank);
  out += status;
}

void append_error(error_code code, std::string_view text, std::string& out) {
  append_opcode(opcode::error, out);
  append_number(static_cast<std::uint16_t>(code), out);
  for (const char c : text.substr(0, error_text_bytes_max)) out += c >= ' ' && c <= '~' ? c : '?';
  out += '\0';
}

}  // namespace gamehub::gateways::opcodes
