// Whether a sanitizer is built in, which makes everything several times slower and larger: long
// tests then do less. A plain value, any thread.
#pragma once

namespace gamehub::tests {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif

}  // namespace gamehub::tests
