// Implementations that treat q and k, or their heads, differently.
#include <algorithm>
#include <cmath>

#include "tests/support/planted_calls.h"

namespace ropescope::test {
namespace {

void exchange_order(Tensor& tensor) {
    const std::vector<double> values = to_f64(tensor.view());
    std::vector<double> to(values.size());
    const auto& s = tensor.shape;
    for (std::int64_t b = 0; b < s[0]; ++b) {
        for (std::int64_t h = 0; h < s[1]; ++h) {
            for (std::int64_t l = 0; l < s[2]; ++l) {
                for (std::int64_t c = 0; c < s[3]; ++c) {
                    to[((b * s[2] + l) * s[1] + h) * s[3] + c] =
                        values[((b * s[1] + h) * s[2] + l) * s[3] + c];
                }
            }
        }
    }
    tensor = make_tensor_as(tensor.dtype, tensor.name, tensor.shape, to);
}

}  // namespace

void add_sides(Collection& all) {
    const auto still = [](ProbedCall& call) {
        call.rotation.turns = [](const TokenAt&) { return false; };
    };
    all.add(45, "not turned", kText, {"spectrum.zero"}, still);
    all.add(47, "keys stay", kText, {"k.unrotated"}, [=](ProbedCall& call) {
        if (call.of_keys && call.request.k_shape.heads == 1 && call.request.q_shape.heads > 1) {
            still(call);
        }
    });
    all.add(47, "one row of the table", kText,
            {"positions.wrong_axis", "positions.per_row", "positions.clamped"},
            [](ProbedCall& call) {
                call.put([&](Index a, Index b, Index) { return call.stated(a, b, 0); });
            });
    for (const std::string& model : kText) {
        const Part subject = subject_named(model);
        all.add_one(48, "order of what is written", model, subject, {"answer.order"},
                    [=](const probe::Request& request) {
                        probe::Answer answer = answer_call(subject, request, {});
                        exchange_order(*answer.q_rot);
                        exchange_order(*answer.k_rot);
                        return answer;
                    });
    }
    all.add(49, "twice", kText, {"k.rotated_twice"}, [](ProbedCall& call) {
        if (call.of_keys) {
            for (double& omega : call.rotation.omega) {
                omega *= 2.0;
            }
        }
    });
}

}  // namespace ropescope::test
