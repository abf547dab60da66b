// Makes the program of a former version: one that reads and writes the first format of records
// only. Everything else is that of the present version.
#include "hub/journal/record_format.hpp"

namespace gamehub::journal {

std::uint64_t record_format_newest() { return record_format_least; }

}  // namespace gamehub::journal
