// A tensor as files hold it: a dtype, a shape and bytes; and the view that avoids copying them.
// Sources: tensor.cpp, finite.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ropescope {

/// What safetensors knows, and NumPy's complex128. The 8-bit floats and complex numbers are listed
/// with their sizes; to_f64() does not read their values (float8.h does, of the floats that numbers
/// are quantised to).
enum class Dtype {
    f64,
    f32,
    f16,
    bf16,
    i64,
    i32,
    u8,
    boolean,
    i8,
    i16,
    u16,
    u32,
    u64,
    f8_e4m3,
    f8_e5m2,
    f8_e8m0,
    c64,
    f8_e4m3fnuz,
    f8_e5m2fnuz,
    c128
};
inline constexpr std::size_t kDtypes = 20, kSafetensorsDtypes = 19;

/// Whether to_f32() and to_f64() read its values.
bool is_readable(Dtype dtype);

std::size_t dtype_size(Dtype dtype);
/// The safetensors names: F64 F32 F16 BF16 I64 I32 U8 BOOL I8 I16 U16 U32 U64 F8_E4M3 ...
std::string_view to_string(Dtype dtype);

/// What a file says about one of its tensors; the values are not read.
struct TensorInfo {
    std::string name;
    Dtype dtype = Dtype::f32;
    std::vector<std::int64_t> shape;
    std::int64_t bytes = 0;
};

/// Throws InputError if a reader has no use for a tensor of this dtype and shape: asked before the
/// values are read, which may be gigabytes.
using AcceptTensor = std::function<void(const TensorInfo&)>;

/// Little-endian, row-major, not necessarily aligned.
struct TensorBytes {
    std::string name;
    Dtype dtype = Dtype::f32;
    std::vector<std::int64_t> shape;
    std::span<const std::byte> bytes;
    /// The file that they lie in, for messages; empty if they were made in memory.
    std::string file = {};

    std::int64_t count() const;
};

/// The same, owning its bytes.
struct Tensor {
    std::string name;
    Dtype dtype = Dtype::f32;
    std::vector<std::int64_t> shape;
    std::vector<std::byte> bytes;

    TensorBytes view() const { return {name, dtype, shape, bytes}; }
    std::int64_t count() const { return view().count(); }
};

/// Bytes that a tensor of this dtype and shape takes; none if that, or the product of the sizes
/// other than 0, does not fit into 63 bits.
std::optional<std::int64_t> byte_count(Dtype dtype, std::span<const std::int64_t> shape);

/// "[2, 3, 128]"
std::string shape_text(std::span<const std::int64_t> shape);

/// Values converted from any dtype that is_readable(); InputError naming the tensor otherwise. fp16
/// and bf16 widen exactly; I64 beyond 2^53 rounds.
std::vector<float> to_f32(const TensorBytes& tensor);
std::vector<double> to_f64(const TensorBytes& tensor);
/// Integer dtypes and BOOL only; throws InputError naming the tensor and its dtype otherwise.
std::vector<std::int64_t> to_i64(const TensorBytes& tensor);

Tensor make_tensor(std::string name, std::vector<std::int64_t> shape,
                   std::span<const float> values);
Tensor make_tensor(std::string name, std::vector<std::int64_t> shape,
                   std::span<const double> values);
Tensor make_tensor(std::string name, std::vector<std::int64_t> shape,
                   std::span<const std::int64_t> values);
/// Values rounded to F16 or BF16 (round to nearest even), or stored as F32 / F64.
Tensor make_tensor_as(Dtype dtype, std::string name, std::vector<std::int64_t> shape,
                      std::span<const double> values);

/// The values of an F64, F32, F16 or BF16 tensor as fp32. Throws InputError naming `origin`, the
/// index and the value when one is NaN or infinite (an F64 beyond the range of fp32 is), and for
/// integer tensors.
std::vector<float> finite_f32(const TensorBytes& tensor, const std::string& origin);

}  // namespace ropescope
