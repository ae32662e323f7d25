// Chooses shapes and positions that tell faults apart.
#include "core/vectors/model_cases.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/schemes/direction.h"

namespace ropescope::vectors {
namespace {

RotationCase named(RotationCase made, const CaseModel& model) {
    made.model = model.title;
    made.config_json = model.config_json;
    made.part = model.part;
    return made;
}

/// The sequence ends with the largest of the positions.
RotationCase in_one_axis(const CaseModel& model, const std::string& kind, RopeSpec spec,
                         faults::HeadShape shape, std::vector<double> positions,
                         Wrongs wrongs = Wrongs::all) {
    shape.head_dim = spec.head_dim;
    spec.seq_len = static_cast<Index>(*std::ranges::max_element(positions)) + 1;
    const std::string id = kind.empty() ? model.id : model.id + "/" + kind;
    RotationCase made = named(make_case(id, text_scheme(spec, model.backwards), &spec, shape,
                                        std::move(positions), wrongs),
                              model);
    made.seq_len = spec.seq_len;
    return made;
}

/// Whether an axis counts from -1 to 1 instead of patches, and may turn by 2 pi from patch to
/// patch: then whole numbers show nothing of it.
bool has_fractions(const RotaryScheme& scheme) {
    const auto* const grid = std::get_if<GridRule>(&scheme.positions);
    return grid != nullptr && std::ranges::any_of(grid->axes, [](const Coordinate& axis) {
               return axis.spacing == Spacing::ends || axis.spacing == Spacing::centres ||
                      axis.spacing == Spacing::centres_of_longer ||
                      axis.spacing == Spacing::centres_of_shorter;
           });
}

/// Counts of patches, 0 to 36, as the scheme takes them: to thirty-seconds from -1 on, which every
/// format has.
std::vector<double> as_counted(const RotaryScheme& scheme, std::vector<double> patches) {
    if (has_fractions(scheme)) {
        for (double& patch : patches) {
            patch = (2 * patch - 31) / 32;
        }
    }
    return patches;
}

}  // namespace

// 257 and 4097 are the first that bf16 and a table of 4096 rows do not have; at 131071 every pair
// of a long context has moved.
RotationCase far_case(const CaseModel& model, const RopeSpec& spec) {
    constexpr double kFar = 131072.0, kFewest = 512.0;
    const double reach = model.max_positions > 0
                             ? std::clamp(static_cast<double>(model.max_positions), kFewest, kFar)
                             : kFar;
    // In a shorter context those beyond it move down, and stay different.
    const auto within = [&](double position, double share) {
        return position < reach ? position : std::floor(share * reach);
    };
    return in_one_axis(model, "", spec, {2, 1, 3, 0},
                       {1, 257, reach - 1, 3, within(4097, 0.75), within(70001, 0.6)});
}

RotationCase short_case(const CaseModel& model, const RopeSpec& spec) {
    return in_one_axis(model, "", spec, {1, 1, 2, 0}, {1, 65537}, Wrongs::one_of_a_kind);
}

RotationCase decode_case(const CaseModel& model, const RopeSpec& spec) {
    return in_one_axis(model, "decode", spec, {2, 2, 1, 0}, {9, 5});
}

RotationCase late_case(const CaseModel& model, const RopeSpec& spec) {
    return in_one_axis(model, "late", spec, {1, 2, 5, 0}, {100, 101, 102, 103, 104});
}

RotationCase axes_case(const CaseModel& model, const RotaryScheme& scheme) {
    // Whole numbers, other ones in every axis; vision towers count patches, videos frames.
    const Index length = 3;
    std::vector<double> positions;
    for (Index a = 0; a < std::ssize(scheme.axes); ++a) {
        for (Index l = 0; l < length; ++l) {
            positions.push_back(static_cast<double>((l * (3 * a + 1) + a) % 37));
        }
    }
    return named(
        make_case(model.id, scheme, nullptr, {1, std::ssize(scheme.heads), length, scheme.head_dim},
                  as_counted(scheme, std::move(positions)), Wrongs::one_of_a_kind),
        model);
}

// Positions of text go further than those of grids, whose patches bf16 counts exactly: 257 is the
// first number that it does not have.
RotationCase batched_axes_case(const CaseModel& model, const RotaryScheme& scheme) {
    const bool of_grid = std::holds_alternative<GridRule>(scheme.positions);
    std::vector<double> positions;
    for (Index a = 0; a < std::ssize(scheme.axes); ++a) {
        for (const double first :
             of_grid ? std::array{9.0, 4.0, 21.0, 2.0} : std::array{261.0, 40.0, 4099.0, 259.0}) {
            positions.push_back(first + 2.0 * to_double(a));
        }
    }
    CaseModel batched = model;
    batched.id += "/batch";
    const Index heads = std::max<Index>(2, std::ssize(scheme.heads));
    return named(make_case(batched.id, scheme, nullptr, {2, heads, 2, scheme.head_dim},
                           as_counted(scheme, std::move(positions))),
                 batched);
}

}  // namespace ropescope::vectors
