// Code that turns q and k with its own arithmetic, right or with a planted mistake, and its
// diagnosis.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/diagnosis/diagnosis.h"
#include "core/diagnosis/read_dump.h"
#include "core/schemes/rotary_scheme.h"
#include "tests/support/random.h"

namespace ropescope::diagnosis {

inline constexpr Index kLength = 40;

/// One channel at one token: itself, its partner and the angle of its own place in the table.
struct Channel {
    double x, partner, cos, sin;
    bool first;                   ///< of the pair
    double other_cos, other_sin;  ///< of its place in the table of the other layout
};
using Rule = std::function<double(const Channel&)>;

struct Code {
    Layout partners = Layout::half_split, table = Layout::half_split;
    Index head_dim = 32, rotary_dim = 32, first_channel = 0, heads = 4, key_heads = 2;
    double speed = 1.0;  ///< times every angle
    Rule rule = [](const Channel& c) {
        return c.x * c.cos + (c.first ? -c.partner : c.partner) * c.sin;
    };
};

inline std::vector<float> turned(const Code& code, const std::vector<float>& x, Index heads) {
    std::vector<float> y = x;
    const auto partners = channel_pairs(code.partners, code.rotary_dim);
    const auto table = channel_pairs(code.table, code.rotary_dim);
    const auto other =
        channel_pairs(code.table == Layout::half_split ? Layout::interleaved : Layout::half_split,
                      code.rotary_dim);
    std::vector<Index> place(code.rotary_dim), other_place(code.rotary_dim);
    for (std::size_t i = 0; i < table.size(); ++i) {
        place[table[i].first] = place[table[i].second] = static_cast<Index>(i);
        other_place[other[i].first] = other_place[other[i].second] = static_cast<Index>(i);
    }
    const auto angle_at = [&](Index token, Index pair) {
        return code.speed * to_double(token) *
               std::pow(1e4, -2.0 * to_double(pair) / to_double(code.rotary_dim));
    };
    const auto one = [&](Index row, Index token, Index channel, Index partner, bool first) {
        const double angle = angle_at(token, place[channel]);
        const double elsewhere = angle_at(token, other_place[channel]);
        y[row + channel] =
            to_float(code.rule({x[row + channel], x[row + partner], std::cos(angle),
                                std::sin(angle), first, std::cos(elsewhere), std::sin(elsewhere)}));
    };
    for (Index h = 0; h < heads; ++h) {
        for (Index t = 0; t < kLength; ++t) {
            const Index row = (h * kLength + t) * code.head_dim + code.first_channel;
            for (const ChannelPair& pair : partners) {
                one(row, t, pair.first, pair.second, true);
                one(row, t, pair.second, pair.first, false);
            }
        }
    }
    return y;
}

/// What is done to turned rows [heads, tokens, width] afterwards.
using Afterwards = std::function<void(std::span<float> rows, Index width, Index heads)>;

/// Of q by one code and of k by another.
inline Diagnosis diagnosed(const Code& of_q, const Code& of_k,
                           const Expectation* expectation = nullptr,
                           const Afterwards& afterwards = {}) {
    std::vector<Tensor> tensors;
    for (const std::string name : {"q", "k"}) {
        const Code& code = name == "q" ? of_q : of_k;
        const Index heads = name == "q" ? code.heads : code.key_heads;
        const std::vector<std::int64_t> sizes = {1, heads, kLength, code.head_dim};
        const auto x =
            test::Random(name == "q" ? 3 : 4).normal<float>(heads * kLength * code.head_dim);
        std::vector<float> y = turned(code, x, heads);
        if (afterwards) {
            afterwards(y, code.head_dim, heads);
        }
        tensors.push_back(make_tensor(name, sizes, std::span<const float>(x)));
        tensors.push_back(make_tensor(name + "_rot", sizes, std::span<const float>(y)));
    }
    std::vector<TensorBytes> views;
    std::ranges::transform(tensors, std::back_inserter(views), &Tensor::view);
    return diagnose(make_dump(views, nullptr, "test", {.axes = "bhld"}), expectation);
}

inline Diagnosis diagnosed(const Code& code) {
    return diagnosed(code, code);
}

inline Diagnosis diagnosed_with(const Code& code, const Expectation& expectation) {
    return diagnosed(code, code, &expectation);
}

inline Diagnosis diagnosed_after(const Code& code, const Afterwards& afterwards) {
    return diagnosed(code, code, nullptr, afterwards);
}

}  // namespace ropescope::diagnosis
