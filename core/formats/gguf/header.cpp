// Reads the header of a GGUF file and holds every count and length to the bytes that are there.
#include "core/formats/gguf/header.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <optional>
#include <set>

#include "core/base/characters.h"
#include "core/base/error.h"
#include "core/base/number_format.h"
#include "core/formats/limits.h"

namespace ropescope::gguf {
namespace {

using Json = nlohmann::json;

/// The types of values, by the number that a file has for them.
enum class ValueType : std::uint32_t {
    u8,
    i8,
    u16,
    i16,
    u32,
    i32,
    f32,
    boolean,
    text,
    list,
    u64,
    i64,
    f64
};
constexpr std::uint32_t kValueTypes = 13;
/// Bytes of a value; 0 for texts and lists, which have a length of their own.
constexpr std::array<std::size_t, kValueTypes> kValueBytes = {1, 1, 2, 2, 4, 4, 4,
                                                              1, 0, 0, 8, 8, 8};

constexpr std::uint32_t kUsualAlignment = 32;

// The fewest bytes that a key with its value and a tensor's entry take: counts beyond what the rest
// of the file can hold are refused before anything is read by them.
constexpr std::uint64_t kLeastKeyBytes = 8 + 1 + 4 + 1;
constexpr std::uint64_t kLeastTensorBytes = 8 + 1 + 4 + 4 + 8;

/// Reads from the first byte to the last, in the byte order of the file.
class HeaderReader {
  public:
    HeaderReader(std::span<const std::byte> bytes, std::string file)
        : bytes_(bytes), file_(std::move(file)) {}

    std::size_t byte() const { return at_; }
    std::uint64_t left() const { return bytes_.size() - at_; }
    void swap_bytes() { swapped_ = true; }

    [[noreturn]] void fail(std::size_t byte, const std::string& what) const {
        throw InputError(fmt::format("{}: byte {}: {}", printable(file_), byte, what));
    }

    std::span<const std::byte> take(std::uint64_t count, const std::string& what) {
        if (count > left()) {
            fail(at_, fmt::format("{}: {} bytes are expected, the file has {} more; it may be cut "
                                  "short",
                                  what, count, left()));
        }
        const auto taken = bytes_.subspan(at_, static_cast<std::size_t>(count));
        at_ += taken.size();
        return taken;
    }

    template <typename Number>
    Number number(const std::string& what) {
        std::array<std::byte, sizeof(Number)> raw;
        std::ranges::copy(take(sizeof(Number), what), raw.begin());
        if (swapped_) {
            std::ranges::reverse(raw);
        }
        return std::bit_cast<Number>(raw);
    }

    std::string_view text(const std::string& what) {
        const auto length = number<std::uint64_t>(what + ": its length");
        const auto raw = take(length, what);
        return {reinterpret_cast<const char*>(raw.data()), raw.size()};
    }

    /// A name of at least one and at most kMostKeyBytes bytes.
    std::string_view name(const std::string& what) {
        const std::size_t start = at_;
        const std::string_view name = text(what);
        if (name.empty() || name.size() > kMostKeyBytes) {
            fail(start, fmt::format("{}: a name of {} bytes; 1 to {} are expected", what,
                                    name.size(), kMostKeyBytes));
        }
        return name;
    }

    /// A count of things that take at least `least` bytes each.
    std::uint64_t count(std::uint64_t least, const std::string& what) {
        const std::size_t start = at_;
        const auto stated = number<std::uint64_t>(what);
        if (stated > left() / least) {
            fail(start, fmt::format("{}: {} are stated, and the {} bytes that follow cannot hold "
                                    "them; is this a whole GGUF file?",
                                    what, stated, left()));
        }
        return stated;
    }

    ValueType value_type(const std::string& what) {
        const std::size_t start = at_;
        const auto type = number<std::uint32_t>(what + ": its type");
        if (type >= kValueTypes) {
            fail(start, fmt::format("{}: type {} is not one of GGUF's 0 to {}", what, type,
                                    kValueTypes - 1));
        }
        return static_cast<ValueType>(type);
    }

  private:
    std::span<const std::byte> bytes_;
    std::string file_;
    std::size_t at_ = 0;
    bool swapped_ = std::endian::native == std::endian::big;
};

/// JSON has no NaN and no infinity: each becomes a text, which a reader of numbers refuses by its
/// key.
Json real(double value) {
    return std::isnan(value)   ? Json("NaN")
           : std::isinf(value) ? Json(value > 0 ? "Infinity" : "-Infinity")
                               : Json(value);
}

bool truth(HeaderReader& reader, const std::string& what) {
    const std::size_t start = reader.byte();
    const auto value = reader.number<std::uint8_t>(what);
    if (value > 1) {
        reader.fail(start, fmt::format("{}: a truth value of {}; 0 or 1 is expected", what, value));
    }
    return value == 1;
}

/// A number or truth value.
Json scalar(HeaderReader& reader, ValueType type, const std::string& what) {
    switch (type) {
        case ValueType::u8:
            return reader.number<std::uint8_t>(what);
        case ValueType::i8:
            return reader.number<std::int8_t>(what);
        case ValueType::u16:
            return reader.number<std::uint16_t>(what);
        case ValueType::i16:
            return reader.number<std::int16_t>(what);
        case ValueType::u32:
            return reader.number<std::uint32_t>(what);
        case ValueType::i32:
            return reader.number<std::int32_t>(what);
        case ValueType::f32:
            return real(reader.number<float>(what));
        case ValueType::u64:
            return reader.number<std::uint64_t>(what);
        case ValueType::i64:
            return reader.number<std::int64_t>(what);
        case ValueType::f64:
            return real(reader.number<double>(what));
        default:
            return truth(reader, what);
    }
}

Json list(HeaderReader& reader, const std::string& what, bool keep, int depth);

/// The value, or null if it is not kept.
Json value_of(HeaderReader& reader, ValueType type, const std::string& what, bool keep, int depth) {
    if (type == ValueType::list) {
        return list(reader, what, keep, depth);
    }
    if (type == ValueType::text) {
        const std::string_view text = reader.text(what);
        return keep && text.size() <= kMostTextBytes ? Json(std::string(text)) : Json();
    }
    Json value = scalar(reader, type, what);
    return keep ? value : Json();
}

/// A list; of texts, lists and more than kMostListed values nothing is kept.
Json list(HeaderReader& reader, const std::string& what, bool keep, int depth) {
    const std::size_t start = reader.byte();
    if (depth == kDeepestList) {
        reader.fail(start,
                    fmt::format("{}: lists within lists, more than {} deep", what, kDeepestList));
    }
    const ValueType type = reader.value_type(what);
    const std::size_t size = kValueBytes[static_cast<std::size_t>(type)];
    // A text takes the 8 bytes of its length, a list 12 bytes for its type and length.
    const std::uint64_t least = size != 0 ? size : type == ValueType::text ? 8 : 12;
    const std::uint64_t count = reader.count(least, what + ": entries");
    if (size != 0 && (!keep || count > kMostListed)) {
        reader.take(count * size, what);
        return {};
    }
    Json values = Json::array();
    for (std::uint64_t i = 0; i < count; ++i) {
        Json value = value_of(reader, type, what, keep && size != 0, depth + 1);
        if (size != 0) {
            values.push_back(std::move(value));
        }
    }
    return size != 0 ? values : Json();
}

/// Tokenizers take most of a header and say nothing about positions.
bool is_kept(std::string_view key) {
    return !key.starts_with("tokenizer.");
}

void read_metadata(HeaderReader& reader, std::uint64_t keys, Json& metadata) {
    std::set<std::string_view> seen;
    for (std::uint64_t i = 0; i < keys; ++i) {
        const std::size_t start = reader.byte();
        const std::string_view key = reader.name(fmt::format("key {}", i));
        const std::string what = "key " + in_quotes(key);
        if (!seen.insert(key).second) {
            reader.fail(start, what + " appears twice");
        }
        const ValueType type = reader.value_type(what);
        Json value = value_of(reader, type, what, is_kept(key), 0);
        if (!value.is_null()) {
            metadata[std::string(key)] = std::move(value);
        }
    }
}

std::uint64_t alignment_of(const HeaderReader& reader, const Json& metadata) {
    const auto stated = metadata.find("general.alignment");
    if (stated == metadata.end()) {
        return kUsualAlignment;
    }
    const bool fits = stated->is_number_unsigned() &&
                      std::has_single_bit(stated->get<std::uint64_t>()) &&
                      stated->get<std::uint64_t>() <= (std::uint64_t{1} << 31);
    if (!fits) {
        reader.fail(
            reader.byte(),
            fmt::format("general.alignment: {}; a power of two is expected",
                        in_quotes(stated->dump(-1, ' ', false, Json::error_handler_t::replace))));
    }
    return stated->get<std::uint64_t>();
}

std::vector<TensorEntry> read_tensors(HeaderReader& reader, std::uint64_t count) {
    std::vector<TensorEntry> tensors;
    std::set<std::string_view> seen;
    for (std::uint64_t i = 0; i < count; ++i) {
        TensorEntry entry;
        entry.byte = reader.byte();
        const std::string_view name = reader.name(fmt::format("tensor {}", i));
        const std::string what = "tensor " + in_quotes(name);
        if (!seen.insert(name).second) {
            reader.fail(entry.byte, what + " appears twice");
        }
        entry.name = name;
        const std::size_t start = reader.byte();
        const auto axes = reader.number<std::uint32_t>(what + ": its number of axes");
        if (axes > kMostAxes) {
            reader.fail(start,
                        fmt::format("{}: {} axes; at most {} are expected", what, axes, kMostAxes));
        }
        for (std::uint32_t axis = 0; axis < axes; ++axis) {
            entry.shape.push_back(reader.number<std::uint64_t>(what + ": its shape"));
        }
        entry.type = reader.number<std::uint32_t>(what + ": its type");
        entry.offset = reader.number<std::uint64_t>(what + ": its offset");
        tensors.push_back(std::move(entry));
    }
    return tensors;
}

/// The version, by which the byte order is known: it is small in the right one.
void read_version(HeaderReader& reader, GgufHeader& header) {
    const std::size_t start = reader.byte();
    auto version = reader.number<std::uint32_t>("the version");
    if (version != 0 && (version & 0xFFFFU) == 0) {
        header.big_endian = true;
        reader.swap_bytes();
        version = ((version >> 24U) & 0xFFU) | ((version >> 8U) & 0xFF00U);
    }
    header.version = version;
    if (version == 1) {
        reader.fail(start,
                    "version 1 of GGUF, whose lengths have 32 bits; versions 2 and 3 are read, so "
                    "convert the model again with a llama.cpp since August 2023");
    }
    if (version != 2 && version != 3) {
        reader.fail(start, fmt::format("version {} of GGUF; versions 2 and 3 are read", version));
    }
}

/// The types of tensors whose values are read, by ggml's numbers.
struct RealType {
    std::uint32_t type;
    std::size_t bytes;
};
constexpr std::uint32_t kF32 = 0, kF16 = 1, kF64 = 28, kBf16 = 30;
constexpr std::array<RealType, 4> kRealTypes = {{{kF32, 4}, {kF16, 2}, {kF64, 8}, {kBf16, 2}}};

double real_value(HeaderReader& reader, std::uint32_t type, const std::string& what) {
    switch (type) {
        case kF64:
            return reader.number<double>(what);
        case kF16:
            return f32_from_f16(reader.number<std::uint16_t>(what));
        case kBf16:
            return f32_from_bf16(reader.number<std::uint16_t>(what));
        default:
            return reader.number<float>(what);
    }
}

}  // namespace

GgufHeader read_header(std::span<const std::byte> bytes, const std::string& file) {
    HeaderReader reader(bytes, file);
    const auto magic = bytes.subspan(0, std::min(bytes.size(), kMagic.size()));
    if (std::string_view(reinterpret_cast<const char*>(magic.data()), magic.size()) != kMagic) {
        reader.fail(0, "a GGUF file begins with the letters GGUF");
    }
    reader.take(kMagic.size(), "GGUF");
    GgufHeader header;
    read_version(reader, header);
    const std::uint64_t tensors = reader.count(kLeastTensorBytes, "tensors");
    const std::uint64_t keys = reader.count(kLeastKeyBytes, "keys");
    read_metadata(reader, keys, header.metadata);
    const std::uint64_t alignment = alignment_of(reader, header.metadata);
    header.tensors = read_tensors(reader, tensors);
    header.data_begin = (reader.byte() + alignment - 1) / alignment * alignment;
    return header;
}

std::vector<double> read_values(std::span<const std::byte> bytes, const GgufHeader& header,
                                const TensorEntry& tensor, std::size_t most,
                                const std::string& file) {
    const std::string what = "tensor " + in_quotes(tensor.name);
    HeaderReader reader(bytes, file);
    const auto type = std::ranges::find(kRealTypes, tensor.type, &RealType::type);
    if (type == kRealTypes.end()) {
        reader.fail(tensor.byte, fmt::format("{}: ggml type {}; F32, F16, BF16 or F64 is expected "
                                             "of factors of frequencies",
                                             what, tensor.type));
    }
    std::uint64_t count = 1;
    for (const std::uint64_t size : tensor.shape) {
        if (size > most || count * size > most) {
            reader.fail(
                tensor.byte,
                fmt::format("{}: more than {} values; one for each pair is expected", what, most));
        }
        count *= size;
    }
    const std::uint64_t length = count * type->bytes;
    const bool inside = header.data_begin <= bytes.size() &&
                        tensor.offset <= bytes.size() - header.data_begin &&
                        length <= bytes.size() - header.data_begin - tensor.offset;
    if (!inside) {
        reader.fail(tensor.byte,
                    fmt::format("{}: its {} bytes at {} behind the header end outside the file; it "
                                "may be cut short",
                                what, length, tensor.offset));
    }
    reader.take(header.data_begin + tensor.offset, what);
    if (header.big_endian) {
        reader.swap_bytes();
    }
    std::vector<double> values;
    for (std::uint64_t i = 0; i < count; ++i) {
        values.push_back(real_value(reader, tensor.type, what));
    }
    return values;
}

}  // namespace ropescope::gguf
