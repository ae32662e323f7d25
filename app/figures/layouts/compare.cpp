// Compares two systems on one vector.
#include "app/figures/layouts/compare.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "core/rope/layout.h"
#include "core/systems/properties.h"

namespace ropescope::figures {
namespace {

SystemOutput output_of(const System& system, const nd::Array& x, double base, const Scene& scene) {
    const Outcome outcome = run_at_position(
        system, x, {.base = base, .offset = scene.query_position, .role = Role::query});
    if (const auto* error = std::get_if<FrameworkError>(&outcome)) {
        return {{}, error->exception + ": " + error->text};
    }
    const auto& image = std::get<nd::Array>(outcome);
    if (!std::ranges::all_of(image.values, [](double value) { return std::isfinite(value); })) {
        return {{}, "its output is not finite"};
    }
    return {image.values, {}};
}

/// x[p], of one vector.
nd::Array permuted(nd::Array x, const std::vector<Index>& p) {
    const std::vector<double> before = x.values;
    permute_channels<double>(before, x.values, p);
    return x;
}

/// A title with a comma of its own would run into its sentence.
std::string quoted(const std::string& title) {
    return title.find(',') == std::string::npos ? title : "“" + title + "”";
}

}  // namespace

const EquivalenceMatrix& system_matrix() {
    static const EquivalenceMatrix matrix =
        equivalence_matrix({.head_dims = {8, 64}, .bases = {1e4}, .offsets = {0, 3, 2000}});
    return matrix;
}

SystemComparison compare_systems(const Scene& scene) {
    const Index head_dim = std::min(scene.head_dim, kMostComparedChannels);
    const System& a = find_system(scene.system_a);
    const System& b = find_system(scene.system_b);
    const std::vector<System> two = {a, b};
    EquivalenceMatrix here = equivalence_matrix(
        {.head_dims = {head_dim}, .bases = {scene.base}, .offsets = {scene.query_position}}, two);
    PairVerdict verdict = std::move(here.pairs[1]);
    verdict.a = &a;
    verdict.b = &b;
    std::vector<Index> permutation;
    if (verdict.verdict == Verdict::equal_after_permutation) {
        permutation = verdict.by_head_dim.front().permutation;
    }
    const double base = a.base(b.base(scene.base));  // as in the verdict
    const nd::Array x = probe_vectors(scene.content_seed, 1, 1, 1, head_dim);
    SystemComparison comparison{.verdict = std::move(verdict),
                                .a_rotates = here.rotation_tests[0].is_rotation(),
                                .b_rotates = here.rotation_tests[1].is_rotation(),
                                .head_dim = head_dim,
                                .permutation = std::move(permutation),
                                .base = base,
                                .a = output_of(a, x, base, scene),
                                .b = output_of(b, x, base, scene),
                                .b_permuted = {}};
    const std::vector<Index>& p = comparison.permutation;
    if (!p.empty()) {
        comparison.b_permuted = output_of(b, permuted(x, p), base, scene);
        const std::vector<double> there = comparison.b_permuted.values;
        for (Index c = 0; c < std::ssize(there); ++c) {
            comparison.b_permuted.values[p[c]] = there[c];
        }
    }
    return comparison;
}

const System* positionless(const SystemComparison& comparison) {
    constexpr double kSameProducts = 8.0 * 0x1p-24;  // of both scores, in another order of rounding
    const PairVerdict& verdict = comparison.verdict;
    if (verdict.a == verdict.b || verdict.verdict == Verdict::not_a_rotation) {
        return nullptr;
    }
    for (const System* system : {verdict.a, verdict.b}) {
        if (position_response(*system, 8, system->base(1e4)) <= kSameProducts) {
            return system;
        }
    }
    return nullptr;
}

std::string verdict_sentence(const SystemComparison& comparison) {
    const PairVerdict& verdict = comparison.verdict;
    const bool a_runs = comparison.a.error.empty(), b_runs = comparison.b.error.empty();
    if (!a_runs || !b_runs) {
        const std::string here = "at this base and position";
        return a_runs || b_runs
                   ? fmt::format("{} does not run {}",
                                 quoted(a_runs ? verdict.b->title : verdict.a->title), here)
                   : fmt::format("Neither {} nor {} runs {}", quoted(verdict.a->title),
                                 quoted(verdict.b->title), here);
    }
    if (const System* system = positionless(comparison)) {
        return fmt::format("{}: in a batch its scores carry no position", quoted(system->title));
    }
    const std::string a = quoted(verdict.a->title), b = quoted(verdict.b->title);
    if (verdict.a == verdict.b) {
        return a + " beside itself: select another system to compare";
    }
    switch (verdict.verdict) {
        case Verdict::identical:
            return fmt::format("{} and {} compute the same up to rounding", a, b);
        case Verdict::equal_after_permutation:
            return fmt::format("{} and {} agree once channels are reordered", a, b);
        case Verdict::different:
            return fmt::format("{} and {} both rotate, but differently", a, b);
        case Verdict::not_a_rotation:
            break;
    }
    if (comparison.a_rotates || comparison.b_rotates) {
        return fmt::format("{} rotates, {} does not", comparison.a_rotates ? a : b,
                           comparison.a_rotates ? b : a);
    }
    return fmt::format("Neither {} nor {} rotates, and they differ", a, b);
}

}  // namespace ropescope::figures
