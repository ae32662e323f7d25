// GGUF files put together by hand, right or wrong. Format: ggml-org/ggml, docs/gguf.md.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace ropescope::test {

/// Numbers and texts in one byte order.
class GgufWriter {
  public:
    explicit GgufWriter(bool big_endian) : big_endian_(big_endian) {}

    template <typename Number>
    void number(Number value) {
        auto raw = std::bit_cast<std::array<char, sizeof(Number)>>(value);
        if (big_endian_ == (std::endian::native == std::endian::little)) {
            std::ranges::reverse(raw);
        }
        bytes.append(raw.data(), raw.size());
    }
    void text(std::string_view value) {
        number(static_cast<std::uint64_t>(value.size()));
        bytes += value;
    }

    std::string bytes;

  private:
    bool big_endian_;
};

/// The number that the format has for a type of values.
template <typename Value>
constexpr std::uint32_t gguf_type() {
    if constexpr (std::is_same_v<Value, std::uint8_t>)
        return 0;
    if constexpr (std::is_same_v<Value, std::int8_t>)
        return 1;
    if constexpr (std::is_same_v<Value, std::uint16_t>)
        return 2;
    if constexpr (std::is_same_v<Value, std::int16_t>)
        return 3;
    if constexpr (std::is_same_v<Value, std::uint32_t>)
        return 4;
    if constexpr (std::is_same_v<Value, std::int32_t>)
        return 5;
    if constexpr (std::is_same_v<Value, float>)
        return 6;
    if constexpr (std::is_same_v<Value, bool>)
        return 7;
    if constexpr (std::is_same_v<Value, std::string>)
        return 8;
    if constexpr (std::is_same_v<Value, std::uint64_t>)
        return 10;
    if constexpr (std::is_same_v<Value, std::int64_t>)
        return 11;
    if constexpr (std::is_same_v<Value, double>)
        return 12;
}

/// A file, written when it is complete.
struct Gguf {
    using Part = std::function<void(GgufWriter&)>;

    std::uint32_t version = 3;
    std::uint32_t alignment = 32;
    std::vector<Part> keys;
    std::vector<Part> tensors;
    std::vector<Part> data;  ///< aligned, in the order of the tensors
    std::vector<std::uint64_t> sizes;

    Gguf& raw(const std::string& key, std::uint32_t type, Part value) {
        keys.push_back([=](GgufWriter& writer) {
            writer.text(key);
            writer.number(type);
            value(writer);
        });
        return *this;
    }
    template <typename Value>
    Gguf& add(const std::string& key, Value value) {
        return raw(key, gguf_type<Value>(), [=](GgufWriter& writer) { put(writer, value); });
    }
    Gguf& add(const std::string& key, const char* value) { return add(key, std::string(value)); }
    template <typename Value>
    Gguf& list(const std::string& key, std::vector<Value> values) {
        return raw(key, 9, [=](GgufWriter& writer) {
            writer.number(gguf_type<Value>());
            writer.number(static_cast<std::uint64_t>(values.size()));
            for (const Value& value : values) {
                put(writer, value);
            }
        });
    }
    /// A tensor of F32 (type 0) values.
    Gguf& tensor(const std::string& name, std::vector<float> values, std::uint32_t type = 0) {
        std::uint64_t offset = 0;
        for (const std::uint64_t size : sizes) {
            offset += (size + alignment - 1) / alignment * alignment;
        }
        sizes.push_back(values.size() * sizeof(float));
        tensors.push_back([=, count = values.size()](GgufWriter& writer) {
            writer.text(name);
            writer.number(std::uint32_t{1});
            writer.number(static_cast<std::uint64_t>(count));
            writer.number(type);
            writer.number(offset);
        });
        data.push_back([=](GgufWriter& writer) {
            for (const float value : values) {
                writer.number(value);
            }
        });
        return *this;
    }

    std::string bytes(bool big_endian = false) const {
        GgufWriter writer(big_endian);
        writer.bytes = "GGUF";
        writer.number(version);
        writer.number(static_cast<std::uint64_t>(tensors.size()));
        writer.number(static_cast<std::uint64_t>(keys.size()));
        for (const auto* parts : {&keys, &tensors}) {
            for (const Part& part : *parts) {
                part(writer);
            }
        }
        for (const Part& part : data) {
            writer.bytes.resize((writer.bytes.size() + alignment - 1) / alignment * alignment);
            part(writer);
        }
        return writer.bytes;
    }

  private:
    template <typename Value>
    static void put(GgufWriter& writer, const Value& value) {
        if constexpr (std::is_same_v<Value, std::string>) {
            writer.text(value);
        } else if constexpr (std::is_same_v<Value, bool>) {
            writer.number(static_cast<std::uint8_t>(value));
        } else {
            writer.number(value);
        }
    }
};

/// Writes bytes, and does not wait for the disk as write_file_whole() does: tests write thousands.
inline void write_gguf(const std::filesystem::path& path, const std::string& bytes) {
    std::filesystem::remove(path);  // ext4 waits for the disk when a file is written over, too
    std::ofstream(path, std::ios::binary) << bytes;
}

/// The keys that a language model has: heads, layers, its rotary width and base.
inline Gguf gguf_model(const std::string& architecture, std::uint32_t heads = 8,
                       std::uint32_t head_dim = 64, std::uint32_t layers = 4,
                       float base = 10000.0F) {
    Gguf file;
    file.add("general.architecture", architecture)
        .add(architecture + ".context_length", std::uint32_t{8192})
        .add(architecture + ".embedding_length", heads * head_dim)
        .add(architecture + ".block_count", layers)
        .add(architecture + ".attention.head_count", heads)
        .add(architecture + ".rope.dimension_count", head_dim)
        .add(architecture + ".rope.freq_base", base);
    return file;
}

}  // namespace ropescope::test
