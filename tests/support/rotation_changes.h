// What the changes of rotations are made of: which calls they fit, and what they change.
// Sources: changed_channels.cpp, changed_spectra.cpp, changed_places.cpp.
#pragma once

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "core/rope/pair_runs.h"
#include "tests/support/planted_rotations.h"

namespace ropescope::test {

using Fits = std::function<bool(const ProbedCall&)>;

inline bool in_one_axis(const ProbedCall& call) {
    return call.subject.spec.has_value();
}
inline bool in_several(const ProbedCall& call) {
    return call.axes() > 1;
}
inline bool any(const ProbedCall&) {
    return true;
}
inline bool has_layout(const ProbedCall& call, Layout layout) {
    return layout_of(call.rotation.pairs) == layout && call.rotation.pairs.size() > 1;
}
inline bool is_half_split(const ProbedCall& call) {
    return has_layout(call, Layout::half_split);
}
inline bool is_interleaved(const ProbedCall& call) {
    return has_layout(call, Layout::interleaved);
}
inline bool is_partial(const ProbedCall& call) {
    return in_one_axis(call) && call.subject.spec->rotary_dim < call.subject.spec->head_dim;
}
inline bool is_scaled(const ProbedCall& call) {
    return in_one_axis(call) && extension_factor(call.subject.spec->scaling) > 1.0;
}
inline bool has_gain(const ProbedCall& call) {
    return call.rotation.gain != 1.0;
}
inline bool has_rows(const ProbedCall& call) {
    return call.batch() > 1;
}
inline bool has_heads(const ProbedCall& call) {
    return call.request.q_shape.heads > 1;
}
inline bool goes_far(const ProbedCall& call) {
    return std::ranges::any_of(call.rotation.positions, [](double p) { return p > 4096.0; });
}
inline Fits both(Fits one, Fits other) {
    return [one = std::move(one), other = std::move(other)](const ProbedCall& call) {
        return one(call) && other(call);
    };
}

inline Index width(const ProbedCall& call) {
    return 2 * std::ssize(call.rotation.pairs);
}

inline void use_pairs(ProbedCall& call, const std::vector<ChannelPair>& pairs) {
    call.rotation.pairs = call.rotation.written = pairs;
}

/// The spec with a change, for as many pairs as it has then.
template <typename Change>
ChangeCall with_spec(Change change) {
    return [change](ProbedCall& call) {
        RopeSpec spec = *call.subject.spec;
        spec.seq_len = call.request.reach();
        change(spec);
        call.use_spec(spec, true);
    };
}

/// Frequencies of a formula of the pair's number, without scaling.
template <typename Formula>
ChangeCall with_formula(Formula formula) {
    return [formula](ProbedCall& call) {
        const auto pairs = to_double(std::ssize(call.rotation.pairs));
        for (std::size_t i = 0; i < call.rotation.omega.size(); ++i) {
            call.rotation.omega[i] =
                formula(static_cast<double>(i), pairs, call.subject.spec->base);
        }
    };
}

/// Every position through a function.
template <typename Place>
ChangeCall at_place(Place place) {
    return [place](ProbedCall& call) {
        call.put([&](Index a, Index b, Index l) { return place(call.stated(a, b, l)); });
    };
}

template <typename Speed>
ChangeCall at_speed(Speed speed) {
    return [speed](ProbedCall& call) {
        std::ranges::transform(call.rotation.omega, call.rotation.omega.begin(), speed);
    };
}

using Mutants = std::vector<RotationMutant>;

void add_layouts(Mutants& all);
void add_widths(Mutants& all);
void add_spectra(Mutants& all);
void add_exponents(Mutants& all);
void add_precision(Mutants& all);
void add_places(Mutants& all);
void add_axes(Mutants& all);

}  // namespace ropescope::test
