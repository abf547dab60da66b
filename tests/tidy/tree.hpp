// Reads the sources that the rules look at. For the one test that checks the whole checkout.
#pragma once

#include <filesystem>
#include <vector>

#include "tests/tidy/rules.hpp"

namespace gamehub::tests::tidy {

// All text files under the root, sorted by path: without build folders, and without what is data
// (samples, transcripts and corpora keep their bytes, whatever they are).
std::vector<source_file> read_tree(const std::filesystem::path& root);

}  // namespace gamehub::tests::tidy
