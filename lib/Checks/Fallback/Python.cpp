//===- Python.cpp - fallback-python ---------------------------------------===//

#include "Python.h"
#include "cupel/Checks/CheckContext.h"
#include "clang/AST/DeclCXX.h"

namespace cupel {

PythonCheck::PythonCheck()
    : Check("fallback-python", Level::Reject,
            "Way back into Python: import, eval, calling a Python object") {}

/// Functions that run Python code; the rest of pybind11 (arguments, casts, the lock) runs none.
static bool runsPython(llvm::StringRef Name) {
  if (Name.consume_front("pybind11::")) {
    for (llvm::StringRef Runner : {"module_::import", "module_::reload", "eval", "exec",
                                   "initialize_interpreter", "scoped_interpreter"})
      if (Name.starts_with(Runner))
        return true;
    return Name == "detail::object_api::operator()" || Name == "detail::object_api::call";
  }
  for (llvm::StringRef Prefix :
       {"PyRun_", "PyImport_", "PyObject_Call", "PyObject_Vectorcall", "_PyObject_Call",
        "PyObject_GetAttr", "PyEval_EvalCode", "PyEval_EvalFrame", "PyEval_Call",
        "Py_CompileString", "Py_Initialize", "Py_RunMain", "Py_Main"})
    if (Name.starts_with(Prefix))
      return true;
  return false;
}

void PythonCheck::run(CheckContext &Context) const {
  const Symbols &Names = Context.symbols();
  for (const auto &Unit : Context.program().units())
    for (const auto &Use : Unit->Uses) {
      if (!Names.isPythonDecl(Use->Callee) || !runsPython(Names.qualifiedName(Use->Callee)))
        continue;
      Context.report(*this, Level::Reject, *Use,
                     "'" + Names.qualifiedName(Use->Callee) + "' goes back into Python");
    }
}

} // namespace cupel
