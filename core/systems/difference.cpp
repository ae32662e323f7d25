// Runs two systems on the same vectors and compares their outputs.
#include "core/systems/difference.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ropescope {
namespace {

double largest_entry(const nd::Array& a) {
    return Eigen::Map<const Eigen::VectorXd>(a.values.data(),
                                             static_cast<Eigen::Index>(a.values.size()))
        .cwiseAbs()
        .maxCoeff();
}

/// Largest |a[p[c]] - b[c]| over all vectors.
double largest_difference(const nd::Array& a, const std::vector<Index>& p, const nd::Array& b) {
    double largest = 0.0;
    const auto d = static_cast<std::size_t>(p.size());
    for (std::size_t vector = 0; vector < a.values.size(); vector += d) {
        for (std::size_t c = 0; c < d; ++c) {
            const double off =
                a.values[vector + static_cast<std::size_t>(p[c])] - b.values[vector + c];
            if (std::isnan(off)) {
                return off;
            }
            largest = std::max(largest, std::abs(off));
        }
    }
    return largest;
}

/// 1 where a table row is added: its pairs (sin, cos) have length 1.
double added_length(const System& system) {
    return system.kind == SystemKind::additive || system.kind == SystemKind::additive_table ? 1.0
                                                                                            : 0.0;
}

/// The error that rounding allows for an output whose input pairs are not longer than sqrt(2)
/// max|x|.
double output_bound(const System& system, const ProbePair& probe, const RoundingBound& rounding) {
    const double pair_length = std::sqrt(2.0) * largest_entry(probe.q);
    return rounding.total() * (pair_length + added_length(system));
}

/// The same for a score in units of |q| |k| / sqrt(d); both factors carry the error.
double score_bound(const System& system, const ProbePair& probe, const ScoreSite& site,
                   const RoundingBound& rounding) {
    const double row =
        added_length(system) * std::sqrt(static_cast<double>(nd::size(probe.q, 3)) / 2.0);
    return 2.0 * rounding.total() * (1.0 + row / site.q_length) * (1.0 + row / site.k_length);
}

}  // namespace

void Difference::include(const Difference& other) {
    const Measured before = outputs;
    outputs.include(other.outputs);
    if (outputs.value != before.value || outputs.bound != before.bound) {
        worst = other.worst;
        limited_by = other.limited_by;
    }
    scores.include(other.scores);
    largest_output = std::max(largest_output, other.largest_output);
    largest_score = std::max(largest_score, other.largest_score);
    same_in_exact_arithmetic = same_in_exact_arithmetic && other.same_in_exact_arithmetic;
}

Difference compare(CaseImages& images, const System& a, const System& b, std::size_t permutation) {
    Difference difference;
    difference.worst = images.point();
    const auto run = [&](const System& system, std::size_t p, Arithmetic arithmetic) {
        const CaseImages::Images& result = images.of(system, p, arithmetic);
        if (const auto* error = std::get_if<FrameworkError>(&result)) {
            difference.outputs = {std::numeric_limits<double>::infinity(), 0.0};
            difference.limited_by = system.title + " does not run: " + error->text;
        }
        return std::get_if<ProbeImages>(&result);
    };
    const ProbeImages* written_a = run(a, 0, Arithmetic::as_written);
    const ProbeImages* written_b = run(b, permutation, Arithmetic::as_written);
    const ProbeImages* exact_a = run(a, 0, Arithmetic::real_numbers);
    const ProbeImages* exact_b = run(b, permutation, Arithmetic::real_numbers);
    if (!difference.limited_by.empty()) {
        return difference;
    }
    const ProbePair& probe = images.probe();
    const auto outputs = [&](const ProbeImages& of_a, const ProbeImages& of_b) {
        const double bound =
            output_bound(a, probe, of_a.rounding) + output_bound(b, probe, of_b.rounding);
        return Measured{largest_difference(of_a.q, images.permutation(permutation), of_b.q), bound};
    };
    difference.outputs = outputs(*written_a, *written_b);
    difference.largest_output = difference.outputs.value;
    difference.limited_by = written_a->rounding.total() > written_b->rounding.total()
                                ? written_a->rounding.limited_by
                                : written_b->rounding.limited_by;
    difference.same_in_exact_arithmetic = outputs(*exact_a, *exact_b).holds();
    for (const ScoreSite& site : probe.sites) {
        const auto index = static_cast<std::size_t>(site.score);
        const double off =
            std::abs(written_a->scores.values[index] - written_b->scores.values[index]) /
            site.scale;
        difference.scores.include(off, score_bound(a, probe, site, written_a->rounding) +
                                           score_bound(b, probe, site, written_b->rounding));
        difference.largest_score = std::max(difference.largest_score, off);
    }
    return difference;
}

// Computes and keeps the images of one probe under each system.

const CaseImages::Images& CaseImages::of(const System& system, std::size_t permutation,
                                         Arithmetic arithmetic) {
    const auto key = std::tuple(&system, permutation, arithmetic);
    auto found = known_.find(key);
    if (found == known_.end()) {
        found = known_
                    .emplace(key,
                             probe_images(system, probe_, {base_, offset_, Role::query, arithmetic},
                                          permutations_[permutation]))
                    .first;
    }
    return found->second;
}

}  // namespace ropescope
