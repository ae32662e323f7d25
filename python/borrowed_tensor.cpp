// Borrows arrays by the two ways in which Python's libraries lend their memory.
#include "python/borrowed_tensor.h"

#include <fmt/format.h>

#include "core/base/error.h"
#include "python/dlpack.h"

namespace ropescope {
namespace {

namespace py = pybind11;

std::string type_of(const py::object& array) {
    return py::str(py::type::handle_of(array).attr("__name__"));
}

[[noreturn]] void refuse(const py::object& array, const std::string& why) {
    throw InputError(fmt::format("x: {} {}", type_of(array), why));
}

/// Floating-point formats of 16 and 32 bits by their letter in Python's struct module.
Dtype dtype_of(const py::object& array, const py::buffer_info& buffer) {
    if (buffer.format == "f" || buffer.format == "<f" || buffer.format == "=f") {
        return Dtype::f32;
    }
    if (buffer.format == "e" || buffer.format == "<e" || buffer.format == "=e") {
        return Dtype::f16;
    }
    refuse(array, fmt::format("holds values of format '{}'; float32, float16 or bfloat16 is expected",
                              buffer.format));
}

BorrowedTensor from_buffer(const py::object& array) {
    py::buffer_info buffer;
    try {
        buffer = py::reinterpret_borrow<py::buffer>(array).request(true);
    } catch (const py::error_already_set&) {
        refuse(array, "is read-only; give an array that may be written to, or use rotate()");
    }
    const Dtype dtype = dtype_of(array, buffer);
    BorrowedTensor tensor{buffer.ptr, dtype, {buffer.shape.begin(), buffer.shape.end()}, {}, {}};
    for (const py::ssize_t bytes : buffer.strides) {
        if (bytes % buffer.itemsize != 0) {
            refuse(array, "has strides that are no multiple of its elements; give a copy");
        }
        tensor.stride.push_back(bytes / buffer.itemsize);
    }
    tensor.owner = std::make_shared<py::buffer_info>(std::move(buffer));
    return tensor;
}

Dtype dtype_of(const py::object& array, const dlpack::DataType& type) {
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
    refuse(array, "does not hold float32, float16 or bfloat16; convert it first");
}

/// The strides of a dense row-major tensor.
std::vector<Index> dense_strides(const std::vector<Index>& shape) {
    std::vector<Index> strides(shape.size(), 1);
    for (std::size_t axis = shape.size(); axis-- > 1;) {
        strides[axis - 1] = strides[axis] * shape[axis];
    }
    return strides;
}

dlpack::ManagedTensor* take(const py::object& array) {
    py::object capsule;
    try {
        capsule = array.attr("__dlpack__")();
    } catch (py::error_already_set& error) {
        refuse(array, fmt::format("does not lend its memory: {}", std::string(py::str(error.value()))));
    }
    constexpr const char* kName = "dltensor";
    if (!PyCapsule_IsValid(capsule.ptr(), kName)) {
        refuse(array, "gives a DLPack capsule of another version; give a NumPy array");
    }
    auto* const managed =
        static_cast<dlpack::ManagedTensor*>(PyCapsule_GetPointer(capsule.ptr(), kName));
    PyCapsule_SetName(capsule.ptr(), "used_dltensor");  // now it is ours to delete
    return managed;
}

BorrowedTensor from_dlpack(const py::object& array) {
    const std::shared_ptr<dlpack::ManagedTensor> owner(take(array), [](auto* managed) {
        if (managed->deleter != nullptr) {
            managed->deleter(managed);
        }
    });
    const dlpack::Tensor& lent = owner->tensor;
    if (lent.device.type != dlpack::kCpu && lent.device.type != dlpack::kCudaHost) {
        refuse(array, "lies on another device; move it to the CPU first");
    }
    BorrowedTensor tensor{static_cast<char*>(lent.data) + lent.byte_offset,
                          dtype_of(array, lent.dtype),
                          {lent.shape, lent.shape + lent.ndim},
                          {},
                          owner};
    tensor.stride = lent.strides != nullptr ? std::vector<Index>(lent.strides, lent.strides + lent.ndim)
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

}  // namespace

BorrowedTensor borrow(const py::object& array) {
    if (takes_part_in_a_gradient(array)) {
        refuse(array, "takes part in a gradient, which cannot see this rotation; give x.detach()");
    }
    if (is_of_jax(array)) {
        refuse(array, "is immutable in JAX; use rotate(), which returns a new array");
    }
    if (PyObject_CheckBuffer(array.ptr()) != 0) {
        return from_buffer(array);
    }
    if (py::hasattr(array, "__dlpack__")) {
        return from_dlpack(array);
    }
    refuse(array, "is not an array; give one of NumPy, PyTorch or another library with DLPack");
}

}  // namespace ropescope
