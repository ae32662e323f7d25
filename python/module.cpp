// The compiled part of the Python package: embeddings, tables, rotation in place, and diagnoses.
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <string>
#include <tuple>

#include "core/base/characters.h"
#include "core/base/error.h"
#include "core/diagnosis/expectation.h"
#include "core/diagnosis/report.h"
#include "core/rope/axis_positions.h"
#include "core/rope/tensor_view.h"
#include "library/diagnose_tensors.h"
#include "library/given_norm.h"
#include "library/rotate_tensor.h"
#include "python/borrowed_tensor.h"
#include "python/others_may_run.h"
#include "python/probing.h"

namespace py = pybind11;

namespace ropescope {
namespace {

using Numbers = py::array_t<double, py::array::c_style | py::array::forcecast>;

template <typename T>
py::array_t<T> array_of(const std::vector<py::ssize_t>& shape) {
    return py::array_t<T>(shape);
}

/// [pairs, 2].
py::array_t<Index> pairs_of(const Part& embedding) {
    auto result = array_of<Index>({embedding.scheme.pair_count(), 2});
    Index* at = result.mutable_data();
    for (const ChannelPair& pair : embedding.scheme.pairs) {
        *at++ = pair.first;
        *at++ = pair.second;
    }
    return result;
}

/// [heads, pairs, axes].
py::array_t<double> omega_of(const Part& embedding) {
    const RotaryScheme& scheme = embedding.scheme;
    auto result =
        array_of<double>({std::ssize(scheme.heads), scheme.pair_count(), std::ssize(scheme.axes)});
    double* at = result.mutable_data();
    for (const Spectrum& head : scheme.heads) {
        at = std::ranges::copy(head.inv_freq_rad, at).out;
    }
    return result;
}

/// Axes b, h, l and d of a tensor whose axes the letters name; an axis that is not there has
/// size 1.
TensorMemory in_order(const BorrowedTensor& x, const std::string& order) {
    const std::string axes = parse_axis_order(order, 0).axes;
    if (axes.size() != x.shape.size()) {
        throw InputError(fmt::format("x: {} axes, and axes='{}' names {}; give one letter for each",
                                     x.shape.size(), order, axes.size()));
    }
    TensorMemory memory{x.data, x.dtype, {1, 1, 1, 1}, {0, 0, 0, 1}};
    for (std::size_t i = 0; i < axes.size(); ++i) {
        const std::size_t place = std::string_view("bhld").find(axes[i]);
        memory.shape[place] = x.shape[i];
        memory.stride[place] = x.stride[i];
    }
    return memory;
}

Numbers numbers_of(const py::object& array, const std::string& name) {
    Numbers numbers = Numbers::ensure(array);
    if (!numbers) {
        PyErr_Clear();
        throw InputError(
            fmt::format("{}: not an array of numbers; give one, for example a list", name));
    }
    return numbers;
}

/// Positions [L], [B, L], [axes, L] or [axes, B, L] as [axes, L] or [axes, B, L].
std::span<const double> checked_positions(const Numbers& positions, const RotaryScheme& scheme,
                                          const TensorMemory& x) {
    const Index axes = std::ssize(scheme.axes), batch = x.shape[0], length = x.shape[2];
    std::vector<Index> given(positions.shape(), positions.shape() + positions.ndim());
    if (axes == 1) {
        given.insert(given.begin(), 1);
    }
    const bool fits = given == std::vector<Index>{axes, length} ||
                      given == std::vector<Index>{axes, batch, length} ||
                      given == std::vector<Index>{axes, 1, length};
    if (!fits) {
        const std::string first = axes == 1 ? "" : fmt::format("{}, ", axes);
        throw InputError(fmt::format(
            "positions: shape {}; [{}{}] or [{}{}, {}] is expected",
            shape_text(std::vector<Index>(positions.shape(), positions.shape() + positions.ndim())),
            first, length, first, batch, length));
    }
    return {positions.data(), static_cast<std::size_t>(positions.size())};
}

void rotate_in_python(const Part& embedding, const py::object& x, const py::object& positions,
                      const std::string& axes, bool inverse, int threads) {
    const BorrowedTensor borrowed = borrow(x, "x", Access::write);
    const TensorMemory memory = in_order(borrowed, axes);
    Numbers numbers;
    std::span<const double> of_tokens;
    if (!positions.is_none()) {
        numbers = numbers_of(positions, "positions");
        of_tokens = checked_positions(numbers, embedding.scheme, memory);
    }
    const OthersMayRun others;
    rotate_tensor(embedding.scheme, memory, of_tokens,
                  inverse ? Direction::inverse : Direction::forward, threads);
}

/// cos and sin, [tokens, pairs] each, or [heads, tokens, pairs] if heads differ.
py::tuple table_of(const Part& embedding, const Numbers& positions) {
    const RotaryScheme& scheme = embedding.scheme;
    const Index axes = std::ssize(scheme.axes);
    const bool fits =
        positions.ndim() == (axes == 1 ? 1 : 2) && (axes == 1 || positions.shape(0) == axes);
    if (!fits) {
        throw InputError(fmt::format("positions: {} axes of the array; [{}tokens] is expected",
                                     positions.ndim(), axes == 1 ? "" : fmt::format("{}, ", axes)));
    }
    const AxisPositions view{{positions.data(), static_cast<std::size_t>(positions.size())}, axes};
    const RotationTable table = make_rotation_table(scheme, view);
    std::vector<py::ssize_t> shape = {view.tokens(), scheme.pair_count()};
    if (scheme.heads.size() > 1) {
        shape.insert(shape.begin(), std::ssize(scheme.heads));
    }
    auto cos = array_of<float>(shape), sin = array_of<float>(shape);
    std::ranges::copy(table.cos, cos.mutable_data());
    std::ranges::copy(table.sin, sin.mutable_data());
    return py::make_tuple(cos, sin);
}

/// Arrays by the names of a dump's tensors, and positions as float64.
struct GivenDump {
    LentDump dump;
    std::vector<BorrowedTensor> borrowed;
    std::vector<Numbers> positions;
};

GivenDump given_dump(const py::dict& tensors, const py::dict& positions, const std::string& axes,
                     const std::string& position_axes) {
    GivenDump given{.dump = {.tensors = {}, .axes = axes, .position_axes = position_axes},
                    .borrowed = {},
                    .positions = {}};
    for (const auto& [key, value] : tensors) {
        const std::string name = py::str(key);
        BorrowedTensor x =
            borrow(py::reinterpret_borrow<py::object>(value), name, Access::read_coarse);
        given.dump.tensors.push_back({name, x.data, x.dtype, x.shape, x.stride});
        given.borrowed.push_back(std::move(x));
    }
    for (const auto& [key, value] : positions) {
        const std::string name = py::str(key);
        Numbers numbers = numbers_of(py::reinterpret_borrow<py::object>(value), name);
        const std::vector<Index> shape(numbers.shape(), numbers.shape() + numbers.ndim());
        std::vector<Index> stride(shape.size(), 1);
        for (std::size_t axis = shape.size(); axis-- > 1;) {
            stride[axis - 1] = stride[axis] * shape[axis];
        }
        given.dump.tensors.push_back({name, numbers.data(), Dtype::f64, shape, stride});
        given.positions.push_back(std::move(numbers));
    }
    return given;
}

/// The report as JSON and as text, and whether it passes. `several`: the tensors have the numbers
/// of layers in their names.
py::tuple diagnose_in_python(const py::dict& tensors, const py::dict& positions,
                             const std::string& axes, const std::string& position_axes,
                             const std::optional<diagnosis::Expectation>& expectation, bool several,
                             const std::optional<GivenNorm>& norm) {
    GivenDump given = given_dump(tensors, positions, axes, position_axes);
    given.dump.norm = norm_of(norm);
    const diagnosis::Expectation* expected = expectation ? &*expectation : nullptr;
    std::string json, text;
    bool passed = false;
    const auto report = [&](const auto& found, const diagnosis::Diagnosis& whole) {
        json = diagnosis::diagnosis_json(found);
        text = diagnosis::diagnosis_text(found);
        passed = diagnosis::passes(whole);
    };
    {
        const OthersMayRun others;
        if (several) {
            const diagnosis::LayeredDiagnosis found = diagnose_layers_of(given.dump, expected);
            report(found, found.whole);
        } else {
            const diagnosis::Diagnosis found = diagnose_tensors(given.dump, expected);
            report(found, found);
        }
    }
    return py::make_tuple(json, text, passed);
}

void define_diagnosis(py::module_& module) {
    py::class_<diagnosis::Expectation>(module, "Expectation", "What an implementation should do.")
        .def_readonly("name", &diagnosis::Expectation::name);
    module.def("read_expectation", diagnosis::read_expectation, py::arg("path_or_name"));
    module.def("parse_expectation", diagnosis::parse_expectation, py::arg("json"), py::arg("name"));
    module.def(
        "expectation_of",
        [](const Part& embedding, const std::string& name) {
            return diagnosis::expectation_of(embedding, name);
        },
        py::arg("embedding"), py::arg("name"));
    module.def("diagnose", diagnose_in_python, py::arg("tensors"), py::arg("positions"),
               py::arg("axes"), py::arg("position_axes"), py::arg("expectation"),
               py::arg("several") = false, py::arg("norm") = py::none());
}

void define_embedding(py::module_& module) {
    py::class_<Part>(module, "Embedding",
                     "Which channels of a head pair, and how fast each "
                     "pair turns. Make one by load() or parse().")
        .def_property_readonly(
            "head_dim", [](const Part& e) { return e.scheme.head_dim; },
            "Channels of one attention head.")
        .def_property_readonly(
            "axes", [](const Part& e) { return e.scheme.axes; },
            "Names of the numbers in the position of a token: ['position'] for text.")
        .def_property_readonly("pairs", pairs_of, "The two channels of each pair, [pairs, 2].")
        .def_property_readonly(
            "omega", omega_of,
            "Frequencies in radians for each position, [heads, pairs, axes]; one "
            "head if all turn alike.")
        .def_property_readonly(
            "attention_factor",
            [](const Part& e) { return e.scheme.heads.front().attention_factor; },
            "Multiplies cos and sin (YaRN, LongRoPE).")
        .def_property_readonly(
            "softmax_scale_factor",
            [](const Part& e) { return e.scheme.heads.front().softmax_scale_factor; },
            "Multiplies 1 / sqrt(head_dim); the table does not contain it.")
        .def_readonly("model", &Part::model, "The name of its model, or the path of its file.")
        .def_property_readonly("part", &Part::name, "The name of this part of the model.")
        .def_property_readonly(
            "assumptions", [](const Part& e) { return e.assumptions; },
            "What the model's file leaves open and had to be assumed.")
        .def_readonly("inferred", &Part::inferred,
                      "What was inferred from the names of the file's keys, in words; \"\" if the "
                      "model's family is known.");
}

}  // namespace
}  // namespace ropescope

PYBIND11_MODULE(_ropescope, module) {
    using namespace ropescope;
    module.doc() = "The compiled part of ropescope; use the package ropescope.";
    module.attr("__version__") = ROPESCOPE_VERSION;
    py::register_exception_translator([](std::exception_ptr thrown) {
        try {
            std::rethrow_exception(thrown);
        } catch (const InputError& error) {
            // The command line escapes what it prints; here arguments come back as they were given.
            PyErr_SetString(PyExc_ValueError, printable(error.what()).c_str());
        }
    });
    define_embedding(module);
    define_diagnosis(module);
    define_probe(module);
    module.def(
        "load",
        [](const std::string& name, const std::string& part, const std::string& layer_type,
           Index seq_len) {
            return chosen_part(open_model(name), {part, layer_type, seq_len});
        },
        py::arg("path_or_name"), py::arg("part"), py::arg("layer_type"), py::arg("seq_len"));
    module.def(
        "parse",
        [](const std::string& json, const std::string& part, const std::string& layer_type,
           Index seq_len) {
            return chosen_part(parse_model(json, "config"), {part, layer_type, seq_len});
        },
        py::arg("json"), py::arg("part"), py::arg("layer_type"), py::arg("seq_len"));
    module.def("table", table_of, py::arg("embedding"), py::arg("positions"));
    module.def("rotate_", rotate_in_python, py::arg("embedding"), py::arg("x"),
               py::arg("positions"), py::arg("axes"), py::arg("inverse"), py::arg("threads"));
}
