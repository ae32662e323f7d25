// Borrows arrays by the two ways in which Python's libraries lend their memory.
#include "python/borrowed_tensor.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <optional>
#include <pybind11/numpy.h>

#include "core/base/characters.h"
#include "core/base/error.h"
#include "python/dlpack.h"

namespace ropescope {
namespace {

namespace py = pybind11;

std::string type_of(const py::object& array) {
    return py::str(py::type::handle_of(array).attr("__name__"));
}

/// An array, what messages call it, and what is to be done with it.
struct Loan {
    const py::object& array;
    const std::string& name;
    Access access;

    bool writes() const { return access == Access::write; }

    [[noreturn]] void refuse(const std::string& why) const {
        throw InputError(fmt::format("{}: {} {}", name, type_of(array), why));
    }

    bool reads_coarse() const { return access == Access::read_coarse; }

    std::string_view expected() const {
        return reads_coarse() ? "float64, float32, float16, bfloat16, float8 or int8"
               : writes()     ? "float32, float16 or bfloat16"
                              : "float64, float32, float16 or bfloat16";
    }
};

/// Floating-point formats by their letter in Python's struct module.
Dtype dtype_of(const Loan& loan, const py::buffer_info& buffer) {
    const std::string_view format = buffer.format;
    const bool native = format.size() == 1 || format[0] == '<' || format[0] == '=';
    const char letter = native && format.size() <= 2 ? format.back() : '?';
    if (letter == 'f') {
        return Dtype::f32;
    }
    if (letter == 'e') {
        return Dtype::f16;
    }
    if (letter == 'd' && !loan.writes()) {
        return Dtype::f64;
    }
    if (letter == 'b' && loan.reads_coarse()) {
        return Dtype::i8;
    }
    loan.refuse(
        fmt::format("holds values of format '{}'; {} is expected", buffer.format, loan.expected()));
}

py::buffer_info buffer_of(const Loan& loan) {
    try {
        return py::reinterpret_borrow<py::buffer>(loan.array).request(loan.writes());
    } catch (const py::error_already_set&) {
        if (loan.writes()) {
            loan.refuse("is read-only; give an array that may be written to, or use rotate()");
        }
        loan.refuse(fmt::format("does not lend its memory; {} is expected", loan.expected()));
    }
}

/// `known` is the dtype of an array whose buffer holds bits.
BorrowedTensor from_buffer(const Loan& loan, std::optional<Dtype> known = {}) {
    py::buffer_info buffer = buffer_of(loan);
    const Dtype dtype = known ? *known : dtype_of(loan, buffer);
    BorrowedTensor tensor{buffer.ptr, dtype, {buffer.shape.begin(), buffer.shape.end()}, {}, {}};
    for (const py::ssize_t bytes : buffer.strides) {
        if (bytes % buffer.itemsize != 0) {
            loan.refuse("has strides that are no multiple of its elements; give a copy");
        }
        tensor.stride.push_back(bytes / buffer.itemsize);
    }
    tensor.owner = std::make_shared<py::buffer_info>(std::move(buffer));
    return tensor;
}

Dtype dtype_of(const Loan& loan, const dlpack::DataType& type) {
    const bool single = type.lanes == 1;
    if (single && type.code == dlpack::TypeCode::floating && type.bits == 32) {
        return Dtype::f32;
    }
    if (single && type.code == dlpack::TypeCode::floating && type.bits == 16) {
        return Dtype::f16;
    }
    if (single && type.code == dlpack::TypeCode::bfloat && type.bits == 16) {
        return Dtype::bf16;
    }
    if (single && type.code == dlpack::TypeCode::floating && type.bits == 64 && !loan.writes()) {
        return Dtype::f64;
    }
    if (single && type.code == dlpack::TypeCode::signed_int && type.bits == 8 &&
        loan.reads_coarse()) {
        return Dtype::i8;
    }
    loan.refuse(fmt::format("does not hold {}; convert it first", loan.expected()));
}

/// The strides of a dense row-major tensor.
std::vector<Index> dense_strides(const std::vector<Index>& shape) {
    std::vector<Index> strides(shape.size(), 1);
    for (std::size_t axis = shape.size(); axis-- > 1;) {
        strides[axis - 1] = strides[axis] * shape[axis];
    }
    return strides;
}

/// Bytes of the message of another library's error.
constexpr std::size_t kShownOfAnError = 160;

dlpack::ManagedTensor* take(const Loan& loan) {
    py::object capsule;
    try {
        capsule = loan.array.attr("__dlpack__")();
    } catch (py::error_already_set& error) {
        loan.refuse(fmt::format("does not lend its memory: {}",
                                printable(std::string(py::str(error.value())), kShownOfAnError)));
    }
    constexpr const char* kName = "dltensor";
    if (!PyCapsule_IsValid(capsule.ptr(), kName)) {
        loan.refuse("gives a DLPack capsule of another version; give a NumPy array");
    }
    auto* const managed =
        static_cast<dlpack::ManagedTensor*>(PyCapsule_GetPointer(capsule.ptr(), kName));
    PyCapsule_SetName(capsule.ptr(), "used_dltensor");  // now it is ours to delete
    return managed;
}

/// `known` is the dtype of a tensor that lends its bits.
BorrowedTensor from_dlpack(const Loan& loan, std::optional<Dtype> known = {}) {
    const std::shared_ptr<dlpack::ManagedTensor> owner(take(loan), [](auto* managed) {
        if (managed->deleter != nullptr) {
            managed->deleter(managed);
        }
    });
    const dlpack::DLTensor& lent = owner->tensor;
    if (lent.device.type != dlpack::kCpu && lent.device.type != dlpack::kCudaHost) {
        loan.refuse("lies on another device; move it to the CPU first");
    }
    BorrowedTensor tensor{static_cast<char*>(lent.data) + lent.byte_offset,
                          known ? *known : dtype_of(loan, lent.dtype),
                          {lent.shape, lent.shape + lent.ndim},
                          {},
                          owner};
    tensor.stride = lent.strides != nullptr
                        ? std::vector<Index>(lent.strides, lent.strides + lent.ndim)
                        : dense_strides(tensor.shape);
    return tensor;
}

bool takes_part_in_a_gradient(const py::object& array) {
    return py::hasattr(array, "requires_grad") && py::cast<bool>(array.attr("requires_grad"));
}

bool is_of_jax(const py::object& array) {
    const std::string module = py::str(py::type::handle_of(array).attr("__module__"));
    return module.starts_with("jax");
}

/// What the library calls the dtype: "float8_e4m3fn", of PyTorch too.
std::string dtype_name(const py::object& array) {
    if (!py::hasattr(array, "dtype")) {
        return "";
    }
    const std::string name = py::str(array.attr("dtype"));
    constexpr std::string_view kTorch = "torch.";
    return name.starts_with(kTorch) ? name.substr(kTorch.size()) : name;
}

/// Dtypes that no buffer and no DLPack of today's libraries names: their bits are lent as whole
/// numbers.
struct LentAsBits {
    std::string_view name;
    Dtype dtype;
    const char* bits;
};
constexpr std::array<LentAsBits, 5> kLentAsBits = {
    {{"bfloat16", Dtype::bf16, "uint16"},
     {"float8_e4m3fn", Dtype::f8_e4m3, "uint8"},
     {"float8_e5m2", Dtype::f8_e5m2, "uint8"},
     {"float8_e4m3fnuz", Dtype::f8_e4m3fnuz, "uint8"},
     {"float8_e5m2fnuz", Dtype::f8_e5m2fnuz, "uint8"}}};

/// Empty for other dtypes, and where the library lends bf16 by itself.
std::optional<LentAsBits> lent_as_bits(const py::object& array, const Loan& loan) {
    const std::string name = dtype_name(array);
    const auto known = std::ranges::find(kLentAsBits, name, &LentAsBits::name);
    if (known == kLentAsBits.end()) {
        return std::nullopt;
    }
    const bool bits16 = known->dtype == Dtype::bf16;
    return (bits16 ? py::isinstance<py::array>(array) : loan.reads_coarse()) ? std::optional(*known)
                                                                             : std::nullopt;
}

/// The same memory as whole numbers: of PyTorch by DLPack, of others in a buffer of NumPy.
BorrowedTensor from_bits(const Loan& loan, const LentAsBits& known) {
    if (py::hasattr(loan.array, "data_ptr")) {
        const py::object torch = py::module_::import("torch");
        const py::object bits = loan.array.attr("view")(torch.attr(known.bits));
        return from_dlpack({bits, loan.name, loan.access}, known.dtype);
    }
    const py::object array = py::module_::import("numpy").attr("asarray")(loan.array);
    const py::object bits = array.attr("view")(known.bits);
    return from_buffer({bits, loan.name, loan.access}, known.dtype);
}

}  // namespace

BorrowedTensor borrow(const py::object& array, const std::string& name, Access access) {
    const Loan loan{array, name, access};
    if (takes_part_in_a_gradient(array)) {
        loan.refuse(
            fmt::format("takes part in a gradient, which cannot see this call; give "
                        "{}.detach()",
                        name));
    }
    if (loan.writes() && is_of_jax(array)) {
        loan.refuse("is immutable in JAX; use rotate(), which returns a new array");
    }
    if (const auto known = lent_as_bits(array, loan)) {
        return from_bits(loan, *known);
    }
    if (PyObject_CheckBuffer(array.ptr()) != 0 && !is_of_jax(array)) {
        return from_buffer(loan);
    }
    if (py::hasattr(array, "__dlpack__")) {
        return from_dlpack(loan);
    }
    loan.refuse("is not an array; give one of NumPy, PyTorch or another library with DLPack");
}

}  // namespace ropescope
