// Chooses shapes and positions that tell faults apart.
#include "core/vectors/model_cases.h"

#include <algorithm>

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
                         HeadShape shape, std::vector<double> positions) {
    shape.head_dim = spec.head_dim;
    spec.seq_len = static_cast<Index>(*std::ranges::max_element(positions)) + 1;
    const std::string id = kind.empty() ? model.id : model.id + "/" + kind;
    RotationCase made =
        named(make_case(id, scheme_of(spec), &spec, shape, std::move(positions)), model);
    made.seq_len = spec.seq_len;
    return made;
}

}  // namespace

// 257 and 4097 are the first that bf16 and a table of 4096 rows do not have; at 131071 every pair
// of a long context has moved.
RotationCase far_case(const CaseModel& model, const RopeSpec& spec) {
    return in_one_axis(model, "", spec, {2, 1, 4, 0}, {0, 1, 257, 131071, 3, 4, 4097, 70001});
}

RotationCase short_case(const CaseModel& model, const RopeSpec& spec) {
    return in_one_axis(model, "", spec, {1, 1, 3, 0}, {1, 257, 65537});
}

RotationCase decode_case(const CaseModel& model, const RopeSpec& spec) {
    return in_one_axis(model, "decode", spec, {2, 2, 1, 0}, {9, 5});
}

RotationCase late_case(const CaseModel& model, const RopeSpec& spec) {
    return in_one_axis(model, "late", spec, {1, 2, 5, 0}, {100, 101, 102, 103, 104});
}

RotationCase axes_case(const CaseModel& model, const RotaryScheme& scheme) {
    // Whole numbers, other ones in every axis; vision towers count patches, videos frames.
    const Index length = 5;
    std::vector<double> positions;
    for (Index a = 0; a < std::ssize(scheme.axes); ++a) {
        for (Index l = 0; l < length; ++l) {
            positions.push_back(static_cast<double>((l * (3 * a + 1) + a) % 37));
        }
    }
    return named(
        make_case(model.id, scheme, nullptr, {1, std::ssize(scheme.heads), length, scheme.head_dim},
                  std::move(positions)),
        model);
}

}  // namespace ropescope::vectors
