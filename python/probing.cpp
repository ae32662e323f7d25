// Hands the requests of a probe to a function of Python, and its answers to the judge.
#include "python/probing.h"

#include <algorithm>
#include <fmt/format.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include "core/base/error.h"
#include "core/diagnosis/rounding.h"
#include "core/models/model.h"
#include "core/probe/judge.h"
#include "core/probe/probe.h"
#include "core/probe/report.h"
#include "library/given_norm.h"
#include "library/lent_tensor.h"
#include "python/borrowed_tensor.h"
#include "python/others_may_run.h"

namespace py = pybind11;

namespace ropescope {
namespace {

py::array_t<double> array_of(const std::vector<double>& values, std::vector<py::ssize_t> shape) {
    py::array_t<double> array(std::move(shape));
    std::ranges::copy(values, array.mutable_data());
    return array;
}

py::array_t<double> array_of(const std::vector<double>& values, const faults::HeadShape& shape) {
    return array_of(
        values, std::vector<py::ssize_t>{shape.batch, shape.heads, shape.length, shape.head_dim});
}

/// The request as the Python part of the package takes it.
py::dict dict_of(const probe::Request& request) {
    py::dict dict;
    dict["id"] = request.id;
    dict["name"] = request.name;
    dict["dtype"] = std::string(diagnosis::numpy_name(request.dtype));
    dict["q"] = array_of(request.q, request.q_shape);
    dict["k"] = array_of(request.k, request.k_shape);
    const std::vector<py::ssize_t> told = {request.axes, request.q_shape.batch,
                                           request.q_shape.length};
    dict["positions"] = array_of(request.positions, told);
    dict["past"] = request.past ? py::cast(*request.past) : py::none();
    for (const bool of_keys : {false, true}) {
        if (const auto& norm = request.norm_of(of_keys)) {
            dict[of_keys ? "k_norm" : "q_norm"] =
                array_of(norm->weights, std::vector<py::ssize_t>{std::ssize(norm->weights)});
        }
    }
    return dict;
}

Tensor tensor_of(const py::object& array, const std::string& name) {
    const BorrowedTensor lent = borrow(array, name, Access::read);
    return dense_copy({name, lent.data, lent.dtype, lent.shape, lent.stride}, "probe");
}

/// What `ask` returned: a text that says why there is no answer, or a dict of arrays.
probe::Answer answer_of(const py::object& given) {
    if (py::isinstance<py::str>(given)) {
        return {.outcome = probe::Outcome::error, .text = py::str(given)};
    }
    const auto arrays = py::cast<py::dict>(given);
    probe::Answer answer;
    for (const auto& [key, value] : arrays) {
        const std::string name = py::str(key);
        Tensor tensor = tensor_of(py::reinterpret_borrow<py::object>(value), name);
        (name == "q_rot"   ? answer.q_rot
         : name == "k_rot" ? answer.k_rot
                           : answer.scores) = std::move(tensor);
    }
    return answer;
}

Dtype dtype_named(const std::string& name) {
    for (const Dtype dtype : {Dtype::f64, Dtype::f32, Dtype::f16, Dtype::bf16}) {
        if (diagnosis::numpy_name(dtype) == name) {
            return dtype;
        }
    }
    throw InputError(fmt::format("dtypes: '{}'; give float64, float32, float16 or bfloat16", name));
}

/// The report as JSON and as text, whether it passes, and which of several parts was asked. The
/// first of `parts` is.
py::tuple probe_in_python(const std::vector<Part>& parts, const std::vector<std::string>& dtypes,
                          bool negative, const py::function& ask,
                          const std::optional<GivenNorm>& norm, bool q_alone) {
    probe::Settings settings{
        .dtypes = {}, .negative = negative, .norm = norm_of(norm), .q_alone = q_alone};
    std::ranges::transform(dtypes, std::back_inserter(settings.dtypes), dtype_named);
    if (settings.dtypes.empty()) {
        throw InputError("dtypes: none are given; give one at least");
    }
    std::vector<probe::Request> requests;
    std::vector<probe::Answer> answers;
    std::string held;
    const probe::Report report = [&] {
        const OthersMayRun others;
        probe::Report found =
            probe::probe(parts.front(), settings, [&](const probe::Request& request) {
                requests.push_back(request);
                const OurTurn turn;
                answers.push_back(answer_of(call_python(ask, dict_of(request))));
                return answers.back();
            });
        if (parts.size() > 1) {
            held = text_of(held_part(parts, requests, answers, found), "part=");
        }
        return found;
    }();
    return py::make_tuple(probe::report_json(report), probe::report_text(report), report.passed(),
                          held);
}

/// All parts if none is named, else that one.
std::vector<Part> parts_of(const Model& model, const std::string& part) {
    const Part& chosen = model.part(part);
    return part.empty() ? model.parts : std::vector{chosen};
}

}  // namespace

void define_probe(py::module_& module) {
    module.def(
        "read_parts",
        [](const std::string& name, const std::string& part) {
            return parts_of(open_model(name), part);
        },
        py::arg("path_or_name"), py::arg("part"));
    module.def(
        "parse_parts",
        [](const std::string& json, const std::string& name, const std::string& part) {
            return parts_of(parse_model(json, name), part);
        },
        py::arg("json"), py::arg("name"), py::arg("part"));
    module.def(
        "with_name",
        [](Part embedding, const std::string& name) {
            embedding.model = name;
            return embedding;
        },
        py::arg("embedding"), py::arg("name"));
    module.def("probe", probe_in_python, py::arg("parts"), py::arg("dtypes"), py::arg("negative"),
               py::arg("ask"), py::arg("norm") = py::none(), py::arg("q_alone") = false);
}

}  // namespace ropescope
