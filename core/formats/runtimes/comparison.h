// Several runtimes' readings of one config.json side by side.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/formats/config_text.h"
#include "core/formats/runtimes/reading.h"

namespace ropescope::runtimes {

/// One quantity of one type of layers, as each runtime takes it.
struct Row {
    std::string name;  ///< "base", or "base (sliding_attention)"
    std::vector<TakenQuantity> answers =
        {};  ///< one for each reading; of an unknown family a null value
    /// Among those that are known; of a scaling also if what it does differs.
    bool differs = false;
};

struct Comparison {
    std::string file;
    std::vector<Reading> readings = {};
    std::vector<Row> rows = {};
};

/// The runtimes of a list like "vllm,llama.cpp". Throws InputError for a name that is unknown or
/// named twice.
std::vector<Runtime> runtimes_named(std::string_view list);

/// Reads a config.json as each of the runtimes does. Throws InputError if it cannot be read at all.
Comparison compare(std::span<const Runtime> runtimes, const ConfigText& given);

}  // namespace ropescope::runtimes
