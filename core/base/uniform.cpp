// Computes random numbers from a seed and a counter.
#include "core/base/uniform.h"

namespace ropescope {

double uniform(std::uint64_t seed, std::uint64_t counter) {
    std::uint64_t bits = seed * 0x9e3779b97f4a7c15U + counter * 0xd1b54a32d192ed03U;
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9U;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebU;
    return static_cast<double>((bits ^ (bits >> 31)) >> 11) * 0x1p-53;
}

}  // namespace ropescope
