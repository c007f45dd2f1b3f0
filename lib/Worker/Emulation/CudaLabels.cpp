//===- CudaLabels.cpp - host tensors that say they are on a CUDA device -----===//

#include "CudaLabels.h"
#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/core/Tensor.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>
#include <c10/core/CPUAllocator.h>
#include <c10/core/TensorImpl.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>
#include <cstring>
#include <new>
#include <torch/library.h>

using namespace cupel::worker;

namespace {

DeviceMemory Memory;
/// Whether this thread works on tensors of cuda:0, so that what it allocates is theirs.
thread_local int Labelling = 0;

/// Stands before torch's allocator of host memory.
class LabelledAllocator final : public c10::Allocator {
public:
  explicit LabelledAllocator(c10::Allocator *Host) : Host(Host) {}
  c10::DataPtr allocate(size_t Bytes) override {
    if (Labelling == 0)
      return Host->allocate(Bytes);
    void *Address = Memory.Allocate(Bytes);
    if (!Address && Bytes > 0)
      throw std::bad_alloc();
    std::memset(Address, 0xFF, Bytes); // As in Poison.h.
    return {Address, Address, Memory.Free, c10::Device(c10::kCPU)};
  }
  void copy_data(void *To, const void *From, std::size_t Bytes) const override {
    default_copy_data(To, From, Bytes);
  }

private:
  c10::Allocator *Host;
};

struct LabellingScope {
  LabellingScope() { ++Labelling; }
  ~LabellingScope() { --Labelling; }
};

const c10::Device Cuda{c10::kCUDA, 0};

/// A storage of the device \p Where for the memory of \p Of, which it keeps alive.
c10::Storage relabelled(const c10::Storage &Of, c10::Device Where) {
  auto *Held = new c10::Storage(Of);
  c10::DataPtr Data(
      Of.unsafeGetStorageImpl()->mutable_data_ptr().get(), Held,
      [](void *Context) { delete static_cast<c10::Storage *>(Context); }, Where);
  return c10::Storage(c10::Storage::use_byte_size_t(), Of.nbytes(), std::move(Data),
                      Where.is_cuda() ? nullptr : c10::GetCPUAllocator(), /*resizable=*/false);
}

/// A tensor like \p Of over \p Storage, which is of another device.
at::Tensor labelled(const at::Tensor &Of, c10::Storage Storage) {
  bool OnCuda = Storage.device().is_cuda();
  c10::DispatchKeySet Keys = Of.key_set();
  Keys = OnCuda ? Keys.remove_backend(c10::BackendComponent::CPUBit) |
                      c10::DispatchKeySet(c10::BackendComponent::CUDABit)
                : Keys.remove_backend(c10::BackendComponent::CUDABit) |
                      c10::DispatchKeySet(c10::BackendComponent::CPUBit);
  auto Impl = c10::make_intrusive<c10::TensorImpl>(std::move(Storage), Keys, Of.dtype());
  Impl->set_storage_offset(Of.storage_offset());
  Impl->set_sizes_and_strides(Of.sizes(), Of.strides());
  if (Of.unsafeGetTensorImpl()->is_wrapped_number())
    Impl->set_wrapped_number(true);
  return at::Tensor(std::move(Impl));
}

/// One call of an operator: the labels taken off its arguments and put on its results.
class RelabelledCall {
public:
  void run(const c10::OperatorHandle &Operator, torch::jit::Stack *Stack) {
    size_t Count = Operator.schema().arguments().size();
    bool MakesCuda = false;
    for (size_t I = Stack->size() - Count; I < Stack->size(); ++I)
      MakesCuda |= takeLabel((*Stack)[I]);
    MakesCuda |= !Aliases.empty() && !SawOtherDevice;
    {
      LabellingScope Scope;
      Operator.redispatchBoxed(c10::DispatchKeySet(c10::DispatchKey::CPU), Stack);
    }
    writeBack();
    for (size_t I = Stack->size() - Operator.schema().returns().size(); I < Stack->size(); ++I)
      putLabel((*Stack)[I], MakesCuda);
  }

private:
  struct Alias {
    at::Tensor Labelled, Plain;
  };

  /// True: the argument is the device cuda:0 itself, so the operator makes a tensor there.
  bool takeLabel(c10::IValue &Value) {
    if (Value.isTensor()) {
      Value = plain(Value.toTensor());
    } else if (Value.isTensorList()) {
      c10::List<at::Tensor> List;
      for (const at::Tensor &Tensor : Value.toTensorVector())
        List.push_back(plain(Tensor));
      Value = std::move(List);
    } else if (Value.isList() &&
               Value.type()->castRaw<c10::ListType>()->getElementType()->isSubtypeOf(
                   *c10::OptionalType::ofTensor())) {
      c10::List<std::optional<at::Tensor>> List;
      for (const c10::IValue &Element : Value.toListRef())
        List.push_back(Element.isTensor() ? std::optional(plain(Element.toTensor()))
                                          : std::nullopt);
      Value = std::move(List);
    } else if (Value.isDevice()) {
      bool OnCuda = Value.toDevice().is_cuda();
      SawOtherDevice |= !OnCuda;
      Value = c10::Device(c10::kCPU);
      return OnCuda;
    }
    return false;
  }

  at::Tensor plain(const at::Tensor &Tensor) {
    if (!Tensor.defined() || !Tensor.is_cuda())
      return Tensor;
    for (const Alias &A : Aliases)
      if (A.Labelled.is_same(Tensor))
        return A.Plain;
    // Views of one storage stay views of one storage.
    c10::Storage Storage;
    for (const Alias &A : Aliases)
      if (A.Labelled.storage().is_alias_of(Tensor.storage()))
        Storage = A.Plain.storage();
    if (!Storage)
      Storage = relabelled(Tensor.storage(), c10::kCPU);
    // An `out` argument may be resized, which means other memory.
    Storage.unsafeGetStorageImpl()->set_resizable(true);
    Aliases.push_back({Tensor, labelled(Tensor, Storage)});
    return Aliases.back().Plain;
  }

  /// What the operator changed of an argument besides its values.
  void writeBack() {
    for (const Alias &A : Aliases) {
      c10::TensorImpl *To = A.Labelled.unsafeGetTensorImpl();
      if (A.Plain.data_ptr() != A.Labelled.data_ptr() ||
          A.Plain.storage().nbytes() != A.Labelled.storage().nbytes())
        To->set_storage_keep_dtype(relabelled(A.Plain.storage(), Cuda));
      if (A.Plain.sizes() != A.Labelled.sizes() || A.Plain.strides() != A.Labelled.strides() ||
          A.Plain.storage_offset() != A.Labelled.storage_offset()) {
        To->set_storage_offset(A.Plain.storage_offset());
        To->set_sizes_and_strides(A.Plain.sizes(), A.Plain.strides());
      }
    }
  }

  at::Tensor cuda(const at::Tensor &Tensor, bool MakesCuda) {
    if (!Tensor.defined() || !Tensor.device().is_cpu() || !Tensor.has_storage())
      return Tensor;
    for (const Alias &A : Aliases)
      if (A.Plain.is_same(Tensor))
        return A.Labelled;
    for (const Alias &A : Aliases)
      if (A.Plain.storage().is_alias_of(Tensor.storage()))
        return labelled(Tensor, A.Labelled.storage());
    return MakesCuda ? labelled(Tensor, relabelled(Tensor.storage(), Cuda)) : Tensor;
  }

  void putLabel(c10::IValue &Value, bool MakesCuda) {
    if (Value.isTensor()) {
      Value = cuda(Value.toTensor(), MakesCuda);
    } else if (Value.isTensorList()) {
      c10::List<at::Tensor> List;
      for (const at::Tensor &Tensor : Value.toTensorVector())
        List.push_back(cuda(Tensor, MakesCuda));
      Value = std::move(List);
    }
  }

  std::vector<Alias> Aliases;
  bool SawOtherDevice = false;
};

void runOnCpu(const c10::OperatorHandle &Operator, c10::DispatchKeySet, torch::jit::Stack *Stack) {
  RelabelledCall().run(Operator, Stack);
}

/// A backend's fallback serves operators that have no kernel for it, and a composite one is a
/// kernel for all. Most of those are made of operators that the fallback sees, but some (`copy_`,
/// `clone`) look for a device's own code through ATen's DispatchStub, past the dispatcher.
void coverComposites() {
  c10::Dispatcher &Dispatcher = c10::Dispatcher::singleton();
  static std::vector<c10::RegistrationHandleRAII> Kept;
  for (const c10::OperatorName &Name : Dispatcher.getAllOpNames()) {
    std::optional<c10::OperatorHandle> Operator = Dispatcher.findOp(Name);
    if (!Operator || !Name.name.starts_with("aten::") || !Operator->hasSchema())
      continue;
    if (Operator->hasKernelForDispatchKey(c10::DispatchKey::CompositeExplicitAutograd) ||
        Operator->hasKernelForDispatchKey(c10::DispatchKey::CompositeExplicitAutogradNonFunctional))
      Kept.push_back(Dispatcher.registerImpl(
          Name, c10::DispatchKey::CUDA, c10::KernelFunction::makeFromBoxedFunction<&runOnCpu>(),
          std::nullopt, nullptr, "cupel: the CPU's kernel"));
  }
}

} // namespace

void cupel::worker::installCudaLabels(DeviceMemory Of) {
  Memory = Of;
  static torch::Library *Fallback = [] {
    auto *Library =
        new torch::Library(torch::Library::IMPL, "_", c10::DispatchKey::CUDA, __FILE__, __LINE__);
    Library->fallback(torch::CppFunction::makeFromBoxedFunction<&runOnCpu>());
    coverComposites();
    static LabelledAllocator Allocator(c10::GetCPUAllocator());
    c10::SetCPUAllocator(&Allocator, /*priority=*/255);
    // c10_cuda's own guard asks the driver.
    static c10::impl::NoOpDeviceGuardImpl<c10::DeviceType::CUDA> Guard;
    static c10::impl::DeviceGuardImplRegistrar Registrar(c10::DeviceType::CUDA, &Guard);
    return Library;
  }();
  (void)Fallback;
}
