//===- RepeatableLambda.h - a lambda whose text can stand elsewhere -----------===//
#ifndef CUPEL_LIB_FRONTEND_REPEATABLELAMBDA_H
#define CUPEL_LIB_FRONTEND_REPEATABLELAMBDA_H

#include "cupel/Frontend/ParsedSubmission.h"

namespace clang {
class CXXMethodDecl;
}

namespace cupel {

/// Text of the lambda with the call operator \p Operator, which stands in the binding function
/// \p Enclosing, when it means the same behind the submission's last line: nothing in between
/// declares or defines anything, and it names nothing of the function around it. Empty where that
/// is in doubt.
std::string repeatableText(const clang::CXXMethodDecl *Operator,
                           const clang::FunctionDecl *Enclosing, const ParsedPass &Pass);

} // namespace cupel

#endif // CUPEL_LIB_FRONTEND_REPEATABLELAMBDA_H
