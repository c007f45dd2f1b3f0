//===- Python.h - fallback-python -----------------------------------------===//
#ifndef CUPEL_LIB_CHECKS_FALLBACK_PYTHON_H
#define CUPEL_LIB_CHECKS_FALLBACK_PYTHON_H

#include "cupel/Checks/Check.h"

namespace cupel {

class PythonCheck : public Check {
public:
  PythonCheck();
  void run(CheckContext &Context) const override;
};

} // namespace cupel

#endif // CUPEL_LIB_CHECKS_FALLBACK_PYTHON_H
