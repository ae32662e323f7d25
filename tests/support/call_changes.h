// Ways to be wrong, each a change of a right call. faulty_calls.h lists them, with the codes that
// instruments should say.
#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "core/rope/layout.h"
#include "core/scaling/method.h"
#include "tests/support/probed_rotation.h"

namespace ropescope::test {

/// Whether a change says something about a call.
using Fits = std::function<bool(const ProbedCall&)>;

inline bool any(const ProbedCall&) {
    return true;
}
inline bool in_one_axis(const ProbedCall& call) {
    return call.subject.spec.has_value();
}
inline bool in_several(const ProbedCall& call) {
    return call.axes() > 1;
}
inline bool is_half_split(const ProbedCall& call) {
    return layout_of(call.rotation.pairs) == Layout::half_split && call.rotation.pairs.size() > 1;
}
inline bool is_interleaved(const ProbedCall& call) {
    return layout_of(call.rotation.pairs) == Layout::interleaved && call.rotation.pairs.size() > 1;
}
inline bool is_partial(const ProbedCall& call) {
    return in_one_axis(call) && call.subject.spec->rotary_dim < call.subject.spec->head_dim;
}
inline bool is_scaled(const ProbedCall& call) {
    return in_one_axis(call) && extension_factor(call.subject.spec->scaling) > 1.0;
}
template <typename Method>
bool has_method(const ProbedCall& call) {
    return in_one_axis(call) && std::holds_alternative<Method>(call.subject.spec->scaling);
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
inline bool has_tokens(const ProbedCall& call) {
    return call.length() > 1;
}
inline bool is_later(const ProbedCall& call) {
    return call.request.past.has_value();
}
inline bool goes_far(const ProbedCall& call) {
    return std::ranges::any_of(call.rotation.positions, [](double p) { return p > 4096.0; });
}
inline Fits both(Fits one, Fits other) {
    return [one = std::move(one), other = std::move(other)](const ProbedCall& call) {
        return one(call) && other(call);
    };
}
inline Fits no(Fits one) {
    return [one = std::move(one)](const ProbedCall& call) { return !one(call); };
}
/// The change where it fits, else nothing.
inline ChangeCall where(Fits fits, ChangeCall change) {
    return [fits = std::move(fits), change = std::move(change)](ProbedCall& call) {
        if (fits(call)) {
            change(call);
        }
    };
}

// Which channels turn.

inline Index width(const ProbedCall& call) {
    return 2 * std::ssize(call.rotation.pairs);
}
ChangeCall in_layout(Layout layout);
/// Pairs are read where they are and written in another layout.
ChangeCall written_in(Layout layout);
/// Every channel is another one.
ChangeCall with_channels(std::function<Index(const ProbedCall&, Index channel)> moved);
/// Channel i is paired with i + head_dim / 2.
void pair_across_the_head(ProbedCall& call);

// At which speed.

/// The spec with a change.
template <typename Change>
ChangeCall with_spec(Change change) {
    return [change](ProbedCall& call) {
        RopeSpec spec = *call.subject.spec;
        spec.seq_len = call.request.reach();
        change(spec);
        call.use_spec(spec);
    };
}
ChangeCall with_base(double base);
ChangeCall at_length(Index length);
void leave_scaling(ProbedCall& call);
void turn_the_whole_head(ProbedCall& call);
/// Frequencies of a formula of the pair's number, the number of pairs and the base, unscaled.
ChangeCall with_formula(double (*formula)(double i, double pairs, double base));
/// Every frequency by a factor.
ChangeCall at_speed(double factor);
void round_frequencies_to_bf16(ProbedCall& call);
/// Angles are reduced by 2 pi in four decimals: after 20861 turns they are off by 0.3 rad, more
/// than the reduction of a GPU's fast functions.
void reduce_by_a_short_turn(ProbedCall& call);

// By which position and axis.

/// Every position through a function.
ChangeCall at_place(std::function<double(double stated)> place);
void count_from_zero(ProbedCall& call);
/// All tokens of a row stand where its first one does.
void stay_at_the_first_token(ProbedCall& call);
void turn_the_first_row_alone(ProbedCall& call);
void turn_nothing(ProbedCall& call);
void exchange_the_last_axes(ProbedCall& call);
void give_the_first_axis_to_all(ProbedCall& call);
/// The axis that turns each pair; empty if a pair has several, or heads differ.
std::vector<Index> axes_of_pairs(const ProbedCall& call);
std::vector<Index> in_sections(std::vector<Index> axis_of_pair);
void give_axes(ProbedCall& call, const std::vector<Index>& axis_of_pair);

// In which arithmetic: these are right.

void compute_in_fp64(ProbedCall& call);
/// As ggml: each frequency is a multiple of the one before, in fp32.
void multiply_frequencies_up(ProbedCall& call);

}  // namespace ropescope::test
