// Changes one thing about a right call.
#include "tests/support/call_changes.h"

#include <cmath>

namespace ropescope::test {

ChangeCall in_layout(Layout layout) {
    return [=](ProbedCall& call) {
        call.rotation.pairs = call.rotation.written = channel_pairs(layout, width(call));
    };
}

ChangeCall written_in(Layout layout) {
    return [=](ProbedCall& call) { call.rotation.written = channel_pairs(layout, width(call)); };
}

ChangeCall with_channels(std::function<Index(const ProbedCall&, Index channel)> moved) {
    return [moved = std::move(moved)](ProbedCall& call) {
        for (ChannelPair& pair : call.rotation.pairs) {
            pair = {moved(call, pair.first), moved(call, pair.second)};
        }
        call.rotation.written = call.rotation.pairs;
    };
}

void pair_across_the_head(ProbedCall& call) {
    for (Index i = 0; i < std::ssize(call.rotation.pairs); ++i) {
        call.rotation.pairs[i] = {i, i + call.subject.spec->head_dim / 2};
    }
    call.rotation.written = call.rotation.pairs;
}

ChangeCall with_base(double base) {
    return with_spec([=](RopeSpec& spec) { spec.base = base; });
}

ChangeCall at_length(Index length) {
    return with_spec([=](RopeSpec& spec) { spec.seq_len = length; });
}

void leave_scaling(ProbedCall& call) {
    with_spec([](RopeSpec& spec) { spec.scaling = {}; })(call);
}

void turn_the_whole_head(ProbedCall& call) {
    with_spec([](RopeSpec& spec) { spec.rotary_dim = spec.head_dim; })(call);
}

ChangeCall with_formula(double (*formula)(double i, double pairs, double base)) {
    return [=](ProbedCall& call) {
        const auto pairs = to_double(std::ssize(call.rotation.pairs));
        for (Index i = 0; i < std::ssize(call.rotation.omega); ++i) {
            call.rotation.omega[i] = formula(to_double(i), pairs, call.subject.spec->base);
        }
    };
}

ChangeCall at_speed(double factor) {
    return [=](ProbedCall& call) {
        for (double& omega : call.rotation.omega) {
            omega *= factor;
        }
    };
}

void round_frequencies_to_bf16(ProbedCall& call) {
    call.rotation.inv_freq = Dtype::bf16;
}

void reduce_by_a_short_turn(ProbedCall& call) {
    call.rotation.reduced = [](double rad) { return rad - 6.2832 * std::round(rad / 6.2832); };
}

ChangeCall at_place(std::function<double(double stated)> place) {
    return [place = std::move(place)](ProbedCall& call) {
        call.put([&](Index a, Index b, Index l) { return place(call.stated(a, b, l)); });
    };
}

void count_from_zero(ProbedCall& call) {
    call.put([](Index, Index, Index l) { return to_double(l); });
}

void stay_at_the_first_token(ProbedCall& call) {
    call.put([&](Index a, Index b, Index) { return call.stated(a, b, 0); });
}

void turn_the_first_row_alone(ProbedCall& call) {
    call.rotation.turns = [](const TokenAt& at) { return at.b == 0; };
}

void turn_nothing(ProbedCall& call) {
    call.rotation.turns = [](const TokenAt&) { return false; };
}

void exchange_the_last_axes(ProbedCall& call) {
    const Index last = call.axes() - 1;
    call.put([&](Index a, Index b, Index l) {
        return call.stated(a == last ? last - 1 : a == last - 1 ? last : a, b, l);
    });
}

void give_the_first_axis_to_all(ProbedCall& call) {
    call.put([&](Index, Index b, Index l) { return call.stated(0, b, l); });
}

std::vector<Index> axes_of_pairs(const ProbedCall& call) {
    std::vector<Index> axis;
    const Index axes = call.axes();
    if (std::ssize(call.rotation.omega) != std::ssize(call.rotation.pairs) * axes) {
        return {};
    }
    for (Index i = 0; i < std::ssize(call.rotation.pairs); ++i) {
        for (Index a = 0; a < axes; ++a) {
            if (call.rotation.omega[i * axes + a] != 0.0) {
                axis.push_back(a);
            }
        }
        if (std::ssize(axis) != i + 1) {
            return {};
        }
    }
    return axis;
}

std::vector<Index> in_sections(std::vector<Index> axis_of_pair) {
    std::ranges::sort(axis_of_pair);
    return axis_of_pair;
}

void give_axes(ProbedCall& call, const std::vector<Index>& axis_of_pair) {
    const Index axes = call.axes();
    for (Index i = 0; i < std::ssize(axis_of_pair); ++i) {
        double sum = 0.0;
        for (Index a = 0; a < axes; ++a) {
            sum += call.rotation.omega[i * axes + a];
            call.rotation.omega[i * axes + a] = 0.0;
        }
        call.rotation.omega[i * axes + axis_of_pair[i]] = sum;
    }
}

void compute_in_fp64(ProbedCall& call) {
    EmulatedRotation& how = call.rotation;
    how.table = how.inv_freq = how.position = how.angle = how.arithmetic = Dtype::f64;
}

void multiply_frequencies_up(ProbedCall& call) {
    const RopeSpec& spec = *call.subject.spec;
    const float factor = to_float(std::pow(spec.base, -2.0 / to_double(spec.rotary_dim)));
    float omega = call.rotation.omega.front() < 0.0 ? -1.0F : 1.0F;  // nanochat turns backwards
    for (double& each : call.rotation.omega) {
        each = omega;
        omega *= factor;
    }
}

}  // namespace ropescope::test
