// Compares every pair of systems over the sweep and derives a verdict.
#include "core/systems/equivalence.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

#include "core/base/error.h"
#include "core/rope/layout.h"
#include "core/systems/difference.h"
#include "core/systems/probe.h"

namespace ropescope {
namespace {

// The batch is as long as the sequence, because every system runs on that, also those that confuse
// the two axes. There are two heads of noise and one of zeros.
constexpr std::int64_t kPositions = 4;
constexpr std::int64_t kHeads = 3;

void validate(const EquivalenceOptions& options) {
    for (const std::int64_t head_dim : options.head_dims) {
        ropescope::validate(RopeSpec{head_dim, head_dim});
    }
    for (const double base : options.bases) {
        ropescope::validate(RopeSpec{2, 2, base});
    }
    for (const std::int64_t offset : options.offsets) {
        validate_position(offset, "offset");
        if (offset < 0) {
            throw InputError(fmt::format("offset: {} is negative; tables start at 0", offset));
        }
    }
    if (options.head_dims.empty() || options.bases.empty() || options.offsets.empty()) {
        throw InputError("equivalence: give at least one head_dim, one base and one offset");
    }
}

std::vector<double> bases_with_written_ones(std::vector<double> bases,
                                            const std::vector<const System*>& systems) {
    for (const System* system : systems) {
        const double base = system->base(bases.front());
        if (std::ranges::find(bases, base) == bases.end()) {
            bases.push_back(base);
        }
    }
    return bases;
}

/// Everything at one head_dim: the probe, the permutations worth trying, the collected results.
class HeadDimSweep {
  public:
    HeadDimSweep(const EquivalenceOptions& options, const std::vector<const System*>& systems,
                 std::int64_t head_dim)
        : options_(options),
          systems_(systems),
          tests_(systems.size()),
          bases_(bases_with_written_ones(options.bases, systems)),
          head_dim_(head_dim),
          probe_(make_probe_pair(options.seed, kPositions, kHeads, kPositions, head_dim)) {
        std::vector<Index> identity(head_dim);
        std::iota(identity.begin(), identity.end(), Index{0});
        permutations_ = {identity};
    }

    void run(EquivalenceMatrix& matrix);

  private:
    bool takes_part(const System& system, double base) const;
    bool meet_at(const System& a, const System& b, double base) const;
    /// Index into permutations_ of the candidate that carries a into b; 0, the identity, if there
    /// is no other.
    std::size_t candidate(const System& a, const System& b);
    const ChannelSignatures& signatures(const System& system, double base);
    void test_rotations(double base);
    PairAtHeadDim compare_pair(std::size_t a, std::size_t b);

    const EquivalenceOptions& options_;
    const std::vector<const System*>& systems_;
    std::vector<RotationTest> tests_;  ///< by system
    std::vector<double> bases_;
    std::int64_t head_dim_;
    ProbePair probe_;
    std::vector<std::vector<Index>> permutations_;
    std::map<std::pair<const System*, double>, ChannelSignatures> signatures_;
    std::map<std::pair<double, std::int64_t>, CaseImages> cases_;
};

/// A system whose base is written in is compared at that base only; the others at the bases of the
/// options, and at a written base when they are compared with such a system.
bool HeadDimSweep::takes_part(const System& system, double base) const {
    return system.base(base) == base &&
           (system.written_base || std::ranges::find(options_.bases, base) != options_.bases.end());
}

bool HeadDimSweep::meet_at(const System& a, const System& b, double base) const {
    return a.base(base) == base && b.base(base) == base &&
           (takes_part(a, base) || takes_part(b, base));
}

const ChannelSignatures& HeadDimSweep::signatures(const System& system, double base) {
    const auto key = std::pair(&system, base);
    auto found = signatures_.find(key);
    if (found == signatures_.end()) {
        found = signatures_.emplace(key, channel_signatures(system, head_dim_, base)).first;
    }
    return found->second;
}

std::size_t HeadDimSweep::candidate(const System& a, const System& b) {
    const double base = a.base(b.base(bases_.front()));
    const auto found = search_permutation(signatures(a, base), signatures(b, base));
    if (!found || is_identity(*found)) {
        return 0;
    }
    const auto known = std::ranges::find(permutations_, *found);
    const auto index = static_cast<std::size_t>(known - permutations_.begin());
    if (known == permutations_.end()) {
        permutations_.push_back(*found);
    }
    return index;
}

void HeadDimSweep::test_rotations(double base) {
    for (std::size_t s = 0; s < systems_.size(); ++s) {
        const ProbeImages* first = nullptr;
        for (const std::int64_t offset : options_.offsets) {
            if (!takes_part(*systems_[s], base)) {
                continue;
            }
            const auto* images = std::get_if<ProbeImages>(
                &cases_.at({base, offset}).of(*systems_[s], 0, Arithmetic::as_written));
            if (images != nullptr) {
                first = first == nullptr ? images : first;
                tests_[s].include(probe_, *images);
                tests_[s].include_shift(probe_, *first, *images);
            }
        }
    }
}

PairAtHeadDim HeadDimSweep::compare_pair(std::size_t a, std::size_t b) {
    PairAtHeadDim result;
    result.head_dim = head_dim_;
    const std::size_t permutation = candidate(*systems_[a], *systems_[b]);
    for (auto& [at, images] : cases_) {
        if (!meet_at(*systems_[a], *systems_[b], at.first)) {
            continue;
        }
        result.same_input.include(compare(images, *systems_[a], *systems_[b], 0));
        if (permutation != 0) {
            result.permuted.include(compare(images, *systems_[a], *systems_[b], permutation));
        }
    }
    if (permutation != 0) {
        result.permutation = permutations_[permutation];
    }
    if (result.same_input.holds()) {
        result.verdict = Verdict::identical;
    } else if (permutation != 0 && result.permuted.holds()) {
        result.verdict = Verdict::equal_after_permutation;
    } else {
        result.verdict = tests_[a].is_rotation() && tests_[b].is_rotation()
                             ? Verdict::different
                             : Verdict::not_a_rotation;
    }
    return result;
}

void HeadDimSweep::run(EquivalenceMatrix& matrix) {
    for (const double base : bases_) {
        for (const std::int64_t offset : options_.offsets) {
            cases_.try_emplace({base, offset}, probe_, permutations_, base, offset);
        }
    }
    for (const double base : bases_) {
        test_rotations(base);
    }
    for (std::size_t a = 0; a < systems_.size(); ++a) {
        matrix.rotation_tests[a].include(tests_[a]);
        for (std::size_t b = a; b < systems_.size(); ++b) {
            PairVerdict& pair = matrix.pairs[a * systems_.size() + b];
            pair.by_head_dim.push_back(compare_pair(a, b));
            pair.same_input.include(pair.by_head_dim.back().same_input);
            pair.permuted.include(pair.by_head_dim.back().permuted);
            pair.verdict = std::max(pair.verdict, pair.by_head_dim.back().verdict);
        }
    }
}

std::string numbers(const Difference& difference) {
    return fmt::format("they differ by {:.2g} where rounding allows {:.2g} ({})",
                       difference.outputs.value, difference.outputs.bound, difference.limited_by);
}

const std::vector<Index>& shown_permutation(const PairVerdict& pair) {
    return std::ranges::find_if(
               pair.by_head_dim,
               [&pair](const PairAtHeadDim& at) { return at.verdict == pair.verdict; })
        ->permutation;
}

std::string explain(const EquivalenceMatrix& matrix, std::size_t a, std::size_t b) {
    const PairVerdict& pair = matrix.at(a, b);
    switch (pair.verdict) {
        case Verdict::identical:
            return numbers(pair.same_input);
        case Verdict::equal_after_permutation:
            return fmt::format("p = {}: {}; without p by {:.2g}, scores by {:.2g} |q||k|",
                               describe_permutation(shown_permutation(pair)),
                               numbers(pair.permuted), pair.same_input.largest_output,
                               pair.same_input.largest_score);
        case Verdict::different:
            return fmt::format(
                "both rotate, but the outputs differ by {:.2g}, scores by {:.2g} |q||k|",
                pair.same_input.largest_output, pair.same_input.largest_score);
        case Verdict::not_a_rotation:
            break;
    }
    std::string text;
    for (const std::size_t s : {a, b}) {
        if (!matrix.rotation_tests[s].is_rotation() && (s == a || a != b)) {
            text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", matrix.systems[s]->title,
                                matrix.rotation_tests[s].reason());
        }
    }
    return text;
}

/// The same pair with a and b exchanged.
PairVerdict mirrored(PairVerdict pair) {
    std::swap(pair.a, pair.b);
    for (PairAtHeadDim& result : pair.by_head_dim) {
        result.permutation = inverse_permutation(result.permutation);
    }
    return pair;
}

}  // namespace

const PairVerdict& EquivalenceMatrix::at(std::string_view a, std::string_view b) const {
    const auto index = [this](std::string_view id) {
        const auto found =
            std::ranges::find_if(systems, [id](const System* system) { return system->id == id; });
        if (found == systems.end()) {
            throw InputError(fmt::format("system: '{}' is not in this matrix", id));
        }
        return static_cast<std::size_t>(found - systems.begin());
    };
    return at(index(a), index(b));
}

EquivalenceMatrix equivalence_matrix(const EquivalenceOptions& options,
                                     const std::vector<System>& systems) {
    validate(options);
    EquivalenceMatrix matrix;
    matrix.options = options;
    for (const System& system : systems) {
        matrix.systems.push_back(&system);
    }
    const std::size_t count = matrix.systems.size();
    matrix.rotation_tests.resize(count);
    matrix.pairs.resize(count * count);
    for (std::size_t i = 0; i < count * count; ++i) {
        matrix.pairs[i].a = matrix.systems[i / count];
        matrix.pairs[i].b = matrix.systems[i % count];
    }
    for (const std::int64_t head_dim : options.head_dims) {
        HeadDimSweep(options, matrix.systems, head_dim).run(matrix);
    }
    for (std::size_t a = 0; a < count; ++a) {
        for (std::size_t b = a; b < count; ++b) {
            matrix.pairs[a * count + b].explanation = explain(matrix, a, b);
            if (a != b) {
                matrix.pairs[b * count + a] = mirrored(matrix.at(a, b));
            }
        }
    }
    return matrix;
}

// Finds permutations from the images of basis vectors.

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
