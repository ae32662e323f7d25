// An implementation that a probe may ask, in the arithmetic that implementations have: every part
// of a call can be replaced by a wrong one.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "core/probe/probe.h"

namespace ropescope::test {

/// Where a token of a tensor stands.
struct TokenAt {
    Index b = 0, h = 0, l = 0;
};

/// How one side of one call is rotated.
struct ProbedRotation {
    std::vector<ChannelPair> pairs = {}, written = {};
    std::vector<double> omega = {};      ///< [pairs, axes], or [heads, pairs, axes]
    std::vector<double> positions = {};  ///< [axes, B, L]
    double gain = 1.0;
    /// To what is rounded; F32 unless it says otherwise. `result` is that of the request.
    Dtype table = Dtype::f32, inv_freq = Dtype::f32, position = Dtype::f32, angle = Dtype::f32,
          arithmetic = Dtype::f32, result = Dtype::f32;
    /// False: the token comes back as it is.
    std::function<bool(const TokenAt&)> turns = [](const TokenAt&) { return true; };
    std::function<double(const TokenAt&)> gain_at = [](const TokenAt&) { return 1.0; };
    /// Where a token stands on an axis, if not at `positions`.
    std::function<double(Index axis, const TokenAt&)> stands = {};
    /// The index of the sine and cosine of the first and of the second channel of a pair.
    std::function<Index(Index pair)> first_entry = [](Index pair) { return pair; };
    std::function<Index(Index pair)> second_entry = [](Index pair) { return pair; };
    /// What the sine is multiplied by on its way to the first and to the second channel.
    double first_sign = -1.0, second_sign = 1.0;
    /// What the sine and cosine are taken of.
    std::function<double(double angle)> reduced = [](double rad) { return rad; };
};

/// What a call does: the right rotation of a side, and perhaps a fault.
struct ProbedCall {
    const probe::Request& request;
    Part subject;
    bool of_keys = false;
    ProbedRotation rotation = {};

    Index axes() const { return request.axes; }
    Index batch() const { return request.q_shape.batch; }
    Index length() const { return request.q_shape.length; }
    double& position(Index axis, Index b, Index l) {
        return rotation.positions[(axis * batch() + b) * length() + l];
    }
    double stated(Index axis, Index b, Index l) const {
        return request.positions[(axis * batch() + b) * length() + l];
    }
    /// Puts every token where `place(axis, b, l)` says.
    template <typename Place>
    void put(Place place) {
        for (Index a = 0; a < axes(); ++a) {
            for (Index b = 0; b < batch(); ++b) {
                for (Index l = 0; l < length(); ++l) {
                    position(a, b, l) = place(a, b, l);
                }
            }
        }
    }
    /// Takes the frequencies of another spec, for as many pairs as it has.
    void use_spec(const RopeSpec& spec, bool with_pairs = false);
};

using ChangeCall = std::function<void(ProbedCall&)>;

/// Answers every request as the subject says, after `change`. May be null.
probe::Ask implementation(Part subject, ChangeCall change = {});

/// The answer of one call.
probe::Answer answer_call(const Part& subject, const probe::Request& request,
                          const ChangeCall& change);

}  // namespace ropescope::test
