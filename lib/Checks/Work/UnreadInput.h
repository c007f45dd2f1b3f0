//===- UnreadInput.h - work-unread-input -----------------------------------===//
#ifndef CUPEL_LIB_CHECKS_WORK_UNREADINPUT_H
#define CUPEL_LIB_CHECKS_WORK_UNREADINPUT_H

#include "cupel/Checks/Check.h"

namespace cupel {

class UnreadInputCheck : public Check {
public:
  UnreadInputCheck();
  void run(CheckContext &Context) const override;
};

} // namespace cupel

#endif // CUPEL_LIB_CHECKS_WORK_UNREADINPUT_H
