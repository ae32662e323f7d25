// Measures norm, relative property and singular values of a system.
#include "core/systems/properties.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "core/base/error.h"
#include "core/base/singular_values.h"

namespace ropescope {

namespace {

constexpr std::uint64_t kQuerySeed = 11;
constexpr std::uint64_t kKeySeed = 12;

InputError does_not_run(const System& system, const FrameworkError& error) {
    return InputError(fmt::format("{}: {}: {}", system.id, error.exception, error.text));
}

nd::Array images_or_throw(const System& system, const SystemResult& outcome) {
    if (const auto* error = std::get_if<FrameworkError>(&outcome)) {
        throw does_not_run(system, *error);
    }
    return std::get<nd::Array>(outcome);
}

/// The score of every vector at (m, n): [vectors].
std::vector<double> scores_at(const System& system, const nd::Array& q, const nd::Array& k,
                              double base, std::int64_t m, std::int64_t n) {
    const auto run = [&](const nd::Array& x, QkvRole role, std::int64_t position) {
        return images_or_throw(system, run_at_position(system, x, {base, position, role}));
    };
    const nd::Array image_q = run(q, QkvRole::query, m);
    const nd::Array image_k = run(k, QkvRole::key, n);
    const double factor = system.score_factor ? system.score_factor(n - m) : 1.0;
    std::vector<double> out;
    for (std::int64_t i = 0; i < nd::size(q, 1); ++i) {
        out.push_back(vector_at(image_q, i).dot(vector_at(image_k, i)) * factor);
    }
    return out;
}

}  // namespace

double NormRange::change() const {
    return std::max(std::abs(lowest - 1.0), std::abs(highest - 1.0));
}

void NormRange::include(const NormRange& other) {
    lowest = std::min(lowest, other.lowest);
    highest = std::max(highest, other.highest);
}

NormRange norm_ratio(const System& system, std::int64_t head_dim, double base,
                     std::int64_t position, std::int64_t vectors) {
    const nd::Array x = probe_vectors(kQuerySeed, 1, vectors, 1, head_dim);
    const nd::Array y =
        images_or_throw(system, run_at_position(system, x, {base, position, QkvRole::query}));
    NormRange range;
    for (std::int64_t i = 0; i < vectors; ++i) {
        const double ratio = vector_at(y, i).norm() / vector_at(x, i).norm();
        range = i == 0 ? NormRange{ratio, ratio}
                       : NormRange{std::min(range.lowest, ratio), std::max(range.highest, ratio)};
    }
    return range;
}

double relative_violation(const System& system, std::int64_t head_dim, double base, std::int64_t m,
                          std::int64_t n, std::int64_t shift, std::int64_t vectors) {
    const nd::Array q = probe_vectors(kQuerySeed, 1, vectors, 1, head_dim);
    const nd::Array k = probe_vectors(kKeySeed, 1, vectors, 1, head_dim);
    const std::vector<double> here = scores_at(system, q, k, base, m, n);
    const std::vector<double> there = scores_at(system, q, k, base, m + shift, n + shift);
    double worst = 0.0;
    for (std::int64_t i = 0; i < vectors; ++i) {
        const auto index = static_cast<std::size_t>(i);
        worst = std::max(worst, std::abs(there[index] - here[index]) /
                                    (vector_at(q, i).norm() * vector_at(k, i).norm()));
    }
    return worst;
}

std::vector<double> singular_values(const System& system, std::int64_t head_dim, double base,
                                    std::int64_t position, Arithmetic arithmetic) {
    const Operator map = operator_at(system, head_dim, base, position, arithmetic);
    return singular_values(map.matrix);
}

RotationTest test_rotation(const System& system, std::int64_t head_dim, double base,
                           std::span<const std::int64_t> offsets) {
    const ProbePair probe = make_probe_pair(kQuerySeed, 4, 3, 4, head_dim);
    RotationTest test;
    std::optional<ProbeImages> first;
    for (const std::int64_t offset : offsets) {
        const auto outcome = probe_images(system, probe, {base, offset});
        if (const auto* error = std::get_if<FrameworkError>(&outcome)) {
            throw does_not_run(system, *error);
        }
        const auto& images = std::get<ProbeImages>(outcome);
        first = first ? first : images;
        test.include(probe, images);
        test.include_shift(probe, *first, images);
    }
    return test;
}

double position_response(const System& system, std::int64_t head_dim, double base,
                         std::int64_t seq) {
    const auto repeated = [&](std::uint64_t seed) {
        const nd::Array one = probe_vectors(seed, 1, 1, 1, head_dim);
        nd::Array all{{seq, 1, seq, head_dim}, {}, one.dtype};
        for (std::int64_t i = 0; i < seq * seq; ++i) {
            all.values.insert(all.values.end(), one.values.begin(), one.values.end());
        }
        return all;
    };
    const nd::Array q = repeated(kQuerySeed);
    const nd::Array k = repeated(kKeySeed);
    const nd::Array table =
        scores(system, images_or_throw(system, run_bhld(system, q, {base, 0, QkvRole::query})),
               images_or_throw(system, run_bhld(system, k, {base, 0, QkvRole::key})));
    double worst = 0.0;
    for (const ScoreSite& site : score_sites(q, k)) {
        const double at_m = table.values[static_cast<std::size_t>(site.score + site.m - site.n)];
        worst =
            std::max(worst, std::abs(table.values[static_cast<std::size_t>(site.score)] - at_m) /
                                site.scale);
    }
    return worst;
}

}  // namespace ropescope
