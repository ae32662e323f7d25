// Changes right implementations as people have changed theirs.
#include "tests/support/planted_implementations.h"

#include <algorithm>
#include <cmath>

#include "core/models/model.h"
#include "tests/support/planted_calls.h"

namespace ropescope::test {

std::vector<PlantedImplementation> planted_implementations() {
    Collection all;
    add_layouts(all);
    add_spectra(all);
    add_lengths(all);
    add_precision(all);
    add_positions(all);
    add_axes(all);
    add_sides(all);
    std::vector<PlantedImplementation> planted = all.take();
    std::ranges::stable_sort(planted, {}, &PlantedImplementation::fault_class);
    return planted;
}

std::vector<PlantedImplementation> right_implementations(const std::string& model) {
    Collection all;
    for (const Part& subject : open_model(model).parts) {
        const auto add = [&](const std::string& variant, const ChangeCall& change) {
            all.add_one(0, variant, model + " " + subject.name(), subject, {},
                        implementation(subject, change));
        };
        add("fp32", {});
        add("fp64", [](ProbedCall& call) {
            ProbedRotation& how = call.rotation;
            how.table = how.inv_freq = how.position = how.angle = how.arithmetic = Dtype::f64;
        });
        add("16 bits in the tensors' dtype", [](ProbedCall& call) {
            call.rotation.table = call.rotation.arithmetic = call.request.dtype;
        });
        if (subject.spec && subject.spec->scaling == Scaling{}) {
            add("ggml", [](ProbedCall& call) {
                const RopeSpec& spec = *call.subject.spec;
                const float factor =
                    to_float(std::pow(spec.base, -2.0 / to_double(spec.rotary_dim)));
                float omega = 1.0F;
                for (double& each : call.rotation.omega) {
                    each = omega;
                    omega *= factor;
                }
            });
        }
    }
    return all.take();
}

}  // namespace ropescope::test
