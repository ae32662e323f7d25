// Values as bytes and back, for another instance of the same build of the program: a page has one
// in a worker, which shares no memory with it. Not a file format: another build may lay bytes out
// otherwise.
#pragma once

#include <array>
#include <cstddef>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/base/error.h"

namespace ropescope {

/// How many members a struct has that is packed member by member. A wrong number does not compile,
/// so that a new member cannot be forgotten.
template <typename T>
inline constexpr std::size_t kMembers = 0;

namespace packing {

template <typename T>
auto members(T& value) {
    constexpr std::size_t kCount = kMembers<std::remove_const_t<T>>;
    static_assert(kCount >= 1 && kCount <= 9, "give kMembers of this type, at most 9");
    if constexpr (kCount == 1) {
        auto& [a] = value;
        return std::tie(a);
    } else if constexpr (kCount == 2) {
        auto& [a, b] = value;
        return std::tie(a, b);
    } else if constexpr (kCount == 3) {
        auto& [a, b, c] = value;
        return std::tie(a, b, c);
    } else if constexpr (kCount == 4) {
        auto& [a, b, c, d] = value;
        return std::tie(a, b, c, d);
    } else if constexpr (kCount == 5) {
        auto& [a, b, c, d, e] = value;
        return std::tie(a, b, c, d, e);
    } else if constexpr (kCount == 6) {
        auto& [a, b, c, d, e, f] = value;
        return std::tie(a, b, c, d, e, f);
    } else if constexpr (kCount == 7) {
        auto& [a, b, c, d, e, f, g] = value;
        return std::tie(a, b, c, d, e, f, g);
    } else if constexpr (kCount == 8) {
        auto& [a, b, c, d, e, f, g, h] = value;
        return std::tie(a, b, c, d, e, f, g, h);
    } else {
        auto& [a, b, c, d, e, f, g, h, i] = value;
        return std::tie(a, b, c, d, e, f, g, h, i);
    }
}

template <typename T>
inline constexpr bool kIsNumber = std::is_arithmetic_v<T> || std::is_enum_v<T>;

}  // namespace packing

/// Appends values to bytes: numbers, enums, strings, vectors, arrays, optionals, shared pointers to
/// constants, structs with kMembers, and types for which a function pack_value() is found.
class Packer {
  public:
    template <typename T>
    Packer& add(const T& value) {
        if constexpr (packing::kIsNumber<T>) {
            raw(&value, sizeof(T));
        } else if constexpr (requires { pack_value(*this, value); }) {
            pack_value(*this, value);
        } else {
            add_whole(value);
        }
        return *this;
    }
    /// Adds them as a vector of them is added.
    template <typename T>
    requires packing::kIsNumber<T> Packer& add_numbers(std::span<const T> values) {
        add(values.size());
        raw(values.data(), values.size_bytes());
        return *this;
    }
    /// The bytes so far; the packer begins again.
    std::string bytes() { return std::exchange(bytes_, {}); }

  private:
    void raw(const void* from, std::size_t size) {
        bytes_.append(static_cast<const char*>(from), size);
    }
    void add_whole(const std::string& text) {
        add(text.size());
        bytes_ += text;
    }
    template <typename T>
    void add_whole(const std::vector<T>& values) {
        if constexpr (packing::kIsNumber<T>) {
            add_numbers(std::span(values));
        } else {
            add(values.size());
            for (const T& value : values) {
                add(value);
            }
        }
    }
    template <typename T, std::size_t kCount>
    void add_whole(const std::array<T, kCount>& values) {
        for (const T& value : values) {
            add(value);
        }
    }
    template <typename T>
    void add_whole(const std::optional<T>& value) {
        add(value.has_value());
        if (value) {
            add(*value);
        }
    }
    template <typename T>
    void add_whole(const std::shared_ptr<const T>& value) {
        add(value != nullptr);
        if (value) {
            add(*value);
        }
    }
    template <typename T>
    requires(kMembers<T> > 0) void add_whole(const T& value) {
        std::apply([&](const auto&... each) { (add(each), ...); }, packing::members(value));
    }

    std::string bytes_;
};

/// Reads what a Packer wrote, in the same order; unpack_value() is the counterpart of pack_value().
/// Throws InputError if the bytes end before, and allocates no more than what follows can fill.
class Unpacker {
  public:
    explicit Unpacker(std::string_view bytes) : rest_(bytes) {}

    template <typename T>
    Unpacker& take(T& value) {
        if constexpr (std::is_same_v<T, bool>) {
            const auto byte = get<unsigned char>();  // another one would be no bool
            if (byte > 1) {
                throw InputError(
                    "packed values: a bool is neither 0 nor 1; start the program again");
            }
            value = byte == 1;
        } else if constexpr (packing::kIsNumber<T>) {
            raw(&value, sizeof(T));
        } else if constexpr (requires { unpack_value(*this, value); }) {
            unpack_value(*this, value);
        } else {
            take_whole(value);
        }
        return *this;
    }
    template <typename T>
    T get() {
        T value{};
        take(value);
        return value;
    }
    /// Throws InputError if bytes are left.
    void end() const {
        if (!rest_.empty()) {
            throw InputError("packed values: bytes are left over; start the program again");
        }
    }

  private:
    void require(std::size_t size) const {
        if (size > rest_.size()) {
            throw InputError("packed values: the bytes end too early; start the program again");
        }
    }
    void raw(void* to, std::size_t size) {
        require(size);
        if (size > 0) {
            std::memcpy(to, rest_.data(), size);
            rest_.remove_prefix(size);
        }
    }
    void take_whole(std::string& text) {
        const auto size = get<std::size_t>();
        require(size);
        text = rest_.substr(0, size);
        rest_.remove_prefix(size);
    }
    template <typename T>
    void take_whole(std::vector<T>& values) {
        const auto count = get<std::size_t>();
        values.clear();
        if constexpr (packing::kIsNumber<T>) {
            require(count > rest_.size() / sizeof(T) ? rest_.size() + 1 : count * sizeof(T));
            values.resize(count);
            raw(values.data(), count * sizeof(T));
        } else {
            for (std::size_t i = 0; i < count; ++i) {
                take(values.emplace_back());
            }
        }
    }
    template <typename T, std::size_t kCount>
    void take_whole(std::array<T, kCount>& values) {
        for (T& value : values) {
            take(value);
        }
    }
    template <typename T>
    void take_whole(std::optional<T>& value) {
        value.reset();
        if (get<bool>()) {
            take(value.emplace());
        }
    }
    template <typename T>
    void take_whole(std::shared_ptr<const T>& value) {
        value.reset();
        if (get<bool>()) {
            auto made = std::make_shared<T>();
            take(*made);
            value = std::move(made);
        }
    }
    template <typename T>
    requires(kMembers<T> > 0) void take_whole(T& value) {
        std::apply([&](auto&... each) { (take(each), ...); }, packing::members(value));
    }

    std::string_view rest_;
};

}  // namespace ropescope
