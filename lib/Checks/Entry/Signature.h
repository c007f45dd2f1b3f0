//===- Signature.h - entry-signature ---------------------------------------===//
#ifndef CUPEL_LIB_CHECKS_ENTRY_SIGNATURE_H
#define CUPEL_LIB_CHECKS_ENTRY_SIGNATURE_H

#include "cupel/Checks/Check.h"

namespace cupel {

class SignatureCheck : public Check {
public:
  SignatureCheck();
  void run(CheckContext &Context) const override;
};

} // namespace cupel

#endif // CUPEL_LIB_CHECKS_ENTRY_SIGNATURE_H
