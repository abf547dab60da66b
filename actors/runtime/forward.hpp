// Forward declarations for headers that only pass these types on, so that their users compile
// without CAF.
#pragma once

namespace caf {
class actor_system;
}

namespace gamehub::actors::runtime {
class loop;
class search_executor;
}  // namespace gamehub::actors::runtime
