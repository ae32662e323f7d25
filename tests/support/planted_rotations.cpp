// The list of faulty rotations, and the right ones.
#include "tests/support/planted_rotations.h"

#include <cmath>

#include "tests/support/rotation_changes.h"

namespace ropescope::test {

const std::vector<RotationMutant>& rotation_mutants() {
    static const Mutants kAll = [] {
        Mutants all;
        for (const auto add : {add_layouts, add_widths, add_spectra, add_exponents, add_precision,
                               add_places, add_axes}) {
            add(all);
        }
        return all;
    }();
    return kAll;
}

std::vector<RightRotation> right_rotations() {
    std::vector<RightRotation> all;
    for (const Dtype dtype : vectors::kResultDtypes) {
        const std::string name(to_string(dtype));
        if (dtype != Dtype::f64) {
            all.push_back({name + ", angles in fp32", dtype, {}});
            all.push_back({name + ", frequencies as in ggml", dtype, [](ProbedCall& call) {
                               if (!call.subject.spec ||
                                   !(call.subject.spec->scaling == Scaling{})) {
                                   return;
                               }
                               const RopeSpec& spec = *call.subject.spec;
                               const float factor =
                                   to_float(std::pow(spec.base, -2.0 / to_double(spec.rotary_dim)));
                               float omega = 1.0F;
                               for (double& each : call.rotation.omega) {
                                   each = omega;
                                   omega *= factor;
                               }
                           }});
        }
        if (dtype == Dtype::f16 || dtype == Dtype::bf16) {
            all.push_back({name + ", tables and products in it", dtype, [=](ProbedCall& call) {
                               call.rotation.table = call.rotation.arithmetic = dtype;
                           }});
        }
        all.push_back({name + ", everything in fp64", dtype, [](ProbedCall& call) {
                           ProbedRotation& how = call.rotation;
                           how.table = how.inv_freq = how.position = how.angle = how.arithmetic =
                               Dtype::f64;
                       }});
    }
    return all;
}

}  // namespace ropescope::test
