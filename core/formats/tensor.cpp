// The dtypes of tensors and the conversions between their values and numbers.
#include "core/formats/tensor.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <fmt/format.h>
#include <functional>
#include <numeric>

#include "core/base/characters.h"
#include "core/base/error.h"
#include "core/base/number_format.h"

namespace ropescope {
namespace {

struct DtypeFacts {
    std::string_view name;
    std::size_t bytes;
    bool readable = true;
};

/// In the order of Dtype.
constexpr std::array<DtypeFacts, kDtypes> kFacts = {{{"F64", 8},
                                                     {"F32", 4},
                                                     {"F16", 2},
                                                     {"BF16", 2},
                                                     {"I64", 8},
                                                     {"I32", 4},
                                                     {"U8", 1},
                                                     {"BOOL", 1},
                                                     {"I8", 1},
                                                     {"I16", 2},
                                                     {"U16", 2},
                                                     {"U32", 4},
                                                     {"U64", 8},
                                                     {"F8_E4M3", 1, false},
                                                     {"F8_E5M2", 1, false},
                                                     {"F8_E8M0", 1, false},
                                                     {"C64", 8, false},
                                                     {"F8_E4M3FNUZ", 1, false},
                                                     {"F8_E5M2FNUZ", 1, false},
                                                     {"C128", 16, false}}};

const DtypeFacts& facts_of(Dtype dtype) {
    return kFacts[static_cast<std::size_t>(dtype)];
}

/// The values of `tensor`, stored as T, each converted by `convert`. memcpy because a file's bytes
/// need not be aligned.
template <typename T, typename To, typename Convert>
std::vector<To> convert_all(std::span<const std::byte> bytes, Convert convert) {
    std::vector<To> values(bytes.size() / sizeof(T));
    for (std::size_t i = 0; i < values.size(); ++i) {
        T stored;
        std::memcpy(&stored, bytes.data() + i * sizeof(T), sizeof(T));
        values[i] = convert(stored);
    }
    return values;
}

/// How messages call it: after its file, if it lies in one.
std::string called(const TensorBytes& tensor) {
    return (tensor.file.empty() ? "" : printable(tensor.file) + ": ") + "tensor " +
           in_quotes(tensor.name);
}

template <typename To>
std::vector<To> to_values(const TensorBytes& tensor) {
    const auto cast = [](auto stored) { return static_cast<To>(stored); };
    const std::span<const std::byte> bytes = tensor.bytes;
    switch (tensor.dtype) {
        case Dtype::f64:
            return convert_all<double, To>(bytes, cast);
        case Dtype::f32:
            return convert_all<float, To>(bytes, cast);
        case Dtype::f16:
            return convert_all<std::uint16_t, To>(
                bytes, [&](std::uint16_t bits) { return cast(f32_from_f16(bits)); });
        case Dtype::bf16:
            return convert_all<std::uint16_t, To>(
                bytes, [&](std::uint16_t bits) { return cast(f32_from_bf16(bits)); });
        case Dtype::i64:
            return convert_all<std::int64_t, To>(bytes, cast);
        case Dtype::i32:
            return convert_all<std::int32_t, To>(bytes, cast);
        case Dtype::u8:
            return convert_all<std::uint8_t, To>(bytes, cast);
        case Dtype::boolean:
            return convert_all<std::uint8_t, To>(
                bytes, [&](std::uint8_t byte) { return cast(byte != 0 ? 1 : 0); });
        case Dtype::i8:
            return convert_all<std::int8_t, To>(bytes, cast);
        case Dtype::i16:
            return convert_all<std::int16_t, To>(bytes, cast);
        case Dtype::u16:
            return convert_all<std::uint16_t, To>(bytes, cast);
        case Dtype::u32:
            return convert_all<std::uint32_t, To>(bytes, cast);
        case Dtype::u64:
            return convert_all<std::uint64_t, To>(bytes, cast);
        case Dtype::f8_e4m3:
        case Dtype::f8_e5m2:
        case Dtype::f8_e8m0:
        case Dtype::c64:
        case Dtype::f8_e4m3fnuz:
        case Dtype::f8_e5m2fnuz:
        case Dtype::c128:
            break;
    }
    throw InputError(
        fmt::format("{}: values of dtype {} are not read here; store it as F32, F16 or BF16",
                    called(tensor), to_string(tensor.dtype)));
}

/// A tensor of `dtype` with convert(value) for every value.
template <typename T, typename Convert>
Tensor make_converted(Dtype dtype, std::string name, std::vector<std::int64_t> shape,
                      std::span<const T> values, Convert convert) {
    Tensor tensor{std::move(name), dtype, std::move(shape), {}};
    if (tensor.count() != std::ssize(values)) {
        throw InputError(fmt::format("tensor {}: shape {} needs {} values; {} are given",
                                     in_quotes(tensor.name), shape_text(tensor.shape),
                                     tensor.count(), values.size()));
    }
    using Stored = decltype(convert(T{}));
    tensor.bytes.resize(values.size() * sizeof(Stored));
    for (std::size_t i = 0; i < values.size(); ++i) {
        const Stored stored = convert(values[i]);
        std::memcpy(tensor.bytes.data() + i * sizeof(Stored), &stored, sizeof(Stored));
    }
    return tensor;
}

}  // namespace

std::size_t dtype_size(Dtype dtype) {
    return facts_of(dtype).bytes;
}

std::string_view to_string(Dtype dtype) {
    return facts_of(dtype).name;
}

bool is_readable(Dtype dtype) {
    return facts_of(dtype).readable;
}

std::optional<std::int64_t> byte_count(Dtype dtype, std::span<const std::int64_t> shape) {
    std::int64_t bytes = dtype_size(dtype);
    bool empty = false;
    for (const std::int64_t size : shape) {
        empty = empty || size == 0;
        // Also if another size is 0: code that walks over the shape multiplies some of the sizes.
        if (__builtin_mul_overflow(bytes, std::max<std::int64_t>(size, 1), &bytes)) {
            return std::nullopt;
        }
    }
    return empty ? 0 : bytes;
}

std::int64_t TensorBytes::count() const {
    return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}

std::string shape_text(std::span<const std::int64_t> shape) {
    return fmt::format("[{}]", fmt::join(shape, ", "));
}

std::vector<float> to_f32(const TensorBytes& tensor) {
    return to_values<float>(tensor);
}
std::vector<double> to_f64(const TensorBytes& tensor) {
    return to_values<double>(tensor);
}

std::vector<std::int64_t> to_i64(const TensorBytes& tensor) {
    switch (tensor.dtype) {
        case Dtype::i64:
        case Dtype::i32:
        case Dtype::u8:
        case Dtype::boolean:
        case Dtype::i8:
        case Dtype::i16:
        case Dtype::u16:
        case Dtype::u32:
            return to_values<std::int64_t>(tensor);
        default:
            throw InputError(
                fmt::format("{}: dtype {}; integers are expected, store it as I64 or I32",
                            called(tensor), to_string(tensor.dtype)));
    }
}

Tensor make_tensor(std::string name, std::vector<std::int64_t> shape,
                   std::span<const float> values) {
    return make_converted(Dtype::f32, std::move(name), std::move(shape), values,
                          [](float value) { return value; });
}
Tensor make_tensor(std::string name, std::vector<std::int64_t> shape,
                   std::span<const double> values) {
    return make_converted(Dtype::f64, std::move(name), std::move(shape), values,
                          [](double value) { return value; });
}
Tensor make_tensor(std::string name, std::vector<std::int64_t> shape,
                   std::span<const std::int64_t> values) {
    return make_converted(Dtype::i64, std::move(name), std::move(shape), values,
                          [](std::int64_t value) { return value; });
}

Tensor make_tensor_as(Dtype dtype, std::string name, std::vector<std::int64_t> shape,
                      std::span<const double> values) {
    switch (dtype) {
        case Dtype::f64:
            return make_tensor(std::move(name), std::move(shape), values);
        case Dtype::f32:
            return make_converted(dtype, std::move(name), std::move(shape), values,
                                  [](double value) { return static_cast<float>(value); });
        case Dtype::f16:
            return make_converted(dtype, std::move(name), std::move(shape), values, f16_from_f64);
        case Dtype::bf16:
            return make_converted(dtype, std::move(name), std::move(shape), values, bf16_from_f64);
        default:
            throw InputError(
                fmt::format("tensor {}: real numbers cannot be stored as {}; use F64, "
                            "F32, F16 or BF16",
                            in_quotes(name), to_string(dtype)));
    }
}

}  // namespace ropescope
