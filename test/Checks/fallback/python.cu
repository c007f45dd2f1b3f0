// RUN: not %cupel lint --checks=fallback-python %s | FileCheck %s --implicit-check-not='[fallback-python]'
// REQUIRES: cupel, torch, cuda-headers

#include <torch/extension.h>
#include <pybind11/embed.h>

namespace py = pybind11;

at::Tensor imports(at::Tensor x) {
  py::gil_scoped_acquire lock;
  // CHECK: python.cu:[[#@LINE+1]]:{{[0-9]+}}: reject: 'pybind11::module_::import' goes back into Python [fallback-python]
  py::object f = py::module_::import("torch.nn.functional").attr("relu");
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: reject: 'pybind11::detail::object_api::operator()' goes back{{.*}}[fallback-python]
  return f(x).cast<at::Tensor>();
}

void evaluates() {
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: reject: 'pybind11::exec' goes back{{.*}}[fallback-python]
  py::exec("import torch");
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: reject: 'PyRun_SimpleStringFlags' goes back{{.*}}[fallback-python]
  PyRun_SimpleStringFlags("import torch", nullptr);
  // CHECK: :[[#@LINE+1]]:{{[0-9]+}}: reject: 'PyImport_ImportModule' goes back{{.*}}[fallback-python]
  PyImport_ImportModule("torch");
}

// Look-alikes. None of them may be reported.
struct object {
  int operator()(int x) const { return x; }
  int attr(const char *) const { return 0; }
};
namespace own {
int exec(const char *) { return 0; }
struct module_ {
  static object import(const char *) { return {}; }
};
} // namespace own

at::Tensor accepted(at::Tensor x) {
  object o;
  o(3);                                        // accepted: an own class
  o.attr("relu");                              // accepted: an own class's method
  own::exec("import torch");                   // accepted: an own function
  own::module_::import("torch");               // accepted: an own class's function
  py::gil_scoped_release release;              // accepted: the lock
  py::str text("x");                           // accepted: a value
  py::tuple pair = py::make_tuple(1, 2);       // accepted: a value
  pair.size();                                 // accepted: a value's size
  py::none nothing;                            // accepted: a value
  using T = decltype(py::eval("1"));           // accepted: not evaluated
  const char *source = "import torch";         // accepted: a text by itself
  return x;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("imports", &imports, py::arg("x"));    // accepted: binding
  m.def("evaluates", &evaluates);
  m.def("accepted", &accepted);
}
// CHECK: rejected:
