// Writes a request as tensors.
#include "core/probe/request.h"

#include <algorithm>
#include <cmath>

namespace ropescope::probe {
namespace {

Tensor position_tensor(const Request& request) {
    std::vector<std::int64_t> shape = {request.q_shape.batch, request.q_shape.length};
    if (request.axes > 1) {
        shape.insert(shape.begin(), request.axes);
    }
    const auto whole = [](double position) { return position == std::round(position); };
    if (!std::ranges::all_of(request.positions, whole)) {
        return make_tensor("positions", shape, std::span(request.positions));
    }
    std::vector<std::int64_t> ids;
    ids.reserve(request.positions.size());
    for (const double position : request.positions) {
        ids.push_back(static_cast<std::int64_t>(position));
    }
    return make_tensor("positions", shape, std::span<const std::int64_t>(ids));
}

}  // namespace

bool counts_from_0(std::span<const double> positions, Index length) {
    for (Index i = 0; i < std::ssize(positions); ++i) {
        if (positions[i] != to_double(i % length)) {
            return false;
        }
    }
    return true;
}

bool is_answer_dtype(Dtype dtype) {
    return dtype == Dtype::f64 || dtype == Dtype::f32 || dtype == Dtype::f16 ||
           dtype == Dtype::bf16;
}

std::vector<std::int64_t> shape_of(const faults::HeadShape& shape) {
    return {shape.batch, shape.heads, shape.length, shape.head_dim};
}

std::vector<std::int64_t> Request::scores_shape() const {
    return {q_shape.batch, q_shape.heads, q_shape.length, k_shape.length};
}

std::vector<Tensor> Request::tensors() const {
    std::vector<Tensor> list;
    list.push_back(make_tensor_as(dtype, "q", shape_of(q_shape), q));
    if (has_keys()) {
        list.push_back(make_tensor_as(dtype, "k", shape_of(k_shape), k));
    }
    list.push_back(position_tensor(*this));
    for (const bool of_keys : {false, true}) {
        const std::optional<diagnosis::SideNorm>& norm = norm_of(of_keys);
        if (norm && (!of_keys || has_keys())) {
            list.push_back(make_tensor_as(dtype, of_keys ? "k_norm" : "q_norm",
                                          {std::ssize(norm->weights)}, norm->weights));
        }
    }
    if (past) {
        const std::int64_t tokens = *past;
        list.push_back(make_tensor("past", {1}, std::span(&tokens, 1)));
    }
    return list;
}

bool Request::counts_from_0() const {
    return probe::counts_from_0(positions, q_shape.length);
}

Index Request::reach() const {
    const double largest = *std::ranges::max_element(positions);
    return std::max<Index>(1, static_cast<Index>(std::floor(largest)) + 1);
}

}  // namespace ropescope::probe
