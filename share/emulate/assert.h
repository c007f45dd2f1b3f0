// C's own, with an assertion that ends the kernel in which it fails, not the process. Like C's, it
// looks at NDEBUG anew each time that it is included.
#include_next <assert.h>

#ifndef NDEBUG
#undef assert
#define assert(...)                                                                                \
  ((__VA_ARGS__) ? (void)0                                                                         \
                 : ::cupel::emu::assertFailed("assertion '" #__VA_ARGS__ "' failed"))
#ifndef CUPEL_ASSERT_FAILED
#define CUPEL_ASSERT_FAILED
namespace cupel::emu {
[[noreturn]] void assertFailed(const char *Text);
} // namespace cupel::emu
#endif
#endif
