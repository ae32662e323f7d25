// Compares the lengths of heads at some tokens.
#include "core/diagnosis/measure/head_order.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <span>

#include "core/diagnosis/phrases.h"

namespace ropescope::diagnosis {
namespace {

constexpr Index kFewestTokens = 4, kMostOrderTokens = 16, kMostHeads = 256;

/// In the first sequence.
double length_at(const DumpTensor& tensor, HeadToken place) {
    std::vector<double> row(tensor.channels);
    tensor.read(0, place.head, place.token, row);
    double square = 0.0;
    for (const double x : row) {
        square += x * x;
    }
    return std::sqrt(square);
}

/// [heads, tokens] of the first sequence.
std::vector<double> lengths_of(const DumpTensor& tensor, Index tokens) {
    std::vector<double> lengths;
    for (Index h = 0; h < tensor.heads; ++h) {
        for (Index i = 0; i < tokens; ++i) {
            lengths.push_back(length_at(tensor, {h, i * tensor.length / tokens}));
        }
    }
    return lengths;
}

/// Whether two lengths agree within what a table in bf16 and a result in 16 bits leave of them.
bool near(double x, double y) {
    return std::abs(x - y) <= 0x1p-7 * std::max(x, y) && x > 0.0;
}

bool alike(std::span<const double> a, std::span<const double> b) {
    return std::ranges::equal(a, b, near);
}

/// From a row after to the row before that it would be.
using Order = HeadToken(HeadToken after, Index heads, Index tokens);

struct NamedOrder {
    const Phrase* cause;
    Order* from;
};

constexpr std::array<NamedOrder, 5> kOrders = {{
    {&say::kReshaped,
     [](HeadToken at, Index heads, Index tokens) {
         const Index flat = at.head * tokens + at.token;
         return HeadToken{flat % heads, flat / heads};
     }},
    {&say::kReshaped,
     [](HeadToken at, Index heads, Index tokens) {
         const Index flat = at.token * heads + at.head;
         return HeadToken{flat / tokens, flat % tokens};
     }},
    {&say::kReversed,
     [](HeadToken at, Index, Index tokens) {
         return HeadToken{at.head, tokens - 1 - at.token};
     }},
    {&say::kShifted,
     [](HeadToken at, Index, Index tokens) {
         return HeadToken{at.head, (at.token + 1) % tokens};
     }},
    {&say::kShifted,
     [](HeadToken at, Index, Index tokens) {
         return HeadToken{at.head, (at.token + tokens - 1) % tokens};
     }},
}};

/// Whether all rows come from where the order says; the first that moved, if so.
std::optional<HeadToken> first_moved(const DumpSide& side, Order* from) {
    const Index heads = side.before.heads, tokens = side.before.length;
    constexpr Index kMostRows = 512;
    const Index rows = heads * tokens, step = std::max<Index>(1, rows / kMostRows);
    std::optional<HeadToken> first;
    for (Index i = 0; i < rows; i += step) {
        const HeadToken to{i / tokens, i % tokens}, origin = from(to, heads, tokens);
        if (!near(length_at(side.after, to), length_at(side.before, origin))) {
            return std::nullopt;
        }
        if (!first && (to.head != origin.head || to.token != origin.token)) {
            first = to;
        }
    }
    return first;
}

}  // namespace

std::optional<RowOrder> find_row_order(const DumpSide& side) {
    const Index rows = side.before.heads * side.before.length;
    if (rows < 2 * kFewestTokens) {
        return std::nullopt;
    }
    for (const NamedOrder& order : kOrders) {
        if (const auto to = first_moved(side, order.from)) {
            return RowOrder{order.cause, *to,
                            order.from(*to, side.before.heads, side.before.length)};
        }
    }
    return std::nullopt;
}

std::optional<std::pair<Index, Index>> heads_that_turn_together(const DumpSide& side) {
    const Index heads = side.before.heads, half = heads / 2;
    if (heads < 2 || heads % 2 != 0) {
        return std::nullopt;
    }
    const Index channels = side.before.channels;
    const Index tokens = std::min(side.before.length, kMostOrderTokens);
    bool turned = false;
    std::vector<double> x(channels), partner(channels), y(channels), turned_partner(channels);
    for (Index i = 0; i < tokens; ++i) {
        const Index token = side.before.length - 1 - i;  // the last have turned furthest
        for (Index h = 0; h < half; ++h) {
            side.before.read(0, h, token, x);
            side.before.read(0, h + half, token, partner);
            side.after.read(0, h, token, y);
            side.after.read(0, h + half, token, turned_partner);
            for (Index c = 0; c < channels; ++c) {
                if (!near(std::hypot(x[c], partner[c]), std::hypot(y[c], turned_partner[c]))) {
                    return std::nullopt;
                }
                turned = turned || std::abs(x[c] - y[c]) > 0x1p-4 * std::abs(x[c]);
            }
        }
    }
    return turned ? std::optional(std::pair(Index{0}, half)) : std::nullopt;
}

std::optional<std::vector<Index>> find_head_order(const DumpSide& side) {
    const Index heads = side.before.heads, tokens = std::min(side.before.length, kMostOrderTokens);
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
