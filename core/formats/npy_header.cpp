// Reads the header of a .npy, which is a Python dictionary, and writes it.
#include "core/formats/npy_header.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>
#include <new>
#include <optional>
#include <utility>

#include "core/base/characters.h"
#include "core/base/error.h"
#include "core/formats/limits.h"

namespace ropescope {
namespace {

struct NpyDtype {
    std::string_view descr;
    Dtype dtype;
};
// NumPy has no bf16: ml_dtypes saves it as two bytes without a meaning, and of those we write the
// first spelling.
constexpr std::array<NpyDtype, 16> kNpyDtypes = {{{"<f8", Dtype::f64},
                                                  {"<f4", Dtype::f32},
                                                  {"<f2", Dtype::f16},
                                                  {"<i8", Dtype::i64},
                                                  {"<i4", Dtype::i32},
                                                  {"|u1", Dtype::u8},
                                                  {"|b1", Dtype::boolean},
                                                  {"|i1", Dtype::i8},
                                                  {"<i2", Dtype::i16},
                                                  {"<u2", Dtype::u16},
                                                  {"<u4", Dtype::u32},
                                                  {"<u8", Dtype::u64},
                                                  {"<V2", Dtype::bf16},
                                                  {"|V2", Dtype::bf16},
                                                  {"<c8", Dtype::c64},
                                                  {"<c16", Dtype::c128}}};

[[noreturn]] void fail(const std::string& origin, std::size_t byte, std::string_view what) {
    throw InputError(fmt::format("{}: byte {}: {}", printable(origin), byte, what));
}

/// Reads the few Python literals that a header consists of.
class LiteralReader {
  public:
    LiteralReader(std::string_view text, const std::string& origin, std::size_t first_byte)
        : text_(text), origin_(origin), first_byte_(first_byte) {}

    std::size_t byte() {
        at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size());
        return first_byte_ + at_;
    }
    bool accept(std::string_view wanted) {
        byte();
        const bool there = text_.substr(at_).starts_with(wanted);
        at_ += there ? wanted.size() : 0;
        return there;
    }
    void expect(std::string_view wanted) {
        if (!accept(wanted)) {
            fail_expected(in_quotes(wanted));
        }
    }
    /// Without escapes: no name or dtype that is supported has one.
    std::string_view string() {
        const std::string_view quote = accept("'") ? "'" : "\"";
        if (quote == "\"") {
            expect(quote);
        }
        const std::size_t end = text_.find(quote, at_);
        if (end == std::string_view::npos) {
            fail_expected("the end of a string");
        }
        const std::string_view value = text_.substr(at_, end - at_);
        at_ = end + 1;
        return value;
    }
    std::int64_t integer() {
        byte();
        std::int64_t value = 0;
        const auto [end, error] =
            std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
        // Python, and so NumPy, takes no 04 for a number.
        const bool padded = error == std::errc() && value != 0 && text_[at_] == '0';
        if (error != std::errc() || value < 0 || padded) {
            fail_expected("an integer from 0 to 9223372036854775807");
        }
        at_ = end - text_.data();
        accept("L");  // Python 2 wrote its long integers so
        return value;
    }
    void end() {
        byte();
        if (at_ != text_.size()) {
            fail_expected("the end of the header");
        }
    }
    [[noreturn]] void fail_expected(std::string_view wanted) {
        constexpr std::size_t kShown = 24;
        const std::size_t where = byte();
        fail(origin_, where,
             fmt::format("header: {} is expected; {} is found", wanted,
                         at_ == text_.size() ? "the end" : in_quotes(text_.substr(at_, kShown))));
    }

  private:
    std::string_view text_;
    const std::string& origin_;
    std::size_t first_byte_;
    std::size_t at_ = 0;
};

Dtype read_descr(LiteralReader& reader, const std::string& origin) {
    const std::size_t byte = reader.byte();
    if (reader.accept("[")) {
        fail(origin, byte, "descr: structured dtypes are not supported; save each field by itself");
    }
    const std::string_view descr = reader.string();
    const auto* const found = std::ranges::find_if(
        kNpyDtypes, [&](const NpyDtype& dtype) { return dtype.descr == descr; });
    if (found == kNpyDtypes.end()) {
        const std::string_view kind =
            descr.starts_with('>') ? "is big-endian and not supported" : "is not supported";
        fail(origin, byte,
             fmt::format("descr: {} {}; save the array as one of <f8 <f4 <f2 <V2 <i8 <i4 |u1 |b1",
                         in_quotes(descr), kind));
    }
    return found->dtype;
}

bool read_fortran_order(LiteralReader& reader) {
    if (reader.accept("True")) {
        return true;
    }
    reader.expect("False");
    return false;
}

std::vector<std::int64_t> read_shape(LiteralReader& reader, const std::string& origin) {
    std::vector<std::int64_t> shape;
    reader.expect("(");
    while (!reader.accept(")")) {
        if (shape.size() == kMaxTensorAxes) {
            fail(origin, reader.byte(), fmt::format("shape: more than {} numbers", kMaxTensorAxes));
        }
        shape.push_back(reader.integer());
        if (!reader.accept(",")) {
            reader.expect(")");
            break;
        }
    }
    return shape;
}

/// What the header's length field says, from the 8 or (from version 2.0 on) 12 bytes in front.
std::size_t read_preamble(const std::string& origin, std::uint64_t total_bytes,
                          const TakeBytes& take, std::size_t& at_byte) {
    constexpr std::size_t kFixed = 8;
    const auto need = [&](std::size_t count) {
        if (total_bytes - at_byte < count) {
            fail(origin, total_bytes, "the file ends inside its header; it is cut short");
        }
        std::vector<std::byte> bytes = take(count);
        at_byte += count;
        return bytes;
    };
    const std::vector<std::byte> fixed = need(kFixed);
    if (!std::equal(kNpyMagic.begin(), kNpyMagic.end(), fixed.begin(),
                    [](char a, std::byte b) { return std::byte(a) == b; })) {
        fail(origin, 0, "this is not a .npy file: it does not start with \\x93NUMPY");
    }
    const auto major = std::to_integer<int>(fixed[6]);
    const auto minor = std::to_integer<int>(fixed[7]);
    if (major < 1 || major > 3 || minor != 0) {
        fail(origin, 6, fmt::format("version {}.{}; 1.0, 2.0 or 3.0 is expected", major, minor));
    }
    std::size_t length = 0;
    const std::vector<std::byte> little_endian = need(major == 1 ? 2 : 4);
    for (std::size_t i = 0; i < little_endian.size(); ++i) {
        length |= std::to_integer<std::size_t>(little_endian[i]) << (8 * i);
    }
    if (length > total_bytes - at_byte) {
        fail(origin, kFixed,
             fmt::format("header of {} bytes in a file of {}; it is cut short", length,
                         total_bytes));
    }
    if (length > kMaxNpyHeaderBytes) {
        fail(origin, kFixed,
             fmt::format("header of {} bytes; at most {} are read, as by NumPy", length,
                         kMaxNpyHeaderBytes));
    }
    return length;
}

}  // namespace

NpyHeader parse_npy_header(std::string_view text, const std::string& origin,
                           std::size_t first_byte) {
    LiteralReader reader(text, origin, first_byte);
    std::optional<Dtype> dtype;
    std::optional<bool> fortran_order;
    std::optional<std::vector<std::int64_t>> shape;
    reader.expect("{");
    while (!reader.accept("}")) {
        const std::size_t byte = reader.byte();
        const std::string_view key = reader.string();
        reader.expect(":");
        if (key == "descr" && !dtype) {
            dtype = read_descr(reader, origin);
        } else if (key == "fortran_order" && !fortran_order) {
            fortran_order = read_fortran_order(reader);
        } else if (key == "shape" && !shape) {
            shape = read_shape(reader, origin);
        } else {
            fail(origin, byte,
                 fmt::format("header: key {} is unknown or appears twice; descr, fortran_order and "
                             "shape are expected",
                             in_quotes(key)));
        }
        if (!reader.accept(",")) {
            reader.expect("}");
            break;
        }
    }
    reader.end();
    if (!dtype || !fortran_order || !shape) {
        fail(origin, first_byte,
             fmt::format("header: '{}' is missing", !dtype   ? "descr"
                                                    : !shape ? "shape"
                                                             : "fortran_order"));
    }
    return {*dtype, *shape, *fortran_order};
}

std::string npy_header_text(const TensorBytes& tensor) {
    const auto* const found = std::ranges::find_if(
        kNpyDtypes, [&](const NpyDtype& candidate) { return candidate.dtype == tensor.dtype; });
    if (found == kNpyDtypes.end()) {
        throw InputError(
            fmt::format("tensor {}: .npy does not have the dtype {}; store it as F32 or write "
                        "safetensors",
                        in_quotes(tensor.name), to_string(tensor.dtype)));
    }
    // A tuple of one number needs its comma in Python.
    std::string text =
        fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}{}), }}", found->descr,
                    fmt::join(tensor.shape, ", "), tensor.shape.size() == 1 ? "," : "");
    constexpr std::size_t kAlignment = 64;
    constexpr std::size_t kPreamble = 10;
    const std::size_t used = kPreamble + text.size() + 1;
    text.append((kAlignment - used % kAlignment) % kAlignment, ' ');
    text += '\n';
    const std::size_t length = text.size();  // at most 64 sizes of 19 digits: 16 bits are enough
    return fmt::format("{}\x01{}{}{}{}", kNpyMagic, '\0', static_cast<char>(length & 0xFFU),
                       static_cast<char>(length >> 8U), text);
}

namespace {

/// The header, held to the size of the data behind it.
NpyHeader read_npy_header(const std::string& origin, std::uint64_t total_bytes,
                          const TakeBytes& take) {
    std::size_t at_byte = 0;
    const std::size_t length = read_preamble(origin, total_bytes, take, at_byte);
    const std::vector<std::byte> text = take(length);
    NpyHeader header = parse_npy_header({reinterpret_cast<const char*>(text.data()), text.size()},
                                        origin, at_byte);
    at_byte += length;
    const std::optional<std::int64_t> bytes = byte_count(header.dtype, header.shape);
    const std::uint64_t there = total_bytes - at_byte;
    if (!bytes || std::cmp_not_equal(*bytes, there)) {
        fail(origin, at_byte,
             fmt::format("data: {} {} takes {} bytes; the file has {}", to_string(header.dtype),
                         shape_text(header.shape),
                         bytes ? fmt::to_string(*bytes) : "more than 2^63", there));
    }
    return header;
}

/// The numbers of an array in Fortran order, in C order.
std::vector<std::byte> in_c_order(const NpyHeader& header, const std::vector<std::byte>& stored) {
    const std::size_t rank = header.shape.size();
    std::vector<std::size_t> sides(header.shape.begin(), header.shape.end());
    std::vector<std::size_t> steps(rank, dtype_size(header.dtype));
    for (std::size_t axis = 1; axis < rank; ++axis) {
        steps[axis] = steps[axis - 1] * sides[axis - 1];
    }
    const std::size_t each = dtype_size(header.dtype);
    std::vector<std::byte> ordered(stored.size());
    std::vector<std::size_t> at(rank, 0);
    std::size_t from = 0;
    for (std::size_t to = 0; to < stored.size(); to += each) {
        std::copy_n(stored.begin() + static_cast<std::ptrdiff_t>(from), each,
                    ordered.begin() + static_cast<std::ptrdiff_t>(to));
        for (std::size_t axis = rank; axis-- > 0;) {
            from += steps[axis];
            if (++at[axis] < sides[axis]) {
                break;
            }
            from -= steps[axis] * sides[axis];
            at[axis] = 0;
        }
    }
    return ordered;
}

}  // namespace

namespace {

TensorInfo info_of(std::string name, const NpyHeader& header) {
    const std::int64_t bytes = byte_count(header.dtype, header.shape).value();  // it was checked
    return {std::move(name), header.dtype, header.shape, bytes};
}

}  // namespace

TensorInfo list_npy_stream(std::string name, const std::string& origin, std::uint64_t total_bytes,
                           const TakeBytes& take) {
    return info_of(std::move(name), read_npy_header(origin, total_bytes, take));
}

Tensor read_npy_stream(std::string name, const std::string& origin, std::uint64_t total_bytes,
                       const TakeBytes& take, const AcceptTensor& accept) {
    NpyHeader header = read_npy_header(origin, total_bytes, take);
    if (accept) {
        accept(info_of(name, header));
    }
    const std::int64_t count = byte_count(header.dtype, header.shape).value();
    std::vector<std::byte> bytes;
    if (std::cmp_greater(count, bytes.max_size())) {  // where an address has 32 bits
        throw std::bad_alloc();
    }
    bytes = take(static_cast<std::size_t>(count));
    if (header.fortran_order && header.shape.size() > 1) {
        bytes = in_c_order(header, bytes);
    }
    return {std::move(name), header.dtype, std::move(header.shape), std::move(bytes)};
}

}  // namespace ropescope
