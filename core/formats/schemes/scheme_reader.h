// What the readers of schemes share: numbers that a file may leave out.
#pragma once

#include <cmath>
#include <fmt/format.h>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/index.h"
#include "core/formats/config_object.h"
#include "core/formats/limits.h"
#include "core/rope/rope_spec.h"

namespace ropescope {

/// An object of a file, and the list to which what it leaves open is appended.
struct SchemeReader {
    ConfigObject config;
    std::vector<std::string>& assumptions;
    /// "vision_config.": stands before the keys in assumptions.
    std::string_view within = {};

    /// What the file states, else `usual`, which is then an assumption.
    template <typename Value>
    Value or_usual(const std::optional<Value>& stated, std::string_view key, Value usual) const {
        if (!stated) {
            assumptions.push_back(fmt::format("{}{} is missing: {}", within, key, usual));
        }
        return stated.value_or(usual);
    }

    Index integer(std::string_view key, Index usual) const {
        return or_usual<Index>(config.integer(key, 1, kMaxWidth), key, usual);
    }
    double positive(std::string_view key, double usual) const {
        return or_usual(config.positive(key, kMaxBase), key, usual);
    }
    /// rope_theta, in rope_parameters if it is there.
    double base(double usual) const {
        const auto inside = config.object("rope_parameters");
        const auto stated = inside ? inside->positive("rope_theta", kMaxBase) : std::nullopt;
        return stated ? *stated : positive("rope_theta", usual);
    }
    /// A list of `count` integers from `least` to `most`; `what` says what they are.
    std::optional<std::vector<Index>> integers(std::string_view key, Index least, Index most,
                                               std::size_t count, std::string_view what) const {
        const auto numbers = config.numbers(key, kMostNumbers);
        if (!numbers) {
            return std::nullopt;
        }
        const auto refuse = [&](const auto& found) {
            config.fail(key, fmt::format("{}; {} whole numbers from {} to {} are expected, {}",
                                         found, count, least, most, what));
        };
        if (numbers->size() != count) {
            refuse(fmt::format("{} numbers", numbers->size()));
        }
        std::vector<Index> integers;
        for (const double number : *numbers) {
            if (!(number >= to_double(least) && number <= to_double(most)) ||
                number != std::floor(number)) {
                refuse(number);
            }
            integers.push_back(round_to_index(number));
        }
        return integers;
    }
    /// The first of several names that the file has.
    Index required(std::initializer_list<std::string_view> names) const {
        const auto stated = config.integer(names, 1, kMaxWidth);
        if (!stated) {
            config.fail(*names.begin(), "is missing; an integer above 0 is expected");
        }
        return *stated;
    }
    /// width / heads by the first of their names that the file has.
    Index head_dim(std::initializer_list<std::string_view> widths,
                   std::initializer_list<std::string_view> heads) const {
        if (const auto stated = config.integer("head_dim", 1, kMaxHeadDim)) {
            return *stated;
        }
        const Index width = required(widths);
        const Index count = required(heads);
        if (width % count != 0 || width / count > kMaxHeadDim) {
            config.fail(*widths.begin(),
                        fmt::format("{} does not give {} heads a head_dim; {} times "
                                    "a number up to {} is expected",
                                    width, count, count, kMaxHeadDim));
        }
        return width / count;
    }

    static constexpr std::size_t kMostNumbers = 64;
};

}  // namespace ropescope
