// The port to where bans and mutes are kept: a file of this hub, or a table that all hubs of a
// cluster share. Implementations: sanction_file, hub/moderation/postgres, and fakes in tests.
// One thread at a time uses a table.
#pragma once

#include "hub/moderation/sanction.hpp"

#include <cstdint>
#include <string>

namespace gamehub::moderation {

struct write_result {
  enum class outcome : std::uint8_t {
    written,   // and it stays
    not_kept,  // holds until the hub stops; the next write that succeeds keeps it too
    outdated,  // nothing was written: another hub has changed the list since it was read
    unknown,   // the change was sent, and no answer came
  };

  outcome what = outcome::written;
  std::string why;  // of not_kept and unknown
};

class sanction_table {
 public:
  virtual ~sanction_table() = default;

  // Returns the list. Throws an exception of the database; nothing was changed then.
  virtual sanction_list read() = 0;

  // Writes a change of the list that has the generation before that of `after`, in one transaction.
  // A try with an unknown outcome is not carried out after a later change.
  virtual write_result write(const sanction_change&, const sanction_list& after) = 0;
};

}  // namespace gamehub::moderation
