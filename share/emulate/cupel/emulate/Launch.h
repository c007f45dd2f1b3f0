/// Launches: `k<T><<<g, b, s, t>>>(args)` becomes `launcher(Site{...}, k<T>)(g, b, s, t)(args)`.
#pragma once

#include "cupel/emulate/Runtime.h"
#include "cupel/emulate/Words.h"

#include <tuple>
#include <type_traits>
#include <utility>

namespace cupel::emu {

inline Extent extentOf(dim3 D) { return {D.x, D.y, D.z}; }

/// Arguments for `Kernel`, and the call of it with copies.
template <class F, class Tuple> struct BoundKernel {
  F Kernel;
  Tuple Arguments;

  // Not instrumented: the arguments lie in the host's memory, the copies on the thread's stack.
  __attribute__((no_sanitize("address", "alignment"))) static void run(void *Self) {
    auto &Bound = *static_cast<BoundKernel *>(Self);
    std::apply([&](auto &...A)
                   __attribute__((no_sanitize("address", "alignment"))) { Bound.Kernel(A...); },
               Bound.Arguments);
  }
};

template <class F, class... Stored, class... Given>
int launchBound(const Site &Where, const void *Function, const LaunchShape &Shape, F Kernel,
                std::type_identity<std::tuple<Stored...>>, Given &&...Arguments) {
  using Bound = BoundKernel<F, std::tuple<Stored...>>;
  auto Kept = std::make_shared<Bound>(
      Bound{Kernel, std::tuple<Stored...>(static_cast<Stored>(std::forward<Given>(Arguments))...)});
  return launchKernel(Where, Function, Shape, {&Bound::run, Kept, sizeof(Bound)});
}

template <class F> struct ConfiguredLaunch {
  Site Where;
  F Kernel;
  LaunchShape Shape;

  template <class... Given> void operator()(Given &&...Arguments) const {
    call(Kernel, std::forward<Given>(Arguments)...);
  }

private:
  // As in C++, arguments become the kernel's parameter types once, where it is launched.
  template <class... P, class... Given>
  void call(void (*Pointer)(P...), Given &&...Arguments) const {
    launchBound(Where, reinterpret_cast<const void *>(Pointer), Shape, Pointer,
                std::type_identity<std::tuple<std::remove_cvref_t<P>...>>(),
                std::forward<Given>(Arguments)...);
  }
  template <class G, class... Given> void call(G Callable, Given &&...Arguments) const {
    launchBound(Where, nullptr, Shape, Callable,
                std::type_identity<std::tuple<std::decay_t<Given>...>>(),
                std::forward<Given>(Arguments)...);
  }
};

template <class F> struct Launcher {
  Site Where;
  F Kernel;
  ConfiguredLaunch<F> operator()(dim3 Grid, dim3 Block, size_t SharedBytes = 0,
                                 cudaStream_t Stream = nullptr) const {
    return {Where, Kernel, {extentOf(Grid), extentOf(Block), SharedBytes, Stream, false}};
  }
};

template <class F> Launcher<std::decay_t<F>> launcher(Site Where, F &&Kernel) {
  return {Where, std::forward<F>(Kernel)};
}

/// Makes the kernel known to launches through its address (cudaLaunchKernel and its kin, launches
/// of pointers), and returns it.
template <class... P> auto registered(Site Where, void (*Kernel)(P...)) -> void (*)(P...) {
  const PointerLaunch Launch = [](const void *Function, const LaunchShape &Shape,
                                  void **Arguments) {
    return [&]<size_t... I>(std::index_sequence<I...>) {
      auto *Pointer = reinterpret_cast<void (*)(P...)>(const_cast<void *>(Function));
      return launchBound(Site{nullptr, 0, Waits::Anything}, Function, Shape, Pointer,
                         std::type_identity<std::tuple<std::remove_cvref_t<P>...>>(),
                         *static_cast<std::remove_cvref_t<P> *>(Arguments[I])...);
    }(std::index_sequence_for<P...>());
  };
  registerKernel(Where, reinterpret_cast<const void *>(Kernel), Launch);
  return Kernel;
}

} // namespace cupel::emu
