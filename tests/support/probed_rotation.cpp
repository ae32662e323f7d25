// Rotates number by number, each rounded as an implementation rounds it.
#include "tests/support/probed_rotation.h"

#include <cmath>

#include "core/diagnosis/rounding.h"
#include "core/rope/spectrum.h"

namespace ropescope::test {
namespace {

using diagnosis::round_to;

struct CosSin {
    double cos = 1.0, sin = 0.0;
};

CosSin table_entry(const ProbedCall& call, const TokenAt& at, Index pair) {
    const ProbedRotation& how = call.rotation;
    const Index of_head = std::ssize(how.pairs) * call.axes();
    const Index head = std::ssize(how.omega) == of_head ? 0 : at.h;
    double angle = 0.0;
    for (Index a = 0; a < call.axes(); ++a) {
        const double omega =
            round_to(how.inv_freq, how.omega[head * of_head + pair * call.axes() + a]);
        const double stands = how.stands
                                  ? how.stands(a, at)
                                  : how.positions[(a * call.batch() + at.b) * call.length() + at.l];
        const double position = round_to(how.position, stands);
        angle = round_to(how.angle, angle + round_to(how.angle, position * omega));
    }
    angle = how.reduced(angle);
    const double gain = how.gain * how.gain_at(at);
    return {round_to(how.table, gain * std::cos(angle)),
            round_to(how.table, gain * std::sin(angle))};
}

std::vector<double> rotated_side(const ProbedCall& call) {
    const ProbedRotation& how = call.rotation;
    const faults::HeadShape& shape = call.of_keys ? call.request.k_shape : call.request.q_shape;
    const std::vector<double>& x = call.of_keys ? call.request.k : call.request.q;
    const auto round = [&](double value) { return round_to(how.arithmetic, value); };
    std::vector<double> y = x;
    for (Index b = 0; b < shape.batch; ++b) {
        for (Index h = 0; h < shape.heads; ++h) {
            for (Index l = 0; l < shape.length; ++l) {
                const TokenAt at{b, h, l};
                if (!how.turns(at)) {
                    continue;
                }
                const Index row = shape.row(b, h, l);
                for (Index p = 0; p < std::ssize(how.pairs); ++p) {
                    const CosSin first = table_entry(call, at, how.first_entry(p));
                    const CosSin second = table_entry(call, at, how.second_entry(p));
                    const double a = x[row + how.pairs[p].first];
                    const double c = x[row + how.pairs[p].second];
                    y[row + how.written[p].first] =
                        round(round(a * first.cos) + how.first_sign * round(c * first.sin));
                    y[row + how.written[p].second] =
                        round(round(c * second.cos) + how.second_sign * round(a * second.sin));
                }
            }
        }
    }
    return y;
}

Tensor answered_side(const probe::Subject& subject, const probe::Request& request, bool of_keys,
                     const ChangeCall& change) {
    ProbedCall call{request, subject, of_keys};
    const RotaryScheme scheme = scheme_at(subject, request.reach());
    ProbedRotation& how = call.rotation;
    how.pairs = how.written = scheme.pairs;
    for (const Spectrum& head : scheme.heads) {
        how.omega.insert(how.omega.end(), head.inv_freq_rad.begin(), head.inv_freq_rad.end());
    }
    how.positions = request.positions;
    how.gain = scheme.heads.front().attention_factor;
    how.result = request.dtype;
    if (change) {
        change(call);
    }
    const faults::HeadShape& shape = of_keys ? request.k_shape : request.q_shape;
    return make_tensor_as(how.result, of_keys ? "k_rot" : "q_rot",
                          {shape.batch, shape.heads, shape.length, shape.head_dim},
                          rotated_side(call));
}

}  // namespace

void ProbedCall::use_spec(const RopeSpec& spec, bool with_pairs) {
    const Spectrum spectrum = make_spectrum(spec);
    rotation.omega = spectrum.inv_freq_rad;
    rotation.gain = spectrum.attention_factor;
    if (with_pairs) {
        rotation.pairs = rotation.written = channel_pairs(spec.layout, spec.rotary_dim);
    }
}

probe::Answer answer_call(const probe::Subject& subject, const probe::Request& request,
                          const ChangeCall& change) {
    return {.q_rot = answered_side(subject, request, false, change),
            .k_rot = answered_side(subject, request, true, change)};
}

probe::Ask implementation(probe::Subject subject, ChangeCall change) {
    return [subject = std::move(subject), change = std::move(change)](
               const probe::Request& request) { return answer_call(subject, request, change); };
}

}  // namespace ropescope::test
