// Finds answers in another dtype than was asked for.
#include "core/probe/answer_dtype.h"

#include <algorithm>

#include "core/faults/codes.h"
#include "core/probe/phrases.h"

namespace ropescope::probe {
namespace {

namespace say = diagnosis::say;
using diagnosis::Finding;

Finding other_dtype(const diagnosis::Phrase& phrase, std::string_view name, std::string_view found,
                    Dtype asked) {
    return {
        .code = faults::code("answer.shape"),
        .words = {phrase, {std::string(name), std::string(found), std::string(to_string(asked))}},
        .place = {.tensor = name}};
}

}  // namespace

Dtype held_dtype(Dtype asked) {
    return asked == Dtype::f64 ? Dtype::f32 : asked;
}

std::optional<Finding> problem_of_dtype(std::string_view name, const Tensor& tensor, Dtype asked,
                                        const std::vector<double>& values) {
    if (tensor.dtype == asked) {
        return std::nullopt;
    }
    if (dtype_size(asked) > 2) {
        return dtype_size(tensor.dtype) > 2
                   ? std::nullopt
                   : std::optional(
                         other_dtype(say::kNarrowerDtype, name, to_string(tensor.dtype), asked));
    }
    const auto is_of_asked = [&](double value) {
        return diagnosis::round_to(asked, value) == value;
    };
    return std::ranges::all_of(values, is_of_asked)
               ? std::nullopt
               : std::optional(other_dtype(say::kWider, name, to_string(tensor.dtype), asked));
}

std::optional<Finding> narrowed_numbers(const Part& subject, const Reply& reply,
                                        const Behaviour& behaviour) {
    const diagnosis::FloatFormat asked = diagnosis::format_of(held_dtype(reply.request->dtype));
    for (const bool of_keys : {false, true}) {
        if (of_keys && !reply.request->has_keys()) {
            break;
        }
        const diagnosis::FloatFormat found = effective_format(dump_side(reply, of_keys).after);
        if (found.unit <= asked.unit) {
            continue;
        }
        Reply as_asked = reply;
        as_asked.format = asked;
        const faults::RotationPlan right = expected_plan(subject, *reply.request, of_keys);
        if (!difference_from(as_asked, of_keys, right, behaviour.of(of_keys).table).none()) {
            return other_dtype(say::kNarrowedNumbers, of_keys ? "k_rot" : "q_rot",
                               diagnosis::numpy_name(found.dtype), reply.request->dtype);
        }
    }
    return std::nullopt;
}

}  // namespace ropescope::probe
