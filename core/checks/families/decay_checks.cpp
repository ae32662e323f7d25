// Checks of the paper's long-term decay.
#include "core/checks/families/decay_checks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <fmt/format.h>
#include <numbers>
#include <numeric>
#include <span>

#include "core/analysis/base_bound.h"
#include "core/analysis/turns.h"
#include "core/checks/families/families.h"
#include "core/checks/reference/error_model.h"
#include "core/checks/reference/long_double_reference.h"
#include "core/checks/sweep.h"
#include "core/checks/worst_case.h"
#include "core/formats/presets.h"
#include "core/rope/score.h"

namespace ropescope {
namespace {

constexpr std::array<std::int64_t, 7> kDecayDistances = {0, 1, 17, 256, 4096, 131071, 1048575};

std::string where_at_distance(const RopeSpec& spec, std::int64_t distance) {
    return fmt::format("{} distance={}", case_name(spec), distance);
}

/// decay_error(), and inv_freq's own rounding, which turns each angle by frequency_error_rad(): a
/// component of S_j then moves by P times that at most, |S_j| by sqrt(2) times as much.
double error_at(const Spectrum& spectrum, std::int64_t distance) {
    return decay_error(spectrum) +
           std::numbers::sqrt2 * to_double(spectrum.pairs()) * frequency_error_rad(distance);
}

struct LongDecay {
    long double upper_bound = 0, cosine_sum = 0;
};

LongDecay long_double_decay(const RopeSpec& spec, std::int64_t distance) {
    LongDecay decay;
    std::complex<long double> sum = 0;
    for (Index i = 0; i < spec.pairs(); ++i) {
        const long double inv_freq = reference_inv_freq(spec.base, spec.rotary_dim, i);
        sum += std::polar(1.0L, reference_reduced(static_cast<long double>(distance) * inv_freq));
        decay.upper_bound += std::abs(sum);
    }
    decay.upper_bound /= spec.pairs();
    decay.cosine_sum = sum.real();
    return decay;
}

/// h_i = q_i conj(k_i) of every pair, interleaved layout: the score is Re sum_i h_i e^{i angle}
/// with the angle of m - n.
std::vector<std::complex<double>> products(std::span<const double> q, std::span<const double> k) {
    std::vector<std::complex<double>> h;
    for (std::size_t i = 0; i + 1 < q.size(); i += 2) {
        h.push_back(std::complex(q[i], q[i + 1]) * std::conj(std::complex(k[i], k[i + 1])));
    }
    return h;
}

}  // namespace

// Bound 0: sums of ones.
CheckFinding decay_starts_at_its_height(const DecayAt& at, const Cases& cases) {
    WorstCase worst(cases);
    for (const Rope& rope : spectrum_sweep(cases)) {
        const DecayPoint start = at(rope.spectrum, 0);
        const double pairs = to_double(rope.spec.pairs());
        worst.add(
            std::abs(start.upper_bound - (pairs + 1) / 2) + std::abs(start.cosine_sum - pairs), 0.0,
            [&] { return case_name(rope.spec); });
    }
    return worst.finding("exact: |S_j| = j at distance 0", "all spectra of the sweep");
}

CheckFinding decay_matches_long_double(const DecayAt& at, const Cases& cases) {
    WorstCase worst(cases);
    for (const Rope& rope : spectrum_sweep(cases)) {
        for (const std::int64_t distance : kDecayDistances) {
            const DecayPoint point = at(rope.spectrum, distance);
            const LongDecay expected = long_double_decay(rope.spec, distance);
            const double bound = error_at(rope.spectrum, distance);
            const auto off = [](double value, long double exact) {
                return static_cast<double>(std::abs(static_cast<long double>(value) - exact));
            };
            worst.add(off(point.upper_bound, expected.upper_bound), bound,
                      [&] { return where_at_distance(rope.spec, distance) + " curve=bound"; });
            worst.add(off(point.cosine_sum, expected.cosine_sum), bound,
                      [&] { return where_at_distance(rope.spec, distance) + " curve=cosines"; });
        }
    }
    return worst.finding("P (sqrt(2) (35 + 2 P) + 1) u and 1.43 P |distance| u, P pairs",
                         "distances 0..1048575");
}

CheckFinding decay_run_matches_points(const DecayRun& run, const Cases& cases) {
    WorstCase worst(cases);
    for (const Rope& rope : spectrum_sweep(cases)) {
        constexpr std::int64_t kFirst = 4000, kCount = 131;
        const DecayCurves curves = run(rope.spectrum, kFirst, kCount);
        // The same inv_freq on both sides: only rounding is left, once on each.
        const double bound = 2 * decay_error(rope.spectrum);
        for (std::int64_t i = 0; i < kCount; i += 13) {
            const auto index = static_cast<std::size_t>(i);
            const DecayPoint point = decay_at(rope.spectrum, kFirst + i);
            worst.add(std::max(std::abs(curves.upper_bound.at(index) - point.upper_bound),
                               std::abs(curves.cosine_sum.at(index) - point.cosine_sum)),
                      bound, [&] { return where_at_distance(rope.spec, kFirst + i); });
        }
    }
    return worst.finding(
        "2 P (sqrt(2) (35 + 2 P) + 1) u: angle addition against each angle by itself",
        "distances 4000..4130");
}

// The measured number is score / bound, 1 at most; rounding: both are sums of P products.
CheckFinding decay_bounds_scores(const DecayAt& at, const Cases& cases) {
    WorstCase worst(cases);
    for (const Rope& rope : interleaved_sweep(cases)) {
        const RopeSpec& spec = rope.spec;
        // Other vectors for another encoding, and the same ones whichever others are computed.
        const auto seed = static_cast<std::uint64_t>(spec.base) + 71 * spec.rotary_dim;
        const HeadRows content = random_rows(2, spec.head_dim, seed);
        const double pairs = to_double(spec.pairs());
        const auto h =
            products(content[0].first(spec.rotary_dim), content[1].first(spec.rotary_dim));
        double steepest = std::abs(h.back());  // h_P = 0
        for (std::size_t i = 0; i + 1 < h.size(); ++i) {
            steepest = std::max(steepest, std::abs(h[i + 1] - h[i]));
        }
        const auto terms = pair_terms(spec, content[0], content[1]);
        for (const std::int64_t distance : kDecayDistances) {
            const double score = score_logits(spec, rope.spectrum, terms, 0.0, distance) *
                                 std::sqrt(to_double(spec.head_dim));
            const double bound = steepest * pairs * at(rope.spectrum, distance).upper_bound;
            worst.add(std::abs(score), bound * (1 + 100 * pairs * kUnitDouble),
                      [&] { return where_at_distance(spec, distance); });
        }
    }
    return worst.finding("max |h_{i+1} - h_i| sum |S_j| of the same q and k, and 100 P u of it",
                         sweep_text() + ", random q and k");
}

CheckFinding decay_is_not_monotone(const DecayRun& run) {
    const Spectrum spectrum = make_spectrum({.head_dim = 128, .rotary_dim = 128, .base = 10000.0});
    const Rises rises = find_rises(run(spectrum, 0, 257).upper_bound, decay_tolerance(spectrum));
    constexpr std::int64_t kRising = 115, kFirst = 18, kLowestAt = 236;
    const auto off = std::abs(rises.rising - kRising) + std::abs(rises.first - kFirst) +
                     std::abs(rises.lowest_at - kLowestAt);
    return at_most(static_cast<double>(off), 0.0, "counted: whole numbers",
                   fmt::format("head_dim 128, base 10000, distances 0..256: rises on {} of {} "
                               "steps, first after {}, lowest at {}",
                               rises.rising, rises.steps, rises.first, rises.lowest_at));
}

/// The first distance, to `last`, at which the sum of cosines is below `least`; -1 if there is
/// none. Every distance is computed.
Index first_sum_below(const Spectrum& spectrum, Index last, double least) {
    constexpr Index kAtOnce = 1024;
    Index found = -1;
    for (Index first = 0; first <= last && found < 0; first += kAtOnce) {
        walk_turns(spectrum, first, std::min(kAtOnce, last + 1 - first),
                   [&](Index distance, std::span<const double> cos, std::span<const double>) {
                       const double sum = std::reduce(cos.begin(), cos.end());
                       found = found < 0 && sum < least ? distance : found;
                   });
    }
    return found;
}

// The search leaves out distances by a bound; here the sum is computed at every one of them.
CheckFinding decay_first_negative(const FirstNegative& first, const Cases& cases) {
    constexpr Index kLast = 32768;
    Index different = 0, compared = 0;
    std::string where;
    for (const ModelConfig& model : model_presets()) {
        const std::string name = fmt::format("model={}", model.title);
        if (!cases.contain(name)) {
            continue;
        }
        const Spectrum spectrum = make_spectrum(model.rope);
        // Within the rounding of either sum nobody can say.
        const Index expected = first_sum_below(spectrum, kLast, -decay_error(spectrum));
        ++compared;
        if (first(spectrum, kLast).value_or(-1) != expected) {
            ++different;
            where = ", " + model.title;
        }
    }
    return at_most(to_double(different), 0.0, "counted: whole numbers",
                   fmt::format("distances 0..{} of {} published models as configured{}", kLast,
                               compared, where));
}

CheckFinding decay_bases_are_no_interval() {
    constexpr Index kLength = 4096;
    const WorkingBases found = find_working_bases(128, kLength);
    // Of two neighbouring ranges the sum at every distance says that what lies between them fails.
    Index wrong = found.ranges.size() < 2 ? 1 : 0;
    for (std::size_t i = 0; i + 1 < found.ranges.size(); ++i) {
        const auto stays = [](double base) {
            const Spectrum spectrum =
                make_spectrum({.head_dim = 128, .rotary_dim = 128, .base = base});
            return first_sum_below(spectrum, kLength, 0.0) < 0;
        };
        wrong += stays(found.ranges[i].least) ? 0 : 1;
        wrong += stays(found.ranges[i].most * kBaseStep) ? 1 : 0;
    }
    return at_most(to_double(wrong), 0.0, "counted: whole numbers",
                   fmt::format("64 pairs, {} positions: {} ranges of bases, the first from {:.3g}, "
                               "all from {:.3g}",
                               kLength, found.ranges.size(),
                               found.ranges.empty() ? 0.0 : found.ranges.front().least,
                               found.all_from.value_or(0)));
}

std::vector<Check> decay_checks() {
    const std::string source = "RoFormer, section 3.4.3";
    const auto of_points = [](CheckFinding (*finding)(const DecayAt&, const Cases&)) {
        return [finding](const CheckContext& c) { return finding(decay_at, c.cases); };
    };
    return {
        {.id = "decay.start",
         .title = "(P + 1) / 2 and P at distance 0",
         .source = source,
         .statement =
             "At distance 0 all pairs agree: the bound is (P + 1) / 2, the sum of cosines P.",
         .figure = "decay",
         .run = of_points(decay_starts_at_its_height)},
        {.id = "decay.values",
         .title = "bound and sum of cosines",
         .source = source + ", figure 2",
         .statement = "(1/P) sum |S_j| and sum cos(delta theta_i) are what the definitions give.",
         .figure = "decay",
         .run = of_points(decay_matches_long_double)},
        {.id = "decay.run",
         .title = "successive distances by angle addition",
         .source = source,
         .statement = "Curves computed step by step agree with each distance computed by itself.",
         .figure = "decay",
         .run = [](const CheckContext& c) { return decay_run_matches_points(decay_run, c.cases); }},
        {.id = "decay.bounds_scores",
         .title = "no score exceeds the bound",
         .source = source + ", eq. 36-37",
         .statement = "|q_m . k_n| is at most max |h_{i+1} - h_i| times sum |S_j|.",
         .figure = "decay",
         .run = of_points(decay_bounds_scores)},
        {.id = "decay.not_monotone",
         .title = "the bound rises on 115 of 256 steps",
         .source = source + ", figure 2",
         .statement =
             "The curve of the paper's figure is not a monotone decay: it rises first after "
             "distance 18.",
         .figure = "decay",
         .run = [](const CheckContext&) { return decay_is_not_monotone(decay_run); }},
        {.id = "decay.first_negative",
         .title = "where the sum of cosines falls below zero",
         .source = "arXiv:2405.14591",
         .statement =
             "The first distance at which sum cos(delta theta_i) is negative is the one that the "
             "sums of all distances show, for every published model as configured.",
         .figure = "context context_show=bases",
         .run =
             [](const CheckContext& c) {
                 return decay_first_negative(
                     [](const Spectrum& spectrum, Index last) {
                         return first_negative_distance(spectrum, last);
                     },
                     c.cases);
             }},
        {.id = "decay.bases",
         .title = "the bases that allow a length are no interval",
         .source = "arXiv:2405.14591",
         .statement =
             "Above the least base at which the sum of cosines stays at or above zero to 4,096 "
             "positions there are bases at which it does not.",
         .figure = "context context_show=bases target_length=4096",
         .run = [](const CheckContext&) { return decay_bases_are_no_interval(); }},
    };
}

}  // namespace ropescope
