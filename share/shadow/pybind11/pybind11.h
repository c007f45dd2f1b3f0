// Stands in for pybind11: the binding block becomes a template that nothing instantiates, so that only
// names in it that do not depend on the module need to be known. What is not here is a compile error,
// and then the build tries the real header (see torch/extension.h).
#pragma once
#include <string>
#include <utility>

namespace pybind11 {

struct arg {
  constexpr explicit arg(const char *) {}
  template <typename T> const arg &operator=(T &&) const { return *this; }
  const arg &none(bool = true) const { return *this; }
  const arg &noconvert(bool = true) const { return *this; }
};

struct none {};
template <typename... Ts> struct call_guard {};
// The worker has no interpreter, so there is no lock to give away.
struct gil_scoped_release {
  gil_scoped_release() {}
  ~gil_scoped_release() {}
};

enum class return_value_policy { automatic, automatic_reference, take_ownership, copy, move, reference, reference_internal };

namespace detail {
template <typename... Args> struct overload_cast_impl {
  template <typename Return> constexpr auto operator()(Return (*f)(Args...)) const { return f; }
};
} // namespace detail
template <typename... Args> constexpr detail::overload_cast_impl<Args...> overload_cast{};

inline namespace literals {
constexpr arg operator""_a(const char *name, size_t) { return arg(name); }
} // namespace literals

} // namespace pybind11

namespace py = pybind11;

#define CUPEL_JOIN_EXPANDED(a, b) a##b
#define CUPEL_JOIN(a, b) CUPEL_JOIN_EXPANDED(a, b)
#define PYBIND11_MODULE(name, variable, ...)                                                       \
  template <typename CupelModule>                                                                  \
  [[maybe_unused]] static void CUPEL_JOIN(cupel_idle_binding_, name)(CupelModule & variable)
