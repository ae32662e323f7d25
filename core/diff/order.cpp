// Finds an order by leaving out what cannot be, vector by vector, and holds it to all of them.
#include "core/diff/order.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <numeric>

#include "core/base/parallel.h"
#include "core/diff/vector_reader.h"
#include "core/rope/layout.h"

namespace ropescope::diff {
namespace {

using diagnosis::DumpTensor;

/// Vectors that are looked at before an order is held to all of them. They leave out the more the
/// better; what they leave open costs time and no truth.
constexpr Index kLooks = 64;

/// The number of a vector as its place.
struct VectorPlace {
    Index row = 0, head = 0, token = 0;
};
VectorPlace place_of_vector(const DumpTensor& tensor, Index i) {
    return {i / (tensor.heads * tensor.length), i / tensor.length % tensor.heads,
            i % tensor.length};
}

/// Which of n things of `a` each of n things of `b` may be.
class Candidates {
  public:
    explicit Candidates(Index n) : n_(n), may_(static_cast<std::size_t>(n) * n, 1) {}

    bool may(Index of_b, Index of_a) const { return may_[of_b * n_ + of_a] != 0; }
    void leave_out(Index of_b, Index of_a) { may_[of_b * n_ + of_a] = 0; }

    /// One for each, none twice: itself if that may be, else the first that is left. Empty if one
    /// has none.
    std::optional<std::vector<Index>> choice() const {
        std::vector<Index> chosen(n_, -1);
        std::vector<char> taken(n_);
        // Those with one candidate first: they do not have a choice.
        std::vector<Index> turn(n_);
        std::iota(turn.begin(), turn.end(), Index{0});
        const auto open = [&](Index of_b) {
            return std::count(may_.begin() + of_b * n_, may_.begin() + (of_b + 1) * n_, 1);
        };
        std::ranges::stable_sort(turn, {}, open);
        for (const Index of_b : turn) {
            for (Index step = 0; step < n_ && chosen[of_b] < 0; ++step) {
                const Index of_a = (of_b + step) % n_;
                if (may(of_b, of_a) && taken[of_a] == 0) {
                    chosen[of_b] = of_a;
                    taken[of_a] = 1;
                }
            }
            if (chosen[of_b] < 0) {
                return std::nullopt;
            }
        }
        return chosen;
    }

  private:
    Index n_;
    std::vector<char> may_;
};

/// Whether a number of A and one of B are the same.
bool near(const VectorReader& reader, Index of_a, Index of_b) {
    const double a = reader.a(of_a), b = reader.b(of_b);
    return a == b || std::abs(a - b) <= reader.allowed(of_a, of_b) ||
           (std::isnan(a) && std::isnan(b));
}

bool is_itself(const std::vector<Index>& order) {
    for (Index i = 0; i < std::ssize(order); ++i) {
        if (order[i] != i) {
            return false;
        }
    }
    return true;
}

/// Whether holds(place) is true of all vectors.
template <typename Holds>
bool holds_everywhere(const DumpTensor& a, const DumpTensor& b, const Allowance& allowance,
                      Holds holds) {
    std::atomic<bool> all = true;
    const Index vectors = a.batch * a.heads * a.length;
    parallel_for(vectors, 256, default_threads(), [&](Index begin, Index end) {
        VectorReader reader(a, b, allowance);
        for (Index i = begin; i < end && all; ++i) {
            if (!holds(place_of_vector(a, i), reader)) {
                all = false;
            }
        }
    });
    return all;
}

bool channels_stand_so(const DumpTensor& a, const DumpTensor& b, const Allowance& allowance,
                       const std::vector<Index>& order) {
    return holds_everywhere(a, b, allowance, [&](const VectorPlace& at, VectorReader& reader) {
        reader.read(at.row, at.token, at.head, at.head);
        for (Index c = 0; c < std::ssize(order); ++c) {
            if (!near(reader, order[c], c)) {
                return false;
            }
        }
        return true;
    });
}

/// Whether a vector of B is that of a head of A at the same token, number by number.
bool same_vector(VectorReader& reader, Index head_a, const VectorPlace& at) {
    reader.read(at.row, at.token, head_a, at.head);
    for (Index c = 0; c < std::ssize(reader.all_of_a()); ++c) {
        if (!near(reader, c, c)) {
            return false;
        }
    }
    return true;
}

std::optional<std::vector<Index>> unless_itself(std::vector<Index> order) {
    return is_itself(order) ? std::nullopt : std::optional(std::move(order));
}

/// The two layouts that an order leads from and to.
struct LayoutChange {
    Layout from = {}, to = {};
    Index rotary_dim = 0;
};
std::optional<LayoutChange> layout_change(const std::vector<Index>& order) {
    // Of the first four channels the change is an exchange of two, which people do by mistake, too.
    constexpr Index kFewestOfSome = 8;
    const Index channels = std::ssize(order);
    if (channels % 2 != 0) {
        return std::nullopt;
    }
    for (Index rotary_dim = channels; rotary_dim == channels || rotary_dim >= kFewestOfSome;
         rotary_dim -= 2) {
        for (const auto& [from, to] : {std::pair{Layout::half_split, Layout::interleaved},
                                       std::pair{Layout::interleaved, Layout::half_split}}) {
            if (order == layout_permutation(from, to, channels, rotary_dim)) {
                return LayoutChange{from, to, rotary_dim};
            }
        }
    }
    return std::nullopt;
}

}  // namespace

std::optional<std::vector<Index>> channel_order(const DumpTensor& a, const DumpTensor& b,
                                                const Allowance& allowance) {
    const Index channels = a.channels, vectors = a.batch * a.heads * a.length;
    Candidates candidates(channels);
    VectorReader reader(a, b, allowance);
    for (Index look = 0; look < std::min(kLooks, vectors); ++look) {
        const VectorPlace at = place_of_vector(a, look * vectors / std::min(kLooks, vectors));
        reader.read(at.row, at.token, at.head, at.head);
        for (Index of_b = 0; of_b < channels; ++of_b) {
            bool any = false;
            for (Index of_a = 0; of_a < channels; ++of_a) {
                if (candidates.may(of_b, of_a) && !near(reader, of_a, of_b)) {
                    candidates.leave_out(of_b, of_a);
                }
                any |= candidates.may(of_b, of_a);
            }
            if (!any) {
                return std::nullopt;
            }
        }
    }
    const std::optional<std::vector<Index>> order = candidates.choice();
    return order && channels_stand_so(a, b, allowance, *order) ? unless_itself(*order)
                                                               : std::nullopt;
}

std::optional<std::vector<Index>> head_order(const DumpTensor& a, const DumpTensor& b,
                                             const Allowance& allowance) {
    if (a.heads < 2) {
        return std::nullopt;
    }
    Candidates candidates(a.heads);
    VectorReader reader(a, b, allowance);
    const Index tokens = a.batch * a.length;
    for (Index look = 0; look < std::min(kLooks, tokens); ++look) {
        const Index at = look * tokens / std::min(kLooks, tokens);
        for (Index of_b = 0; of_b < a.heads; ++of_b) {
            const VectorPlace place{at / a.length, of_b, at % a.length};
            for (Index of_a = 0; of_a < a.heads; ++of_a) {
                if (candidates.may(of_b, of_a) && !same_vector(reader, of_a, place)) {
                    candidates.leave_out(of_b, of_a);
                }
            }
        }
    }
    const std::optional<std::vector<Index>> order = candidates.choice();
    const auto stand_so = [&] {
        return holds_everywhere(a, b, allowance, [&](const VectorPlace& at, VectorReader& both) {
            return same_vector(both, (*order)[at.head], at);
        });
    };
    return order && stand_so() ? unless_itself(*order) : std::nullopt;
}

std::string describe_order(const std::vector<Index>& order, const std::string& noun) {
    if (noun == "channels") {
        if (const auto change = layout_change(order)) {
            return fmt::format("{} in {} order where A has {} order{}", noun,
                               layout_word(change->to), layout_word(change->from),
                               change->rotary_dim == std::ssize(order)
                                   ? ""
                                   : fmt::format(" (of the first {})", change->rotary_dim));
        }
    }
    std::vector<Index> moved;
    for (Index i = 0; i < std::ssize(order); ++i) {
        if (order[i] != i) {
            moved.push_back(i);
        }
    }
    if (moved.size() == 2) {
        return fmt::format("{} {} and {} exchanged", noun, moved[0], moved[1]);
    }
    constexpr std::size_t kMostNamed = 16;
    const auto end =
        order.begin() + static_cast<std::ptrdiff_t>(std::min(kMostNamed, order.size()));
    return fmt::format("{} of A in the order {}{}", noun, fmt::join(order.begin(), end, " "),
                       order.size() > kMostNamed ? " ..." : "");
}

}  // namespace ropescope::diff
