#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "app/figures/layouts_parts.h"
#include "core/rope/layout.h"

namespace ropescope::figures {
namespace {

SystemOutput output_of(const System& system, const nd::Array& x, const Scene& scene) {
    const Outcome outcome = run_at_position(
        system, x, {.base = scene.base, .offset = scene.query_position, .role = Role::query});
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
nd::Array permuted(nd::Array x, const std::vector<int>& p) {
    const std::vector<double> before = x.values;
    permute_channels<double>(before, x.values, p);
    return x;
}

/// The matrix holds the permutation at its own head_dims; between the two layouts it is the same
/// rule at every other.
std::vector<int> permutation_at(const PairVerdict& verdict, int head_dim) {
    if (verdict.verdict != Verdict::equal_after_permutation) {
        return {};
    }
    const std::vector<int>& known = verdict.by_head_dim.back().permutation;
    const auto known_dim = static_cast<int>(known.size());
    const auto rule = [](Layout from, int d) {
        const Layout to = from == Layout::interleaved ? Layout::half_split : Layout::interleaved;
        return layout_permutation(from, to, d, d);
    };
    for (const Layout from : {Layout::interleaved, Layout::half_split}) {
        if (known == rule(from, known_dim)) {
            return rule(from, head_dim);
        }
    }
    return {};
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
    const PairVerdict& verdict = system_matrix().at(scene.system_a, scene.system_b);
    const std::int64_t head_dim = std::min(scene.head_dim, kMostComparedChannels);
    const nd::Array x =
        probe_vectors(static_cast<std::uint64_t>(scene.content_seed), 1, 1, 1, head_dim);
    SystemComparison comparison{.verdict = verdict,
                                .head_dim = static_cast<int>(head_dim),
                                .permutation = permutation_at(verdict, static_cast<int>(head_dim)),
                                .a = output_of(*verdict.a, x, scene),
                                .b = output_of(*verdict.b, x, scene),
                                .b_permuted = {}};
    const std::vector<int>& p = comparison.permutation;
    if (!p.empty()) {
        comparison.b_permuted = output_of(*verdict.b, permuted(x, p), scene);
        const std::vector<double> there = comparison.b_permuted.values;
        for (std::size_t c = 0; c < there.size(); ++c) {
            comparison.b_permuted.values[static_cast<std::size_t>(p[c])] = there[c];
        }
    }
    return comparison;
}

std::string verdict_sentence(const PairVerdict& verdict) {
    const std::string a = quoted(verdict.a->title), b = quoted(verdict.b->title);
    if (verdict.a == verdict.b) {
        return a + " against itself: select another system to compare";
    }
    switch (verdict.verdict) {
        case Verdict::identical:
            return fmt::format("{} and {} compute the same up to rounding", a, b);
        case Verdict::equal_after_permutation:
            return fmt::format("{} and {} compute the same, with channels in another order", a, b);
        case Verdict::different:
            return fmt::format("{} and {} both rotate, but differently", a, b);
        case Verdict::not_a_rotation:
            break;
    }
    const EquivalenceMatrix& matrix = system_matrix();
    const auto rotates = [&](const System* system) {
        const auto at = std::ranges::find(matrix.systems, system) - matrix.systems.begin();
        return matrix.rotation_tests[static_cast<std::size_t>(at)].is_rotation();
    };
    if (rotates(verdict.a) || rotates(verdict.b)) {
        return fmt::format("{} rotates, {} does not", rotates(verdict.a) ? a : b,
                           rotates(verdict.a) ? b : a);
    }
    return fmt::format("Neither {} nor {} rotates, and they differ", a, b);
}

}  // namespace ropescope::figures
