// A model's config.json together with the family by which it is read.
#pragma once

#include <fmt/format.h>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/formats/config_object.h"
#include "core/formats/model_family.h"

namespace ropescope {

struct ModelReader {
    ConfigObject config;  ///< the language model's part of the file
    ModelFamily family;
    std::vector<std::string>& assumptions;  ///< in words, for people

    void assume(std::string text) const { assumptions.push_back(std::move(text)); }

    /// What the file states, else the family's usual value, which is then an assumption.
    template <typename Value>
    Value or_usual(const std::optional<Value>& stated, std::string_view key, Value usual) const {
        if (!stated) {
            assume(fmt::format("{} is missing: {}", key, usual));
        }
        return stated.value_or(usual);
    }

    /// Whether the family's switch for a long context is on.
    bool long_context() const {
        const std::string_view key = family.long_context.key;
        return !key.empty() && config.boolean(key).value_or(false);
    }

    /// Where the family keeps what concerns attention: an object of its own, or the file itself.
    ConfigObject attention() const {
        const auto own =
            family.attention_object.empty() ? std::nullopt : config.object(family.attention_object);
        return own.value_or(config);
    }
};

}  // namespace ropescope
