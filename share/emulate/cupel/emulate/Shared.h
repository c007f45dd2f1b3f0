/// Variables: the rewriter turns `__shared__ T v[N];` into a reference that these return, and a
/// name of a variable of the device, in code of the host, into a call.
#pragma once

#include "cupel/emulate/Runtime.h"
#include "cupel/emulate/Words.h"

#include <type_traits>

namespace cupel::emu {

/// Names a variable of namespace scope as a Tag of sharedVariable.
template <auto *> struct VariableTag;

/// One number for each variable of each instance of its function.
template <class Value, class Tag> inline unsigned SharedId = 0;

/// The block's variable; `Type` is the variable's type, an array or not, or a reference to it.
template <class Type, class Tag>
CUPEL_DEVICE std::remove_reference_t<Type> &sharedVariable(const char *Name) {
  using Value = std::remove_reference_t<Type>;
  unsigned &Id = SharedId<Value, Tag>;
  unsigned Known = __atomic_load_n(&Id, __ATOMIC_ACQUIRE);
  if (Known == 0) [[unlikely]] {
    Known = declareSharedOnce(Id, sizeof(Value), alignof(Value), Name);
  }
  return *static_cast<Value *>(sharedAt(Known));
}

/// The block's dynamic shared memory, as a reference to an array of unknown length, or a pointer.
template <class Type> CUPEL_DEVICE auto dynamicShared() -> decltype(auto) {
  if constexpr (std::is_reference_v<Type>)
    return static_cast<Type>(*static_cast<std::remove_reference_t<Type> *>(dynamicSharedAt()));
  else
    return static_cast<Type *>(dynamicSharedAt());
}

/// A variable of the device where code that the host may run names it.
template <class T> CUPEL_DEVICE T &namedAtStart(T &Variable) {
  if (inKernel())
    return Variable;
  size_t Size = 0;
  if constexpr (!std::is_unbounded_array_v<T>)
    Size = sizeof(T);
  constexpr bool IsConst = std::is_const_v<std::remove_all_extents_t<T>>;
  return *static_cast<T *>(hostName(std::addressof(Variable), Size, IsConst));
}

/// The same where the name may be part of a constant: what an array's size, a template's argument
/// or a constexpr variable's value is to the host is the same to the device.
template <class T> CUPEL_DEVICE constexpr T &named(T &Variable) {
  return std::is_constant_evaluated() ? Variable : namedAtStart(Variable);
}

/// A volatile object, of which the compiler's instrumentation does not tell that it is.
template <class T> CUPEL_DEVICE T &observed(T &Object) {
  if constexpr (std::is_volatile_v<T>)
    observe(&Object);
  return Object;
}

} // namespace cupel::emu
