// Computes and keeps the images of one probe under each system.
#include "core/systems/case_images.h"

namespace ropescope {

const CaseImages::Images& CaseImages::of(const System& system, std::size_t permutation,
                                         Arithmetic arithmetic) {
    const auto key = std::tuple(&system, permutation, arithmetic);
    auto found = known_.find(key);
    if (found == known_.end()) {
        found = known_
                    .emplace(key,
                             probe_images(system, probe_, {base_, offset_, Role::query, arithmetic},
                                          permutations_[permutation]))
                    .first;
    }
    return found->second;
}

}  // namespace ropescope
