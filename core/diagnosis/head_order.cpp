// Compares the lengths of heads at some tokens.
#include "core/diagnosis/head_order.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <span>

namespace ropescope::diagnosis {
namespace {

constexpr Index kFewestTokens = 4, kMostTokens = 16, kMostHeads = 256;

/// [heads, tokens] of the first sequence.
std::vector<double> lengths_of(const DumpTensor& tensor, Index tokens) {
    std::vector<double> lengths, row(tensor.channels);
    for (Index h = 0; h < tensor.heads; ++h) {
        for (Index i = 0; i < tokens; ++i) {
            tensor.read(0, h, i * tensor.length / tokens, row);
            double square = 0.0;
            for (const double x : row) {
                square += x * x;
            }
            lengths.push_back(std::sqrt(square));
        }
    }
    return lengths;
}

/// Whether the lengths agree within what a table in bf16 and a result in 16 bits leave of them.
bool alike(std::span<const double> a, std::span<const double> b) {
    return std::ranges::equal(a, b, [](double x, double y) {
        return std::abs(x - y) <= 0x1p-7 * std::max(x, y) && x > 0.0;
    });
}

}  // namespace

std::optional<std::vector<Index>> find_head_order(const DumpSide& side) {
    const Index heads = side.before.heads, tokens = std::min(side.before.length, kMostTokens);
    if (heads < 2 || heads > kMostHeads || tokens < kFewestTokens) {
        return std::nullopt;
    }
    const std::vector<double> before = lengths_of(side.before, tokens);
    const std::vector<double> after = lengths_of(side.after, tokens);
    std::vector<Index> order;
    for (Index to = 0; to < heads; ++to) {
        std::vector<Index> fitting;
        for (Index from = 0; from < heads; ++from) {
            if (alike(std::span(after).subspan(to * tokens, tokens),
                      std::span(before).subspan(from * tokens, tokens))) {
                fitting.push_back(from);
            }
        }
        if (fitting.size() != 1) {
            return std::nullopt;
        }
        order.push_back(fitting.front());
    }
    const bool moved = !std::ranges::is_sorted(order);
    const bool each_once = std::set<Index>(order.begin(), order.end()).size() == order.size();
    return moved && each_once ? std::optional(order) : std::nullopt;
}

}  // namespace ropescope::diagnosis
