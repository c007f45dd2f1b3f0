// Stand-ins for pybind11: a PYBIND11_MODULE block compiles and binds nothing.
//
// cupel reads the bound functions off the AST and calls them without Python, so the block only has
// to be accepted. Its function is static and called by nobody: the compiler leaves it out, and with
// it every symbol that it names. Python objects are not here on purpose: a submission that works
// with them gets the real headers.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>

#define PYBIND11_VERSION_MAJOR 3
#define PYBIND11_CONCAT_(first, second) first##second
#define PYBIND11_CONCAT(first, second) PYBIND11_CONCAT_(first, second)
#define PYBIND11_STRINGIFY_(x) #x
#define PYBIND11_STRINGIFY(x) PYBIND11_STRINGIFY_(x)
#define PYBIND11_TOSTRING(x) PYBIND11_STRINGIFY(x)
#define PYBIND11_OVERLOAD_CAST 1

#define PYBIND11_MODULE(name, variable, ...)                                                       \
  [[maybe_unused]] static void PYBIND11_CONCAT(pybind11_init_, name)(::pybind11::module_ &);       \
  [[maybe_unused]] static void PYBIND11_CONCAT(pybind11_init_,                                     \
                                               name)([[maybe_unused]] ::pybind11::module_ & variable)

namespace pybind11 {

/// What stands for anything that Python would hold: takes and gives whatever is asked.
class placeholder {
public:
  placeholder() = default;
  template <typename T> placeholder &operator=(T &&) { return *this; }
  placeholder &operator=(const char *) { return *this; }
  template <typename... Args> placeholder attr(Args &&...) const { return {}; }
};

enum class return_value_policy : unsigned char {
  automatic,
  automatic_reference,
  take_ownership,
  copy,
  move,
  reference,
  reference_internal
};

struct arg_v;
struct arg {
  constexpr explicit arg(const char *Name = nullptr) : name(Name) {}
  template <typename T> arg_v operator=(T &&Value) const;
  arg &noconvert(bool = true) { return *this; }
  arg &none(bool = true) { return *this; }
  const char *name;
};
struct arg_v : arg {
  template <typename T> arg_v(const arg &Base, T &&, const char * = nullptr) : arg(Base) {}
  template <typename T> arg_v(const char *Name, T &&, const char * = nullptr) : arg(Name) {}
  arg_v &noconvert(bool = true) { return *this; }
  arg_v &none(bool = true) { return *this; }
};
template <typename T> arg_v arg::operator=(T &&Value) const {
  return {*this, std::forward<T>(Value)};
}

inline namespace literals {
constexpr arg operator""_a(const char *Name, size_t) { return arg(Name); }
} // namespace literals

struct none {};
struct kw_only {};
struct pos_only {};
struct is_method {};
struct scope {};
struct name {
  explicit name(const char *) {}
};
struct doc {
  explicit doc(const char *) {}
};
struct prepend {};
struct dynamic_attr {};
struct module_local {
  explicit constexpr module_local(bool = true) {}
};
struct arithmetic {};
template <size_t Nurse, size_t Patient> struct keep_alive {};
template <typename... Guards> struct call_guard {};
struct gil_scoped_release {
  explicit gil_scoped_release(bool = false) {}
  ~gil_scoped_release() {}
};
struct gil_scoped_acquire {
  gil_scoped_acquire() {}
  ~gil_scoped_acquire() {}
};

template <typename... Args> struct overload_cast_impl {
  template <typename Return>
  constexpr auto operator()(Return (*Function)(Args...)) const noexcept -> decltype(Function) {
    return Function;
  }
  template <typename Return, typename Class>
  constexpr auto operator()(Return (Class::*Function)(Args...), std::false_type = {}) const noexcept
      -> decltype(Function) {
    return Function;
  }
  template <typename Return, typename Class>
  constexpr auto operator()(Return (Class::*Function)(Args...) const, std::true_type) const noexcept
      -> decltype(Function) {
    return Function;
  }
};
template <typename... Args> static constexpr overload_cast_impl<Args...> overload_cast{};
static constexpr auto const_ = std::true_type{};

class module_ {
public:
  template <typename Function, typename... Extra>
  module_ &def(const char *, Function &&, const Extra &...) {
    return *this;
  }
  module_ def_submodule(const char *, const char * = nullptr) { return {}; }
  placeholder doc() { return {}; }
  placeholder attr(const char *) { return {}; }
  template <typename T> void add_object(const char *, T &&, bool = false) {}
};
using module = module_;

template <typename... Args> struct init_args {};
template <typename... Args> constexpr init_args<Args...> init() { return {}; }
template <typename... Functions> init_args<> init(Functions &&...) { return {}; }
template <typename... Functions> init_args<> pickle(Functions &&...) { return {}; }

template <typename Type, typename... Options> class class_ {
public:
  template <typename Scope, typename... Extra>
  class_(const Scope &, const char *, const Extra &...) {}
  template <typename... Args> class_ &def(const char *, Args &&...) { return *this; }
  template <typename... Inits, typename... Extra>
  class_ &def(const init_args<Inits...> &, const Extra &...) {
    return *this;
  }
  template <typename... Args> class_ &def_static(Args &&...) { return *this; }
  template <typename... Args> class_ &def_readwrite(Args &&...) { return *this; }
  template <typename... Args> class_ &def_readonly(Args &&...) { return *this; }
  template <typename... Args> class_ &def_readwrite_static(Args &&...) { return *this; }
  template <typename... Args> class_ &def_readonly_static(Args &&...) { return *this; }
  template <typename... Args> class_ &def_property(Args &&...) { return *this; }
  template <typename... Args> class_ &def_property_readonly(Args &&...) { return *this; }
  template <typename... Args> class_ &def_property_static(Args &&...) { return *this; }
  template <typename... Args> class_ &def_property_readonly_static(Args &&...) { return *this; }
  placeholder attr(const char *) { return {}; }
};

template <typename Type> class enum_ : public class_<Type> {
public:
  template <typename Scope, typename... Extra>
  enum_(const Scope &Where, const char *Name, const Extra &...) : class_<Type>(Where, Name) {}
  enum_ &value(const char *, Type, const char * = nullptr) { return *this; }
  enum_ &export_values() { return *this; }
};

template <typename Exception, typename... Args> void register_exception(Args &&...) {}

} // namespace pybind11
