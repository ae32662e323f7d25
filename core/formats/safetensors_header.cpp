// Reads the header of a safetensors file and holds it to the format.
#include "core/formats/safetensors_header.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <set>
#include <utility>

#include "core/base/characters.h"
#include "core/formats/json_reader.h"
#include "core/formats/limits.h"

namespace ropescope {
namespace {

/// The fields of one tensor, as far as they are read.
struct Fields {
    std::optional<Dtype> dtype;
    std::optional<std::vector<std::int64_t>> shape;
    std::optional<std::vector<std::int64_t>> offsets;
};

template <typename T, typename Value>
void set_once(std::optional<T>& field, Value value, const JsonReader& reader, std::size_t byte,
              const std::string& what) {
    if (field.has_value()) {
        reader.fail(byte, what + ": appears twice");
    }
    field = std::move(value);
}

Dtype read_dtype(JsonReader& reader, const std::string& what) {
    const std::size_t byte = reader.byte();
    const std::string name = reader.string(what);
    std::string known;
    for (std::size_t i = 0; i < kSafetensorsDtypes; ++i) {
        const auto dtype = static_cast<Dtype>(i);
        if (to_string(dtype) == name) {
            return dtype;
        }
        known += fmt::format("{}{}", i == 0 ? "" : " ", to_string(dtype));
    }
    reader.fail(byte, fmt::format("{}: {} is not supported; one of {} is expected", what,
                                  in_quotes(name), known));
}

std::vector<std::int64_t> read_integers(JsonReader& reader, const std::string& what,
                                        std::size_t most) {
    std::vector<std::int64_t> values;
    reader.array(what, [&] {
        if (values.size() == most) {
            reader.fail(reader.byte(), fmt::format("{}: more than {} numbers", what, most));
        }
        values.push_back(reader.integer(what));
    });
    return values;
}

/// Refuses fields that are missing or contradict each other or the length of the data.
SafetensorsEntry checked_entry(const JsonReader& reader, std::size_t byte, const std::string& name,
                               Fields fields, std::uint64_t data_bytes) {
    const std::string tensor = "tensor " + in_quotes(name);
    const auto require = [&](bool there, const char* key) {
        if (!there) {
            reader.fail(byte, fmt::format("{}: '{}' is missing", tensor, key));
        }
    };
    require(fields.dtype.has_value(), "dtype");
    require(fields.shape.has_value(), "shape");
    require(fields.offsets.has_value(), "data_offsets");
    const std::vector<std::int64_t>& offsets = *fields.offsets;
    if (offsets.size() != 2 || offsets[0] > offsets[1]) {
        reader.fail(byte, fmt::format("{}: data_offsets {}: [begin, end] with begin <= end is "
                                      "expected",
                                      tensor, shape_text(offsets)));
    }
    if (std::cmp_greater(offsets[1], data_bytes)) {
        reader.fail(byte, fmt::format("{}: data_offsets {} end outside the {} bytes of data that "
                                      "the file has; it may be cut short",
                                      tensor, shape_text(offsets), data_bytes));
    }
    const std::optional<std::int64_t> bytes = byte_count(*fields.dtype, *fields.shape);
    if (!bytes) {
        reader.fail(byte, fmt::format("{}: shape {} has a size beyond 2^63 bytes", tensor,
                                      shape_text(*fields.shape)));
    }
    if (*bytes != offsets[1] - offsets[0]) {
        reader.fail(byte, fmt::format("{}: {} {} takes {} bytes; data_offsets {} give it {}",
                                      tensor, to_string(*fields.dtype), shape_text(*fields.shape),
                                      *bytes, shape_text(offsets), offsets[1] - offsets[0]));
    }
    return {name, *fields.dtype, std::move(*fields.shape), offsets[0], offsets[1]};
}

SafetensorsEntry read_entry(JsonReader& reader, std::size_t byte, const std::string& name,
                            std::uint64_t data_bytes) {
    const std::string tensor = "tensor " + in_quotes(name);
    Fields fields;
    reader.object(tensor, [&](const std::string& key, std::size_t key_byte) {
        const std::string what = tensor + ": " + printable(key, 80);
        if (key == "dtype") {
            set_once(fields.dtype, read_dtype(reader, what), reader, key_byte, what);
        } else if (key == "shape") {
            set_once(fields.shape, read_integers(reader, what, kMaxTensorAxes), reader, key_byte,
                     what);
        } else if (key == "data_offsets") {
            set_once(fields.offsets, read_integers(reader, what, 2), reader, key_byte, what);
        } else {
            reader.fail(key_byte, fmt::format("{}: unknown key {}; dtype, shape and data_offsets "
                                              "are expected",
                                              tensor, in_quotes(key)));
        }
    });
    return checked_entry(reader, byte, name, std::move(fields), data_bytes);
}

std::map<std::string, std::string> read_metadata(JsonReader& reader) {
    std::map<std::string, std::string> metadata;
    reader.object("__metadata__", [&](const std::string& key, std::size_t byte) {
        const std::string what = "__metadata__: key " + in_quotes(key);
        if (!metadata.emplace(key, reader.string(what)).second) {
            reader.fail(byte, what + " appears twice");
        }
    });
    return metadata;
}

/// Sorts the entries by their data, which they must cover without a gap or an overlap.
void order_by_data(std::vector<SafetensorsEntry>& entries, const JsonReader& reader,
                   std::uint64_t data_byte, std::uint64_t data_bytes) {
    std::ranges::stable_sort(entries, [](const auto& a, const auto& b) {
        return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
    });
    std::int64_t covered = 0;
    const SafetensorsEntry* previous = nullptr;
    for (const SafetensorsEntry& entry : entries) {
        const std::size_t byte = data_byte + entry.begin;
        if (entry.begin < covered) {
            reader.fail(byte, fmt::format("tensor {}: its data overlap those of tensor {}",
                                          in_quotes(entry.name), in_quotes(previous->name)));
        }
        if (entry.begin > covered) {
            reader.fail(data_byte + covered,
                        fmt::format("{} bytes in front of tensor {} do not belong to a tensor",
                                    entry.begin - covered, in_quotes(entry.name)));
        }
        covered = entry.end;
        previous = &entry;
    }
    if (std::cmp_not_equal(covered, data_bytes)) {
        reader.fail(data_byte + covered, fmt::format("the last {} bytes do not belong to a tensor",
                                                     data_bytes - covered));
    }
}

}  // namespace

SafetensorsHeader parse_safetensors_header(std::string_view text, const std::string& file,
                                           std::uint64_t data_bytes) {
    JsonReader reader(text, file, kHeaderLengthBytes);
    if (!text.starts_with('{')) {
        reader.fail(kHeaderLengthBytes, "header: '{' is expected; is this a safetensors file?");
    }
    SafetensorsHeader header;
    std::set<std::string> names;
    reader.object("header", [&](const std::string& key, std::size_t byte) {
        if (!names.insert(key).second) {
            reader.fail(byte, fmt::format("key {} appears twice", in_quotes(key)));
        }
        if (key == "__metadata__") {
            header.metadata = read_metadata(reader);
        } else {
            header.entries.push_back(read_entry(reader, byte, key, data_bytes));
        }
    });
    reader.end("header");
    order_by_data(header.entries, reader, kHeaderLengthBytes + text.size(), data_bytes);
    return header;
}

}  // namespace ropescope
