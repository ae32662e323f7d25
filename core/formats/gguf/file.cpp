// Opens GGUF files, finds the parts of a model in several, and gathers the metadata.
#include "core/formats/gguf/file.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/characters.h"
#include "core/base/error.h"
#include "core/formats/config_object.h"
#include "core/formats/gguf/header.h"
#include "core/formats/limits.h"
#include "core/rope/rope_spec.h"

namespace ropescope::gguf {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr std::array<const char*, 3> kFactorTensors = {kFactorsTensor, kLongFactorsTensor,
                                                       kShortFactorsTensor};
constexpr std::string_view kEnding = ".gguf";

/// One file: its bytes and its header.
struct OpenPart {
    fs::path path;
    MappedFile mapped;
    GgufHeader header;
};

OpenPart open_part(OpenedFile file) {
    OpenPart part{.path = file.path(), .mapped = {}, .header = {}};
    part.mapped = std::move(file).map(is_gguf(file));
    part.header = read_header(part.mapped.bytes, part.path.string());
    return part;
}

/// Name of part `number` of `count`, from 1: llama-gguf-split's llama_split_path.
std::string part_ending(std::int64_t number, std::int64_t count) {
    return fmt::format("-{:05}-of-{:05}{}", number, count, kEnding);
}

/// Where the parts of a model lie: beside each other, with names that differ in their number.
struct PartNames {
    fs::path folder;
    std::string stem;  ///< in front of "-00001-of-00003.gguf"
    std::int64_t count = 1;

    fs::path of(std::int64_t number) const { return folder / (stem + part_ending(number, count)); }
};

std::optional<PartNames> names_of_parts(const fs::path& path, std::int64_t number,
                                        std::int64_t count) {
    const std::string name = path.filename().string();
    const std::string ending = part_ending(number, count);
    if (!name.ends_with(ending)) {
        return std::nullopt;
    }
    return PartNames{path.parent_path(), name.substr(0, name.size() - ending.size()), count};
}

/// split.no and split.count; 0 of 1 for a model in one file.
struct PartPlace {
    std::int64_t index = 0, count = 1;
};

PartPlace place_of(const OpenPart& part) {
    const ConfigObject keys(part.header.metadata, printable(part.path.string()));
    PartPlace place;
    place.count = keys.integer("split.count", 0, kMostParts).value_or(1);
    place.index = keys.integer("split.no", 0, kMostParts).value_or(0);
    if (place.count > 1 && place.index >= place.count) {
        keys.fail("split.no", fmt::format("{}; a number below split.count {} is expected",
                                          place.index, place.count));
    }
    return place;
}

/// The part with the metadata: `part` itself, or the first of its model.
OpenPart first_part(OpenPart part, const PartPlace& place) {
    if (place.count <= 1 || place.index == 0) {
        return part;
    }
    const auto names = names_of_parts(part.path, place.index + 1, place.count);
    if (!names) {
        throw_file_error(
            part.path,
            fmt::format("is part {} of {} of a model, and its name does not end in "
                        "{}, so the first part, which has the metadata, is not "
                        "found; give that one",
                        place.index + 1, place.count, part_ending(place.index + 1, place.count)));
    }
    const fs::path first = names->of(1);
    if (path_kind(first) != PathKind::file) {
        throw_file_error(
            part.path,
            fmt::format("is part {} of {} of a model, and the first part, {}, which "
                        "has the metadata, is not beside it; put it there",
                        place.index + 1, place.count, printable(first.filename().string())));
    }
    OpenPart opened = open_part(OpenedFile(first, Allowed::regular_file));
    const PartPlace own = place_of(opened);
    if (own.index != 0 || own.count != place.count) {
        throw_file_error(first, fmt::format("says that it is part {} of {}; part 1 of {} is "
                                            "expected by its name",
                                            own.index + 1, own.count, place.count));
    }
    return opened;
}

void take_factors(const OpenPart& part, Json& metadata) {
    for (const char* name : kFactorTensors) {
        const auto found = std::ranges::find(part.header.tensors, name, &TensorEntry::name);
        if (found == part.header.tensors.end() || metadata.contains(name)) {
            continue;
        }
        constexpr std::size_t kMostPairs = kMaxHeadDim / 2;
        Json values = Json::array();
        for (const double value :
             read_values(part.mapped.bytes, part.header, *found, kMostPairs, part.path.string())) {
            values.push_back(value);
        }
        metadata[name] = std::move(values);
    }
}

/// Factors may lie in any part; parts that are not there are counted.
void take_factors_of_others(const fs::path& first, std::int64_t count, Json& metadata) {
    const auto names = names_of_parts(first, 1, count);
    std::int64_t missing = 0;
    for (std::int64_t number = 2; number <= count; ++number) {
        const fs::path path = names ? names->of(number) : fs::path();
        if (names && path_kind(path) == PathKind::file) {
            take_factors(open_part(OpenedFile(path, Allowed::regular_file)), metadata);
        } else if (++missing == 1) {
            metadata[kFirstMissing] =
                names ? path.filename().string() : fmt::format("part {}", number);
        }
    }
    if (missing > 0) {
        metadata[kMissingParts] = missing;
    }
}

/// What concerns the model: general.architecture, its name, and the keys of the architecture.
Json metadata_of_model(const OpenPart& first) {
    const Json& all = first.header.metadata;
    const ConfigObject keys(all, printable(first.path.string()));
    const auto architecture = keys.text(kArchitectureKey);
    if (!architecture || architecture->empty()) {
        keys.fail(kArchitectureKey,
                  "is missing; a GGUF file of a model has the name of its architecture");
    }
    Json kept = {{kArchitectureKey, *architecture}};
    for (const auto& [key, value] : all.items()) {
        if (key == "general.name" || key == "general.type" ||
            key.starts_with(*architecture + ".")) {
            kept[key] = value;
        }
    }
    return kept;
}

}  // namespace

bool is_gguf(const OpenedFile& file) {
    return file.start().starts_with(kMagic);
}

ConfigText read_metadata_text(OpenedFile file) {
    OpenPart opened = open_part(std::move(file));
    const PartPlace place = place_of(opened);
    const OpenPart first = first_part(std::move(opened), place);
    Json metadata = metadata_of_model(first);
    take_factors(first, metadata);
    if (place.count > 1) {
        take_factors_of_others(first.path, place.count, metadata);
    }
    return {metadata.dump(-1, ' ', false, Json::error_handler_t::replace), first.path.string()};
}

bool is_metadata(const ConfigObject& config) {
    const Json* architecture = config.find(kArchitectureKey);
    return architecture != nullptr && architecture->is_string();
}

}  // namespace ropescope::gguf
