// Finds permutations from the images of basis vectors.
#include "core/systems/permutation_search.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>
#include <numeric>

#include "core/rope/layout.h"
#include "core/systems/probe.h"

namespace ropescope {

namespace {

/// At 1 the sines of all pairs differ and rise with the frequency; at 1000 the cosines of the slow
/// pairs are far enough from 1 to differ in double.
constexpr std::array<std::int64_t, 2> kProbePositions = {1, 1000};

}  // namespace

ChannelSignatures channel_signatures(const System& system, std::int64_t head_dim, double base) {
    ChannelSignatures out{head_dim, {}};
    Eigen::MatrixXd table(4 * static_cast<Eigen::Index>(kProbePositions.size()), head_dim);
    Eigen::Index row = 0;
    for (const std::int64_t position : kProbePositions) {
        const Operator map = operator_at(system, head_dim, base, position);
        const Eigen::VectorXd diagonal = map.matrix.diagonal();
        table.row(row++) = diagonal.transpose();
        table.row(row++) = map.matrix.colwise().sum() - diagonal.transpose();
        table.row(row++) = (map.matrix.rowwise().sum() - diagonal).transpose();
        table.row(row++) = map.image_of_zero.transpose();
    }
    out.values.assign(table.data(), table.data() + table.size());
    return out;
}

std::optional<std::vector<Index>> search_permutation(const ChannelSignatures& from,
                                                     const ChannelSignatures& to) {
    const std::size_t width = from.values.size() / static_cast<std::size_t>(from.head_dim);
    std::vector<Index> permutation;
    std::vector<bool> taken(static_cast<std::size_t>(from.head_dim), false);
    for (auto wanted = to.values.begin(); wanted != to.values.end();
         wanted += static_cast<std::ptrdiff_t>(width)) {
        double nearest = std::numeric_limits<double>::infinity();
        std::size_t match = 0;
        for (std::size_t c = 0; c < taken.size(); ++c) {
            double distance = 0.0;
            for (std::size_t i = 0; i < width; ++i) {
                distance = std::max(distance, std::abs(from.values[c * width + i] -
                                                       wanted[static_cast<std::ptrdiff_t>(i)]));
            }
            if (distance < nearest && !taken[c]) {
                nearest = distance;
                match = c;
            }
        }
        // Exact operators agree to 1000 radians of rounding, 1000 * 2^-52 * (ln base + 3) < 1e-11.
        if (nearest > 1e-10) {
            return std::nullopt;
        }
        taken[match] = true;
        permutation.push_back(match);
    }
    return permutation;
}

bool is_identity(const std::vector<Index>& permutation) {
    return std::ranges::is_sorted(permutation);
}

std::vector<Index> inverse_permutation(const std::vector<Index>& permutation) {
    std::vector<Index> inverse(permutation.size());
    for (Index c = 0; c < std::ssize(permutation); ++c) {
        inverse[permutation[c]] = c;
    }
    return inverse;
}

std::string describe_permutation(const std::vector<Index>& permutation) {
    const Index head_dim = std::ssize(permutation);
    if (is_identity(permutation)) {
        return "identity";
    }
    if (head_dim % 2 == 0) {
        const auto between = [head_dim](Layout from, Layout to) {
            return layout_permutation(from, to, head_dim, head_dim);
        };
        if (permutation == between(Layout::interleaved, Layout::half_split)) {
            return "even channels, then odd channels";
        }
        if (permutation == between(Layout::half_split, Layout::interleaved)) {
            return "first half and second half in turn";
        }
    }
    if (head_dim <= 16) {
        return fmt::format("{}", fmt::join(permutation, " "));
    }
    return fmt::format("{} ... {}", fmt::join(permutation.begin(), permutation.begin() + 8, " "),
                       fmt::join(permutation.end() - 2, permutation.end(), " "));
}

}  // namespace ropescope
