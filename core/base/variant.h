// One of several types, as std::variant, whose copies may run out of memory.
#pragma once

#include <variant>

namespace ropescope {

/// If all alternatives are numbers, strings and vectors, and the copy of one throws, the copy
/// constructor of std::variant in libstdc++ 12 destroys a value that was never made
/// (`_Variant_storage::_M_valid` of its header <variant> takes such a variant for one that always
/// holds a value). Its assignment makes the copy first. The first alternative must be one whose
/// default cannot throw.
template <typename... Types>
struct Variant : std::variant<Types...> {
    using Base = std::variant<Types...>;
    using Base::Base;
    Variant() = default;
    Variant(const Variant& other) : Base() { Base::operator=(other); }
    Variant(Variant&&) noexcept = default;
    Variant& operator=(const Variant&) = default;
    Variant& operator=(Variant&&) noexcept = default;
    ~Variant() = default;
};

}  // namespace ropescope
