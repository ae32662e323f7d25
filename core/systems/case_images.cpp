#include "core/systems/case_images.h"

#include <utility>

#include "core/rope/layout.h"
#include "core/systems/permutation_search.h"

namespace ropescope {

nd::Array permuted_channels(const nd::Array& x, const std::vector<int>& permutation) {
    nd::Array y = x;
    permute_channels<double>(x.values, y.values, permutation);
    return y;
}

const CaseImages::Images& CaseImages::of(const System& system, std::size_t permutation,
                                         Arithmetic arithmetic) {
    const auto key = std::tuple(&system, permutation, arithmetic);
    auto found = known_.find(key);
    if (found == known_.end()) {
        found = known_.emplace(key, compute(system, permutations_[permutation], arithmetic)).first;
    }
    return found->second;
}

CaseImages::Images CaseImages::compute(const System& system, const std::vector<int>& permutation,
                                       Arithmetic arithmetic) const {
    const auto run = [&](const nd::Array& x, Role role) {
        const ProbeSetting setting{base_, offset_, role, arithmetic};
        return is_identity(permutation)
                   ? run_bhld(system, x, setting)
                   : run_bhld(system, permuted_channels(x, permutation), setting);
    };
    Outcome q = run(probe_.q, Role::query);
    Outcome k = run(probe_.k, Role::key);
    for (const Outcome* outcome : {&q, &k}) {
        if (const auto* error = std::get_if<FrameworkError>(outcome)) {
            return *error;
        }
    }
    ProbeImages images{
        std::get<nd::Array>(std::move(q)), std::get<nd::Array>(std::move(k)), {}, {}};
    images.scores = scores(system, images.q, images.k);
    const std::int64_t seq = nd::size(probe_.q, 2);
    images.rounding =
        rounding_bound(system, nd::size(probe_.q, 3), base_, offset_ + seq - 1, arithmetic);
    return images;
}

}  // namespace ropescope
