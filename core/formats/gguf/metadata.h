// The metadata of a GGUF file's model with the row of its architecture: what the readers of sizes,
// scaling and layers share.
#pragma once

#include <fmt/format.h>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/formats/config_object.h"
#include "core/formats/gguf/architectures.h"

namespace ropescope::gguf {

struct Metadata {
    const ConfigObject& config;
    std::string name;      ///< of the architecture
    GgufArchitecture row;  ///< as in the table, or of an architecture that it does not have
    bool known = true;
    std::vector<std::string>& assumptions;  ///< in words, for people

    /// "rope.freq_base" as the file has it: "llama.rope.freq_base".
    std::string key(std::string_view rest) const { return fmt::format("{}.{}", name, rest); }
    void assume(std::string text) const { assumptions.push_back(std::move(text)); }

    std::optional<std::int64_t> integer(std::string_view rest, std::int64_t least,
                                        std::int64_t most) const {
        return config.integer(key(rest), least, most);
    }
    std::optional<double> positive(std::string_view rest, double most) const {
        return config.positive(key(rest), most);
    }
    std::optional<double> number(std::string_view rest) const { return config.number(key(rest)); }
    bool has(std::string_view rest) const { return config.has(key(rest)); }
    [[noreturn]] void fail(std::string_view rest, std::string_view what) const {
        config.fail(key(rest), what);
    }
};

}  // namespace ropescope::gguf
