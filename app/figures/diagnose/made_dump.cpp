// Makes the tensors of a faulty implementation by changing the plan of a right one.
#include "app/figures/diagnose/made_dump.h"

#include <memory>
#include <vector>

#include "core/base/uniform.h"
#include "core/diagnosis/read_dump.h"
#include "core/faults/rotation/catalogue.h"
#include "core/formats/tensor.h"

namespace ropescope::figures {
namespace {

constexpr Index kLength = 40;
constexpr Index kFirstPositions[] = {0, 4076};

std::vector<double> made_positions() {
    std::vector<double> positions;
    for (const Index first : kFirstPositions) {
        for (Index token = 0; token < kLength; ++token) {
            positions.push_back(to_double(first + token));
        }
    }
    return positions;
}

/// Numbers between -1 and 1 that fp32 holds exactly.
std::vector<double> made_content(Index count, std::uint64_t seed) {
    std::vector<double> content;
    for (Index i = 0; i < count; ++i) {
        content.push_back(static_cast<float>(2.0 * uniform(seed, i) - 1.0));
    }
    return content;
}

std::optional<faults::RotationPlan> faulty_plan(const faults::FaultSubject& subject,
                                                const std::string& code, MadeDump& made) {
    for (const faults::RotationFault& fault : faults::rotation_faults()) {
        if (fault.code != code) {
            continue;
        }
        if (std::optional<faults::RotationPlan> plan = fault.make(subject)) {
            made.fault = fault.text;
            return plan;
        }
    }
    return std::nullopt;
}

}  // namespace

MadeDump make_dump_of(const RopeSpec& given, const std::string& code, bool in_both) {
    const std::vector<double> positions = made_positions();
    const faults::HeadShape shape{.batch = std::ssize(kFirstPositions),
                                  .heads = 2,
                                  .length = kLength,
                                  .head_dim = given.head_dim};
    RopeSpec spec = given;
    if (spec.seq_len == 0) {
        spec.seq_len = round_to_index(positions.back()) + 1;
    }
    const faults::FaultSubject subject{faults::plan_of(scheme_of(spec), shape, positions), &spec};
    MadeDump made;
    const std::optional<faults::RotationPlan> faulty = faulty_plan(subject, code, made);
    made.unseen = code != "none" && !faulty;

    const std::vector<std::int64_t> sizes = {shape.batch, shape.heads, shape.length,
                                             shape.head_dim};
    const auto tensors = std::make_shared<std::vector<Tensor>>();
    const auto add_side = [&](const std::string& name, std::uint64_t seed, bool wrong) {
        const std::vector<double> before = made_content(shape.size(), seed);
        const std::vector<double> after =
            faults::rotated(wrong && faulty ? *faulty : subject.right, before);
        tensors->push_back(make_tensor_as(Dtype::f32, name, sizes, before));
        tensors->push_back(make_tensor_as(Dtype::f32, name + "_rot", sizes, after));
    };
    add_side("q", 1, in_both);
    add_side("k", 2, true);
    tensors->push_back(make_tensor("positions", {shape.batch, shape.length}, positions));
    std::vector<TensorBytes> views;
    for (const Tensor& tensor : *tensors) {
        views.push_back(tensor.view());
    }
    made.dump =
        diagnosis::make_dump(views, tensors, "dump", {.axes = "bhld", .position_axes = "bl"});
    return made;
}

}  // namespace ropescope::figures
