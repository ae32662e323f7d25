// The systems of the five texts: each against float64 or its documented failure, and all of
// them against each other.
#include "core/checks/families/system_checks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <string_view>

#include "core/checks/families/families.h"
#include "core/checks/worst_case.h"
#include "core/rope/routes.h"
#include "core/systems/equivalence.h"
#include "core/systems/probe.h"
#include "core/systems/properties.h"
#include "core/systems/source_text.h"

namespace ropescope {
namespace {

constexpr std::array<std::int64_t, 6> kHeadDims{2, 4, 6, 64, 96, 128};
constexpr std::array<double, 3> kBases{1e4, 5e5, 1e6};
constexpr std::array<std::int64_t, 4> kOffsets{0, 3, 2000, 100000};
constexpr const char* kSweep = "head_dim 2..128, base 1e4..1e6, positions 0..100001";

/// What each system makes of its channels, in the words of its document.
struct RotatingSystem {
    std::string_view id;
    Layout layout;
};
constexpr std::array<RotatingSystem, 9> kRotating{{
    {"notebook_bf16", Layout::interleaved},
    {"notebook_fp32", Layout::interleaved},
    {"meta_llama", Layout::interleaved},
    {"hf_roformer", Layout::interleaved},
    {"mistral", Layout::interleaved},
    {"hf_llama_offset", Layout::half_split},
    {"hf_llama_position_ids", Layout::half_split},
    {"strided_llama_repaired", Layout::half_split},
    {"keras_intended", Layout::half_split},
}};

const RotatingSystem* rotating(const System& system) {
    const auto* found = std::ranges::find_if(
        kRotating, [&](const RotatingSystem& each) { return each.id == system.id; });
    return found == kRotating.end() ? nullptr : found;
}

bool is_table(const System& system) {
    return system.id == "d2l_sinusoidal" || system.id == "roformer_sinusoidal";
}

/// What the systems of the documents are to each other beyond head_dim 2.
Verdict expected_verdict(const System& a, const System& b) {
    const RotatingSystem* one = rotating(a);
    const RotatingSystem* other = rotating(b);
    if (&a == &b) {
        return Verdict::identical;
    }
    if (one != nullptr && other != nullptr) {
        return one->layout == other->layout ? Verdict::identical : Verdict::equal_after_permutation;
    }
    if (is_table(a) && is_table(b)) {
        return Verdict::equal_after_permutation;
    }
    const auto turns = [](const System& system, const RotatingSystem* known) {
        return known != nullptr || system.id == "keras_as_written";
    };
    return turns(a, one) && turns(b, other) ? Verdict::different : Verdict::not_a_rotation;
}

Finding verdicts_as_expected(const std::vector<System>& systems) {
    const EquivalenceMatrix matrix = equivalence_matrix({}, systems);
    int wrong = 0;
    std::string first;
    for (const PairVerdict& pair : matrix.pairs) {
        if (pair.verdict != expected_verdict(*pair.a, *pair.b)) {
            ++wrong;
            first = first.empty() ? fmt::format("; {} and {}: {}, {}", pair.a->id, pair.b->id,
                                                to_string(pair.verdict), pair.explanation)
                                  : first;
        }
    }
    return at_most(wrong, 0.0, "pairs with another verdict",
                   fmt::format("{} x {} systems, head_dim 2..128, base 1e4..1e6, positions "
                               "0..100003{}",
                               systems.size(), systems.size(), first));
}

Finding permutation_found(const std::vector<System>& systems) {
    EquivalenceOptions options;
    options.head_dims = {4, 64, 192};
    options.bases = {1e4};
    options.offsets = {0, 2000};
    const EquivalenceMatrix matrix = equivalence_matrix(options, systems);
    int wrong = 0;
    std::string where;
    for (const PairVerdict& pair : matrix.pairs) {
        const RotatingSystem* a = rotating(*pair.a);
        const RotatingSystem* b = rotating(*pair.b);
        if (a == nullptr || b == nullptr || a->layout == b->layout) {
            continue;
        }
        for (const PairAtHeadDim& at : pair.by_head_dim) {
            const Index d = at.head_dim;
            if (at.permutation != layout_permutation(a->layout, b->layout, d, d) ||
                !at.permuted.scores.holds()) {
                ++wrong;
                where = fmt::format("; {} and {} at head_dim {}", pair.a->id, pair.b->id, d);
            }
        }
    }
    return at_most(wrong, 0.0, "permutations that are not evens, then odds, or its inverse",
                   "every pair of one system with adjacent and one with half-split pairs, "
                   "head_dim 4, 64, 192; found by basis vectors, verified on outputs and scores" +
                       where);
}

std::vector<Check> rotating_checks(const std::vector<System>& systems) {
    std::vector<Check> checks;
    for (const RotatingSystem& each : kRotating) {
        const System& system = find_system(each.id, systems);
        checks.push_back(
            {.id = "systems." + system.id,
             .title = system.title + " rotates",
             .source = system.source,
             .statement =
                 fmt::format("It turns {} pairs by m theta, within the rounding of its "
                             "own arithmetic.",
                             each.layout == Layout::interleaved ? "adjacent" : "half-split"),
             .figure = "layouts system_a=" +
                       std::string(system.id == "meta_llama" ? "mistral" : "meta_llama") +
                       " system_b=" + system.id,
             .run = [&system, layout = each.layout](const CheckContext& c) {
                 return system_rotates(system, layout, c.cases);
             }});
    }
    return checks;
}

}  // namespace

// Bound: rounding_bound() of the system; the reference's own error is 2^-20 of that.
Finding system_rotates(const System& system, Layout layout, const Cases& cases) {
    WorstCase worst(cases);
    std::uint64_t seed = 41;
    for (const std::int64_t d : kHeadDims) {
        for (const double wanted : kBases) {
            const RopeSpec spec{d, d, system.base(wanted), layout};
            for (const std::int64_t offset : kOffsets) {
                const nd::Array x = probe_vectors(++seed, 2, 1, 2, d);
                const Outcome outcome = run_bhld(system, x, {wanted, offset});
                const auto* y = std::get_if<nd::Array>(&outcome);
                for (std::int64_t i = 0; i < 4; ++i) {
                    const auto head = vector_at(x, i);
                    const std::int64_t position = offset + i % 2;
                    const std::vector<double> truth = rotate_by_complex(
                        spec, {head.data(), static_cast<std::size_t>(d)}, position);
                    const Eigen::Map<const Eigen::VectorXd> exact(truth.data(), d);
                    const double error = y == nullptr
                                             ? std::numeric_limits<double>::quiet_NaN()
                                             : (vector_at(*y, i) - exact).norm() / head.norm();
                    worst.add(error,
                              rounding_bound(system, d, spec.base, position, Arithmetic::as_written)
                                  .total(),
                              [&] {
                                  return fmt::format("head_dim={} base={:g} m={}", d, spec.base,
                                                     position);
                              });
                }
            }
        }
    }
    return worst.finding(
        "m u max theta (e ln base + 3) + table + 3 * 2^-24, u of the angles' dtype", kSweep);
}

Finding system_does_not_rotate(const System& system, std::span<const std::int64_t> head_dims) {
    int rotations = 0;
    std::string reason = "it looks like a rotation everywhere";
    for (const std::int64_t d : head_dims) {
        const RotationTest test = test_rotation(system, d, system.base(1e4), kOffsets);
        rotations += test.is_rotation() ? 1 : 0;
        reason = test.is_rotation() ? reason : fmt::format("head_dim {}: {}", d, test.reason());
    }
    return at_most(rotations, 0.0, "head_dims at which every property of a rotation holds", reason);
}

std::vector<Check> system_checks(const std::vector<System>& systems) {
    std::vector<Check> checks = rotating_checks(systems);
    for (Check& check : system_failure_checks(systems)) {
        checks.push_back(std::move(check));
    }
    checks.push_back(
        {.id = "systems.matrix",
         .title = "who equals whom",
         .source = "the five texts together",
         .statement =
             "Meta, RoFormer, Mistral and the RoFormer notebook are one map; Hugging Face LLaMA, "
             "the repaired strided LLaMA and the intended Keras layer are that map under a "
             "permutation; "
             "no other system equals another.",
         .figure = "layouts",
         .run = [&systems](const CheckContext&) { return verdicts_as_expected(systems); }});
    checks.push_back(
        {.id = "systems.permutation",
         .title = "evens, then odds",
         .source = cite(kLlamaComparison, "the three implementations"),
         .statement = "The permutation between adjacent and half-split systems is even channels, "
                      "then odd ones, for outputs and scores.",
         .figure = "layouts system_a=hf_roformer system_b=hf_llama_offset",
         .run = [&systems](const CheckContext&) { return permutation_found(systems); }});
    return checks;
}

std::vector<Check> system_checks() {
    return system_checks(all_systems());
}

}  // namespace ropescope
