// The Host field of a request. A page whose DNS name was changed to lead to this machine (DNS
// rebinding) is a page of the same site for the browser, but its requests carry that name. Plain
// functions, any thread.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace gamehub::base {

// True for a host name as is_own_host() compares it: ASCII letters, digits, '-' and '_' between
// dots. No port, no dot at the end. A dot at the beginning stands for the name and all below it.
bool is_host_pattern(std::string_view text);

// True if the field has, with or without a port, an IP address (IPv6 in brackets), localhost, a
// name below localhost, or a name of the list. Letter case and one dot at the end of a name do not
// matter. Requires: is_host_pattern() for each of the list.
bool is_own_host(std::string_view field, std::span<const std::string> patterns);

// The Host field of a request to that host, which is a name or an address without brackets.
std::string host_field(std::string_view host, std::uint16_t port);

}  // namespace gamehub::base
