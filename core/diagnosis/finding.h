// What the analysis found, and what it left, as values. Sentences are made of them last, by
// words.h.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/base/enum_names.h"
#include "core/base/index.h"

namespace ropescope::diagnosis {

enum class Verdict : std::uint8_t { valid, equivalent, invalid, undetermined };

/// What a finding means for the verdict. note: how the implementation is; equivalent: unusual, but
/// scores are those of a model that was trained this way; fault: scores are wrong.
enum class Weight : std::uint8_t { fault, equivalent, note };

/// The sides of a dump, as a set.
enum class Side : std::uint8_t { none = 0, q = 1, k = 2, both = 3 };
constexpr Side operator|(Side a, Side b) {
    return static_cast<Side>(static_cast<std::uint8_t>(a) | static_cast<std::uint8_t>(b));
}
constexpr bool contains(Side all, Side some) {
    return (all | some) == all;
}

/// The first and the last of some neighbours.
struct Range {
    Index first = 0, last = 0;
    bool operator==(const Range&) const = default;
};

/// Where something was found; what is empty says nothing, or concerns all.
struct Place {
    Side sides = Side::none;
    std::string_view tensor = {};  ///< "scores", "q_rot": in place of sides
    /// Heads that do not turn like others.
    std::vector<Index> q_heads = {}, k_heads = {};
    std::vector<Index> rows = {}, batch_rows = {}, heads = {};  ///< of the sides or the tensor
    std::optional<Range> queries = {}, keys = {};
    std::optional<Index> token = {}, from_token = {}, pair = {};
    std::vector<Index> layers = {};
    bool operator==(const Place&) const = default;
};

/// Some of all heads, rows, pairs or layers, in order.
struct Numbers {
    std::string_view noun = {};  ///< "head"
    std::vector<Index> list = {};
    bool operator==(const Numbers&) const = default;
};

/// A number that is known within an error of its own.
struct Measured {
    double value = 0.0, error = 0.0;
    bool operator==(const Measured&) const = default;
};

/// What can be said, but for its values: phrases.h has them all.
struct Phrase {
    std::string_view words;
};

struct Value;

/// A phrase and what it says this time.
struct Words {
    const Phrase* phrase = nullptr;  ///< null: nothing is said
    std::vector<Value> values;

    // Defined below, where a Value is complete.
    Words();
    ~Words();
    Words(const Words&);
    Words(Words&&) noexcept;
    Words& operator=(const Words&);
    Words& operator=(Words&&) noexcept;
    Words(const Phrase& said);
    Words(const Phrase& said, std::vector<Value> of);
    bool empty() const { return phrase == nullptr; }
    bool operator==(const Words&) const;
};

/// A number, a word or a part of a sentence; nothing if there is none to give.
struct Value : std::variant<std::monostate, double, Index, std::string, Measured, Side, Numbers,
                            Place, std::vector<Words>> {
    using variant::variant;
    Value(Words words) : variant(std::vector<Words>{std::move(words)}) {}
    Value(const Phrase& phrase) : Value(Words(phrase)) {}
    bool operator==(const Value&) const;
};

inline Words::Words() = default;
inline Words::~Words() = default;
inline Words::Words(const Words&) = default;
inline Words::Words(Words&&) noexcept = default;
inline Words& Words::operator=(const Words&) = default;
inline Words& Words::operator=(Words&&) noexcept = default;
inline Words::Words(const Phrase& said) : phrase(&said) {}
inline Words::Words(const Phrase& said, std::vector<Value> of)
    : phrase(&said), values(std::move(of)) {}

/// A fault, a note, or a difference from what is expected.
struct Finding {
    /// "layout.half_split"; of a difference what differs: "base", or the code of a fault.
    std::string code = {};
    Words words = {};
    Place place = {};
    Value measured = {}, expected = {};
    Weight weight = Weight::fault;

    std::string text() const;   ///< one sentence
    std::string where() const;  ///< "q", "k", "q and k", with rows or tokens: "k, row 1"
};

/// A vector of the dump: the pair of a token in a head, or one of its channels that stay.
struct HeldPlace {
    Index row = 0, head = 0, token = 0;
    Index pair = -1;     ///< -1: a channel that stays
    Index channel = -1;  ///< the first of the pair, or the one that stays
};

/// What is left of one side.
struct Residual {
    Side side = Side::none;
    Index compared = 0, outside = 0;  ///< vectors, and those that rounding does not explain
    double worst = 0.0;               ///< of all, in allowances
    double worst_rad = 0.0;           ///< the largest error of a pair as a share of its length
    HeldPlace place = {};             ///< of the worst
    std::vector<Index> pairs = {}, tokens = {}, rows = {}, heads = {};  ///< with any outside
    Index cut = 0;  ///< numbers at the end of a grid of 8 bits, where larger ones are expected
    bool still_channels = false;     ///< channels that should stay are among those outside
    std::vector<Index> layers = {};  ///< that this was found in, if there are several

    bool none() const { return outside == 0; }
};

}  // namespace ropescope::diagnosis

namespace ropescope {
template <>
inline constexpr std::array<std::string_view, 4> kEnumNames<diagnosis::Verdict> = {
    "valid", "equivalent", "invalid", "undetermined"};
template <>
inline constexpr std::array<std::string_view, 3> kEnumNames<diagnosis::Weight> = {
    "fault", "equivalent", "note"};
template <>
inline constexpr std::array<std::string_view, 4> kEnumNames<diagnosis::Side> = {"", "q", "k",
                                                                                "q and k"};
}  // namespace ropescope
