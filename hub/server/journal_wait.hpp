// The wait of a starting hub for a journal that another hub still has, such as a pod that ends
// while its successor starts. Called on the program's first thread, before anything else exists.
#pragma once

#include "hub/config/settings.hpp"

#include <string>

namespace gamehub::server {

// Waits until no other hub has the journal's lock, at most for settings::journal_wait; the journal
// itself refuses a lock that is taken after that. Meanwhile the admin port is open: its probes say
// what the hub waits for. `token` is that of the operator, or empty. Returns false if SIGTERM or
// SIGINT ended the wait. Throws base::usage_error, also if the admin port is taken: then the other
// hub is most likely on this machine, and the wait a mistake.
bool wait_for_journal(const config::settings&, const std::string& token);

}  // namespace gamehub::server
