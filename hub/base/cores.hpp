// How many cores the program may use: those that it may be scheduled on, and no more than the
// container's share of processor time fills. Asked once when the program starts, on any thread.
#pragma once

#include <functional>
#include <optional>
#include <string>

namespace gamehub::base {

// The text of a file, or nothing if the file is missing.
using file_reader = std::function<std::optional<std::string>(const std::string& path)>;

// The processor time that control groups (version 1 or 2) leave this process, in cores; nothing if
// they set no bound. A bound of any group above it counts, too.
std::optional<double> cpu_quota(const file_reader& read);

// Requires: scheduled > 0. A part of a core counts as one, so that there is always one.
int cores(int scheduled, std::optional<double> quota);

// Of this process, here and now.
int cores();

}  // namespace gamehub::base
