//===- Descriptor.h - a file descriptor that closes itself -------------------===//
#ifndef CUPEL_LIB_SUPPORT_DESCRIPTOR_H
#define CUPEL_LIB_SUPPORT_DESCRIPTOR_H

#include <unistd.h>
#include <utility>

namespace cupel {

class Descriptor {
public:
  explicit Descriptor(int Number = -1) : Number(Number) {}
  Descriptor(Descriptor &&Other) : Number(std::exchange(Other.Number, -1)) {}
  Descriptor &operator=(Descriptor &&Other) {
    std::swap(Number, Other.Number);
    return *this;
  }
  ~Descriptor() { reset(); }
  /// What close(2) says; 0 when there is nothing to close.
  int reset() { return Number >= 0 ? ::close(std::exchange(Number, -1)) : 0; }
  operator int() const { return Number; }

private:
  int Number;
};

} // namespace cupel

#endif // CUPEL_LIB_SUPPORT_DESCRIPTOR_H
