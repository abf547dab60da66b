#include "hub/journal/record_format.hpp"

namespace gamehub::journal {

std::uint64_t record_format_newest() { return record_format_with_sleepers; }

}  // namespace gamehub::journal
