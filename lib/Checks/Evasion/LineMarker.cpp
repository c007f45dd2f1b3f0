//===- LineMarker.cpp - evasion-line-marker --------------------------------===//

#include "LineMarker.h"
#include "../Directives.h"
#include "../HostUses.h"
#include "cupel/Checks/CheckContext.h"

namespace cupel {

LineMarkerCheck::LineMarkerCheck()
    : Check("evasion-line-marker", Level::Reject,
            "Directive that gives lines another place: #line, # 1 'file'") {}

void LineMarkerCheck::run(CheckContext &Context) const {
  for (const Directive &D : findDirectives(Context.pass()))
    if (D.Name == "line" || D.Name.empty())
      Context.report(*this, Level::Reject, D.Location,
                     "this directive makes the lines that follow look like another file's");
}

} // namespace cupel
