// Finds answers in another dtype than was asked for.
#include "core/probe/answer_dtype.h"

#include <algorithm>
#include <cmath>

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

/// Whether numbers are off that differ from those of the request: what was left as it was, was not
/// rounded.
bool has_computed_numbers_off(const Part& subject, const Reply& reply, bool of_keys,
                              std::optional<Dtype> table) {
    const faults::RotationPlan right = expected_plan(subject, *reply.request, of_keys);
    const std::vector<double>& taken = reply.taken(of_keys);
    const std::vector<double>& values = reply.values(of_keys);
    const std::vector<double> wanted = rotated(right, taken);
    const std::vector<double> allowed = allowance(reply, of_keys, right, table);
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (values[i] != taken[i] && !(std::abs(values[i] - wanted[i]) <= allowed[i])) {
            return true;
        }
    }
    return false;
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
    Reply as_asked = reply;
    as_asked.format = diagnosis::format_of(held_dtype(reply.request->dtype));
    for (const bool of_keys : {false, true}) {
        if (of_keys && !reply.request->has_keys()) {
            break;
        }
        const diagnosis::FloatFormat found = effective_format(dump_side(reply, of_keys).after);
        if (found.unit > as_asked.format.unit &&
            has_computed_numbers_off(subject, as_asked, of_keys, behaviour.of(of_keys).table)) {
            return other_dtype(say::kNarrowedNumbers, of_keys ? "k_rot" : "q_rot",
                               diagnosis::numpy_name(found.dtype), reply.request->dtype);
        }
    }
    return std::nullopt;
}

}  // namespace ropescope::probe
