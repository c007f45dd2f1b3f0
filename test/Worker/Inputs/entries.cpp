// Entries on the CPU for the tests of cupel-worker, boxed by hand as lib/Build's adapter would.
#include <ATen/core/ivalue.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <csignal>
#include <cstring>
#include <torch/headeronly/version.h>

using Stack = std::vector<c10::IValue>;
#define ENTRY(Name) extern "C" void Name(Stack &stack)

extern "C" const char *cupel_adapter_abi() { return "cupel-adapter-1 torch-" TORCH_VERSION "+cpu"; }

static void answer(Stack &stack, c10::IValue result) {
  stack.clear();
  stack.push_back(std::move(result));
}

static at::Tensor relu(const at::Tensor &x, int64_t count) {
  at::Tensor out = at::empty_like(x);
  const float *from = x.const_data_ptr<float>();
  float *to = out.mutable_data_ptr<float>();
  for (int64_t i = 0; i < count; ++i)
    to[i] = from[i] < 0 ? 0 : from[i];
  return out;
}

ENTRY(good) {
  at::Tensor x = stack[0].toTensor();
  answer(stack, relu(x, x.numel()));
}

ENTRY(partial) {
  at::Tensor x = stack[0].toTensor();
  answer(stack, relu(x, x.numel() / 2));
}

ENTRY(zeros) {
  at::Tensor out = at::empty_like(stack[0].toTensor());
  std::memset(out.mutable_data_ptr(), 0, out.nbytes());
  answer(stack, out);
}

ENTRY(in_place) {
  at::Tensor x = stack[0].toTensor();
  float *data = x.mutable_data_ptr<float>();
  for (int64_t i = 0; i < x.numel(); ++i)
    data[i] = data[i] < 0 ? 0 : data[i];
  answer(stack, x);
}

ENTRY(past_the_end) {
  at::Tensor x = stack[0].toTensor();
  at::Tensor out = relu(x, x.numel());
  x.mutable_data_ptr<float>()[x.numel()] = 1;
  answer(stack, out);
}

ENTRY(wrong_shape) {
  answer(stack, relu(stack[0].toTensor(), stack[0].toTensor().numel()).view(-1));
}
ENTRY(wrong_dtype) { answer(stack, at::empty(stack[0].toTensor().sizes(), at::kDouble)); }
ENTRY(number) { answer(stack, 3.5); }
ENTRY(nothing) { answer(stack, c10::IValue()); }
ENTRY(throws) { throw std::runtime_error("this entry throws"); }
ENTRY(throws_int) { throw 7; }
ENTRY(crashes) { std::raise(SIGSEGV); }
ENTRY(exits) { std::_Exit(0); }

// The result of the first call with this pointer, for ever.
ENTRY(keeps) {
  static at::Tensor kept;
  static const void *pointer = nullptr;
  at::Tensor x = stack[0].toTensor();
  if (x.const_data_ptr() != pointer) {
    pointer = x.const_data_ptr();
    kept = relu(x, x.numel());
  }
  answer(stack, kept);
}

// (x, s, w) -> (x * s + w, its sign), as a tuple.
ENTRY(pair) {
  at::Tensor x = stack[0].toTensor(), w = stack[2].toTensor();
  auto s = static_cast<float>(stack[1].toDouble());
  at::Tensor out = at::empty_like(x), sign = at::empty(x.sizes(), at::kInt);
  for (int64_t i = 0; i < x.numel(); ++i) {
    float value = x.const_data_ptr<float>()[i] * s + w.const_data_ptr<float>()[i % w.numel()];
    out.mutable_data_ptr<float>()[i] = value;
    sign.mutable_data_ptr<int>()[i] = (value > 0) - (value < 0);
  }
  std::vector<c10::IValue> items{out, sign};
  answer(stack, c10::ivalue::Tuple::create(std::move(items)));
}
