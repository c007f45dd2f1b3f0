// torch's own without lists of tensors, whose type needs the interpreter's values. See
// torch/extension.h.
#pragma once
#include <ATen/core/Tensor.h>
#include <c10/core/DeviceGuard.h>
#include <optional>

namespace at {
inline std::optional<Device> device_of(const Tensor &t) {
  return t.defined() ? std::optional<Device>(t.device()) : std::nullopt;
}
inline std::optional<Device> device_of(const std::optional<Tensor> &t) {
  return t ? device_of(*t) : std::nullopt;
}
} // namespace at
