// Tests the four properties of a rotation by position.
#include "core/systems/rotation_test.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <limits>
#include <utility>

#include "core/rope/layout.h"

namespace ropescope {
namespace {

double in_bounds(double value, double bound) {
    if (value == 0.0) {
        return 0.0;
    }
    return std::isnan(value) || bound == 0.0 ? std::numeric_limits<double>::infinity()
                                             : value / bound;
}

void zero_last_head(nd::Array& x) {
    const std::int64_t heads = nd::size(x, 1);
    const std::int64_t width = nd::size(x, 2) * nd::size(x, 3);
    for (std::int64_t b = 0; b < nd::size(x, 0); ++b) {
        std::fill_n(x.values.begin() + ((b + 1) * heads - 1) * width, width, 0.0);
    }
}

double score_at(const ProbeImages& images, const ScoreSite& site) {
    return images.scores.values[static_cast<std::size_t>(site.score)];
}

}  // namespace

void Measured::include(double other_value, double other_bound) {
    if (in_bounds(other_value, other_bound) >= in_bounds(value, bound)) {
        value = other_value;
        bound = other_bound;
    }
}

std::vector<ScoreSite> score_sites(const nd::Array& q, const nd::Array& k) {
    const std::int64_t seq = nd::size(q, 2);
    const double scale = 1.0 / std::sqrt(static_cast<double>(nd::size(q, 3)));
    std::vector<ScoreSite> sites;
    for (std::int64_t head = 0; head < nd::size(q, 0) * nd::size(q, 1); ++head) {
        for (std::int64_t m = 0; m < seq; ++m) {
            for (std::int64_t n = 0; n < seq; ++n) {
                ScoreSite site{(head * seq + m) * seq + n, head * seq + m, head * seq + n, m, n};
                site.q_length = vector_at(q, site.q_vector).norm();
                site.k_length = vector_at(k, site.k_vector).norm();
                site.scale = site.q_length * site.k_length * scale;
                if (site.scale > 0.0) {
                    sites.push_back(site);
                }
            }
        }
    }
    return sites;
}

ProbePair make_probe_pair(std::uint64_t seed, std::int64_t batch, std::int64_t heads,
                          std::int64_t positions, std::int64_t head_dim) {
    ProbePair probe{probe_vectors(seed, batch, heads, positions, head_dim),
                    probe_vectors(seed + 1, batch, heads, positions, head_dim),
                    {}};
    zero_last_head(probe.q);
    zero_last_head(probe.k);
    probe.sites = score_sites(probe.q, probe.k);
    return probe;
}

std::variant<ProbeImages, FrameworkError> probe_images(const System& system, const ProbePair& probe,
                                                       const ProbeSetting& setting,
                                                       std::span<const Index> permutation) {
    const auto run = [&](const nd::Array& x, Role role) {
        const ProbeSetting with_role{setting.base, setting.offset, role, setting.arithmetic};
        if (std::ranges::is_sorted(permutation)) {
            return run_bhld(system, x, with_role);
        }
        nd::Array permuted = x;
        permute_channels<double>(x.values, permuted.values, permutation);
        return run_bhld(system, permuted, with_role);
    };
    Outcome q = run(probe.q, Role::query);
    Outcome k = run(probe.k, Role::key);
    for (const Outcome* outcome : {&q, &k}) {
        if (const auto* error = std::get_if<FrameworkError>(outcome)) {
            return *error;
        }
    }
    ProbeImages images;
    images.q = std::get<nd::Array>(std::move(q));
    images.k = std::get<nd::Array>(std::move(k));
    images.scores = scores(system, images.q, images.k);
    images.rounding = rounding_bound(system, nd::size(probe.q, 3), setting.base,
                                     setting.offset + nd::size(probe.q, 2) - 1, setting.arithmetic);
    return images;
}

void RotationTest::include(const ProbePair& probe, const ProbeImages& images) {
    // A wrong angle keeps the length: only the table's and the products' rounding can change it.
    const double norm_bound = images.rounding.table + images.rounding.products;
    const std::int64_t vectors = nd::count(probe.q.shape) / nd::size(probe.q, 3);
    for (std::int64_t i = 0; i < vectors; ++i) {
        const double before = vector_at(probe.q, i).norm();
        const double after = vector_at(images.q, i).norm();
        if (before > 0.0) {
            norm_change.include(std::abs(after / before - 1.0), norm_bound);
        } else {
            image_of_zero.include(after, 0.0);
        }
    }
    for (const ScoreSite& site : probe.sites) {
        if (site.m == site.n) {
            // q and k at one position are turned by the same table row, wrong angle or not.
            const double exact =
                vector_at(probe.q, site.q_vector).dot(vector_at(probe.k, site.k_vector)) /
                std::sqrt(static_cast<double>(nd::size(probe.q, 3)));
            equal_position_error.include(std::abs(score_at(images, site) - exact) / site.scale,
                                         2.0 * norm_bound);
        }
    }
}

void RotationTest::include_shift(const ProbePair& probe, const ProbeImages& here,
                                 const ProbeImages& there) {
    const double bound = 2.0 * (here.rounding.total() + there.rounding.total());
    for (const ScoreSite& site : probe.sites) {
        relative_violation.include(
            std::abs(score_at(there, site) - score_at(here, site)) / site.scale, bound);
    }
}

void RotationTest::include(const RotationTest& other) {
    image_of_zero.include(other.image_of_zero);
    norm_change.include(other.norm_change);
    equal_position_error.include(other.equal_position_error);
    relative_violation.include(other.relative_violation);
}

std::string RotationTest::reason() const {
    const auto missed = [](const char* what, const Measured& by) {
        return fmt::format("{} {:.2g} (rounding: {:.1g})", what, by.value, by.bound);
    };
    if (!image_of_zero.holds()) {
        return missed("not linear, zero goes to a vector of length", image_of_zero);
    }
    if (!norm_change.holds()) {
        return missed("the norm changes, |f(x)|/|x| is off 1 by", norm_change);
    }
    if (!equal_position_error.holds()) {
        return missed("at distance 0 the score is not q.k, off in |q||k| by", equal_position_error);
    }
    if (!relative_violation.holds()) {
        return missed("a shift of both positions changes the score, in |q||k| by",
                      relative_violation);
    }
    return "";
}

// Bounds the rounding error of a system's own arithmetic.

namespace {

/// In double, pow, sin and cos come from the C library within one unit in the last place.
double unit_of(NumberFormat format) {
    return unit_roundoff(format) * (format == NumberFormat::fp64 ? 2.0 : 1.0);
}

/// max_i theta_i (e_i ln base + 3) over the pairs whose frequency is not exactly 1.
double angle_sensitivity(std::int64_t head_dim, double base) {
    double largest = 0.0;
    for (std::int64_t channel = 2; channel < head_dim; channel += 2) {
        const double exponent = static_cast<double>(channel) / static_cast<double>(head_dim);
        const double growth = std::abs(exponent * std::log(base));
        largest = std::max(largest, std::pow(base, -exponent) * (growth + 3.0));
    }
    return largest;
}

}  // namespace

RoundingBound rounding_bound(const System& system, std::int64_t head_dim, double base,
                             std::int64_t largest_position, Arithmetic arithmetic) {
    const bool written = arithmetic == Arithmetic::as_written;
    const NumberFormat angle = written ? system.precision.angle : NumberFormat::fp64;
    const NumberFormat table = written ? system.precision.table : NumberFormat::fp64;
    const NumberFormat products = written ? NumberFormat::fp32 : NumberFormat::fp64;
    RoundingBound bound;
    bound.angle_rad = static_cast<double>(std::abs(largest_position)) * unit_of(angle) *
                      angle_sensitivity(head_dim, base);
    bound.table = std::sqrt(0.5) * unit_of(table);
    if (table == NumberFormat::bf16) {
        bound.table += std::sqrt(0.5) * unit_of(NumberFormat::fp32);
    }
    bound.products = 3.0 * unit_of(products);
    if (bound.angle_rad >= std::max(bound.table, bound.products)) {
        bound.limited_by =
            fmt::format("{} angles at position {}", to_string(angle), largest_position);
    } else if (bound.table >= bound.products) {
        bound.limited_by = fmt::format("{} table", to_string(table));
    } else {
        bound.limited_by = fmt::format("{} products", to_string(products));
    }
    return bound;
}

}  // namespace ropescope
