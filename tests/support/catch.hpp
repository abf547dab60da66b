// The one way to Catch2: version 3 where it is installed (Debian 13), version 2 elsewhere. Tests
// include this and nothing of Catch2's own, so that the difference stays here.
#pragma once

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
#else
#include <catch2/catch.hpp>
#endif
