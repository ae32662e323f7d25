// Holds answers to their form.
#include "core/probe/reply.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "core/base/characters.h"
#include "core/faults/codes.h"
#include "core/probe/answer_dtype.h"
#include "core/probe/phrases.h"

namespace ropescope::probe {
namespace {

using diagnosis::Finding;
using diagnosis::Words;
namespace say = diagnosis::say;

Finding problem(const char* code, Words words, std::string_view tensor = {}) {
    return {.code = code, .words = std::move(words), .place = {.tensor = tensor}};
}

std::optional<Finding> problem_of_outcome(const Request& request, const Answer& answer) {
    const std::string said = printable(answer.text, 300);
    switch (answer.outcome) {
        case Outcome::answered:
        case Outcome::not_asked:
            return std::nullopt;
        case Outcome::error: {
            Finding finding = problem(faults::code("answer.error"), {say::kRefuses, {said}});
            finding.weight =
                request.may_refuse ? diagnosis::Weight::note : diagnosis::Weight::fault;
            return finding;
        }
        case Outcome::unsupported: {
            Finding finding = problem(faults::code("answer.error"), say::kTakesNoPositions);
            finding.weight = diagnosis::Weight::note;
            return finding;
        }
        case Outcome::timed_out:
            return problem(faults::code("answer.timeout"), {say::kNoAnswer, {said}});
        case Outcome::ended:
            return problem(faults::code("answer.error"), {say::kEnded, {said}});
        case Outcome::garbled:
            return problem(faults::code("answer.garbled"), {say::kNotAnAnswer, {said}});
        case Outcome::unreadable:
            return problem(faults::code("answer.garbled"), {say::kUnreadable, {said}});
    }
    return std::nullopt;
}

/// "q_rot[0, 1, 2, 3]"
std::string place(std::string_view name, std::int64_t at, const std::vector<std::int64_t>& shape) {
    std::string text;
    for (std::size_t axis = shape.size(); axis-- > 0;) {
        text = fmt::format("{}{}{}", at % shape[axis], text.empty() ? "" : ", ", text);
        at /= shape[axis];
    }
    return fmt::format("{}[{}]", name, text);
}

std::optional<Finding> problem_of(std::string_view name, const std::optional<Tensor>& tensor,
                                  const std::vector<std::int64_t>& shape) {
    if (!tensor) {
        return problem(
            faults::code("answer.shape"),
            name == "k_rot" ? Words(say::kKeysMissing) : Words(say::kMissing, {std::string(name)}),
            name);
    }
    if (tensor->shape != shape) {
        std::vector<std::int64_t> exchanged = shape;
        std::swap(exchanged[1], exchanged[2]);
        const bool other_order = tensor->shape == exchanged && exchanged != shape;
        return problem(faults::code("answer.shape"),
                       {other_order ? say::kShapeExchanged : say::kShape,
                        {std::string(name), shape_text(tensor->shape), shape_text(shape)}},
                       name);
    }
    const std::optional<std::int64_t> bytes = byte_count(tensor->dtype, tensor->shape);
    if (!is_answer_dtype(tensor->dtype) || bytes != std::ssize(tensor->bytes)) {
        return problem(faults::code("answer.shape"),
                       {say::kDtype, {std::string(name), std::string(to_string(tensor->dtype))}},
                       name);
    }
    return std::nullopt;
}

std::optional<Finding> problem_of_numbers(std::string_view name, const std::vector<double>& values,
                                          const std::vector<std::int64_t>& shape) {
    const auto bad = std::ranges::find_if(values, [](double v) { return !std::isfinite(v); });
    if (bad == values.end()) {
        return std::nullopt;
    }
    return problem(
        faults::code("answer.not_finite"),
        {say::kNoNumber,
         {place(name, bad - values.begin(), shape), std::isnan(*bad) ? "NaN" : "infinite"}},
        name);
}

/// Numbers that were computed more exactly than the request are rounded to its dtype.
Tensor not_wider(const Tensor& tensor, Dtype dtype, const std::vector<double>& values) {
    return dtype_size(tensor.dtype) <= dtype_size(dtype)
               ? tensor
               : make_tensor_as(dtype, tensor.name, tensor.shape, values);
}

diagnosis::DumpTensor dense(const std::string& name, Dtype dtype, const void* data,
                            const faults::HeadShape& shape) {
    return {.name = name,
            .dtype = dtype,
            .data = static_cast<const std::byte*>(data),
            .batch = shape.batch,
            .heads = shape.heads,
            .length = shape.length,
            .channels = shape.head_dim,
            .batch_stride = shape.heads * shape.length * shape.head_dim,
            .head_stride = shape.length * shape.head_dim,
            .position_stride = shape.head_dim};
}

}  // namespace

Reply read_reply(const Request& request, const Answer& answer) {
    Reply reply{.request = &request};
    reply.problem = problem_of_outcome(request, answer);
    if (reply.problem || answer.outcome == Outcome::not_asked) {
        return reply;
    }
    const auto take = [&](std::string_view name, const std::optional<Tensor>& tensor,
                          const faults::HeadShape& shape, Tensor& to, std::vector<double>& values) {
        if (!reply.problem) {
            reply.problem = problem_of(name, tensor, shape_of(shape));
        }
        if (reply.problem) {
            return;
        }
        values = to_f64(tensor->view());
        reply.problem = problem_of_numbers(name, values, shape_of(shape));
        if (!reply.problem) {
            reply.problem = problem_of_dtype(name, *tensor, request.dtype, values);
        }
        if (!reply.problem) {
            to = not_wider(*tensor, held_dtype(request.dtype), values);
        }
    };
    take("q_rot", answer.q_rot, request.q_shape, reply.q_rot, reply.q_values);
    if (request.has_keys()) {
        take("k_rot", answer.k_rot, request.k_shape, reply.k_rot, reply.k_values);
    }
    if (reply.problem) {
        return reply;
    }
    reply.before = {request.q, request.k};
    if (answer.scores && request.has_keys()) {
        reply.problem = problem_of("scores", answer.scores, request.scores_shape());
        reply.scores = answer.scores;
    }
    const diagnosis::FloatFormat q = effective_format(dump_side(reply, false).after);
    const diagnosis::FloatFormat k =
        request.has_keys() ? effective_format(dump_side(reply, true).after) : q;
    reply.format = q.unit > k.unit ? q : k;
    return reply;
}

diagnosis::DumpSide dump_side(const Reply& reply, bool of_keys) {
    const Request& request = *reply.request;
    const faults::HeadShape& shape = of_keys ? request.k_shape : request.q_shape;
    const std::optional<Tensor>& unweighted = reply.unweighted[of_keys ? 1 : 0];
    const Tensor& after = unweighted ? *unweighted : of_keys ? reply.k_rot : reply.q_rot;
    const std::string name = of_keys ? "k" : "q";
    return {dense(name, Dtype::f64, reply.taken(of_keys).data(), shape),
            dense(name + "_rot", after.dtype, after.bytes.data(), shape)};
}

namespace {

/// The numbers that were asked and answered.
diagnosis::DumpSide whole_side(const Reply& reply, bool of_keys) {
    const Request& request = *reply.request;
    const faults::HeadShape& shape = of_keys ? request.k_shape : request.q_shape;
    const Tensor& after = of_keys ? reply.k_rot : reply.q_rot;
    const std::string name = of_keys ? "k" : "q";
    return {dense(name, Dtype::f64, (of_keys ? request.k : request.q).data(), shape),
            dense(name + "_rot", after.dtype, after.bytes.data(), shape)};
}

}  // namespace

diagnosis::DumpPositions stated_positions(const Request& request) {
    return {.axes = request.axes,
            .batch = request.q_shape.batch,
            .length = request.q_shape.length,
            .values = request.positions};
}

diagnosis::Dump dump_of(const Reply& reply) {
    const Request& request = *reply.request;
    diagnosis::Dump dump{.q = whole_side(reply, false),
                         .q_positions = stated_positions(request),
                         .q_norm = request.q_norm};
    if (request.has_keys()) {
        dump.k = whole_side(reply, true);
        dump.k_positions = stated_positions(request);
        dump.k_norm = request.k_norm;
    }
    if (reply.scores) {
        faults::HeadShape shape = reply.request->q_shape;
        shape.head_dim = reply.request->k_shape.length;
        dump.scores = dense("scores", reply.scores->dtype, reply.scores->bytes.data(), shape);
    }
    return dump;
}

}  // namespace ropescope::probe
