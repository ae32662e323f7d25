// Reads layouts of tokens.
#include "core/formats/token_layouts.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/characters.h"
#include "core/base/error.h"
#include "core/base/names.h"
#include "core/formats/json_object.h"
#include "core/formats/limits.h"
#include "core/formats/token_segments.h"

namespace ropescope {
namespace {

using Json = nlohmann::json;

Padding read_padding(const ConfigObject& layout) {
    const std::string text = layout.text("padding").value_or("none");
    const auto padding = enum_value<Padding>(text);
    if (!padding) {
        layout.fail("padding", fmt::format("{}; left, right or none is expected", in_quotes(text)));
    }
    return *padding;
}

/// Keys of one layout. What a processor or a record adds about the model's tokens is read, if it
/// can contradict the rows, or may stand there.
std::vector<std::string> layout_keys() {
    return {"name",
            "padding",
            "rows",
            "row",
            "sequence_length",
            "packed",
            "decode_steps",
            "chunk",
            "kept",
            "context_parallel_size",
            "context_parallel_rank",
            "context_parallel_per_document",
            "image_grid_thw",
            "video_grid_thw",
            "second_per_grid_ts",
            "v4_v5_differ_on_real_tokens"};
}
/// Keys of the file beside them.
std::vector<std::string> file_keys() {
    return {"model", "spatial_merge_size", "tokens_per_second", "functions", "layouts"};
}

void check_keys(const ConfigObject& object, const std::vector<std::string>& known) {
    for (const auto& [key, value] : object.json().items()) {
        if (std::ranges::find(known, key) == known.end()) {
            throw InputError(fmt::format("{}: {} is not a key of a layout{}", object.where(),
                                         in_quotes(key), did_you_mean(key, known)));
        }
    }
}

std::optional<TokenRange> read_chunk(const ConfigObject& json) {
    const auto numbers = json.numbers("chunk", 2);
    if (!numbers) {
        return std::nullopt;
    }
    const auto whole = [](double number) {
        return number >= 0 && number <= to_double(kMaxTokens) && number == std::floor(number);
    };
    if (numbers->size() != 2 || !std::ranges::all_of(*numbers, whole)) {
        json.fail("chunk", "[first, count] is expected, whole numbers of tokens");
    }
    return TokenRange{round_to_index((*numbers)[0]), round_to_index((*numbers)[1])};
}

/// Numbers of tokens, each larger than the one before.
std::vector<Index> read_kept(const ConfigObject& json) {
    std::vector<Index> kept;
    for (const double number :
         json.numbers("kept", kMaxLayoutTokens).value_or(std::vector<double>())) {
        const bool rises = kept.empty() || number > to_double(kept.back());
        if (!(number >= 0 && number <= to_double(kMaxTokens)) || number != std::floor(number) ||
            !rises) {
            json.fail("kept",
                      "a rising list of numbers of tokens is expected, the first token is 0");
        }
        kept.push_back(round_to_index(number));
    }
    if (json.find("kept") != nullptr && kept.empty()) {
        json.fail("kept", "the list is empty; give the numbers of the tokens that are left");
    }
    return kept;
}

std::optional<ContextShards> read_shards(const ConfigObject& json) {
    const auto size = json.integer("context_parallel_size", 1, kMaxRanks);
    const auto rank = json.integer("context_parallel_rank", 0, kMaxRanks - 1);
    if (rank && !size) {
        json.fail("context_parallel_rank",
                  "there is no context_parallel_size; give the number of ranks");
    }
    if (rank && *rank >= *size) {
        json.fail("context_parallel_rank",
                  fmt::format("{} of {} ranks; give 0 to {}", *rank, *size, *size - 1));
    }
    const bool per_document = json.boolean("context_parallel_per_document").value_or(false);
    if (per_document && !size) {
        json.fail("context_parallel_per_document",
                  "there is no context_parallel_size; give the number of ranks");
    }
    return size ? std::optional(ContextShards{*size, rank, per_document}) : std::nullopt;
}

/// What goes together only with packed documents, or not with them.
void check_packed(const ConfigObject& json, const TokenLayout& layout) {
    const bool filled = layout.packed && layout.padding != Padding::none;
    const bool by_document = layout.shards && layout.shards->per_document;
    if (filled && !layout.length) {
        json.fail("padding",
                  "documents packed in one row are filled up to sequence_length; give it");
    }
    if (filled && layout.decode_steps > 0) {
        json.fail("decode_steps",
                  "packed documents with padding are not continued; leave one of both out");
    }
    if (by_document && (!layout.packed || filled || layout.decode_steps > 0)) {
        json.fail("context_parallel_per_document",
                  "it shares out packed documents without padding and decode steps");
    }
}

/// What the layout says beside its rows.
TokenLayout read_options(const ConfigObject& json) {
    TokenLayout layout{.name = json.text("name").value_or(""),
                       .padding = read_padding(json),
                       .rows = {},
                       .length = json.integer("sequence_length", 0, kMaxTokens),
                       .packed = json.boolean("packed").value_or(false),
                       .decode_steps = json.integer("decode_steps", 0, kMaxTokens / 4).value_or(0),
                       .chunk = read_chunk(json),
                       .shards = read_shards(json),
                       .kept = read_kept(json)};
    check_packed(json, layout);
    if (layout.packed && layout.padding != Padding::none) {
        layout.filled_length = *layout.length;
    }
    if (layout.chunk && layout.shards) {
        json.fail("chunk",
                  "a chunk is not shared out among context-parallel ranks; give one of both");
    }
    if (!layout.kept.empty() && (layout.chunk || layout.shards)) {
        json.fail("kept", "kept tokens are those of a whole row; leave chunk and shards out");
    }
    return layout;
}

TokenLayout read_layout(const ConfigObject& json) {
    TokenLayout layout = read_options(json);
    const Json* row = json.find("row");
    const Json* rows = json.find("rows");
    if (row != nullptr && rows != nullptr) {
        json.fail("row", "rows are there, too; give one of both");
    }
    if (row != nullptr) {
        layout.rows = {read_segments(*row, json.path_of("row"))};
    } else if (rows == nullptr || !rows->is_array()) {
        json.fail("rows", "a list of rows is expected, each a list of segments");
    } else {
        for (std::size_t b = 0; b < rows->size(); ++b) {
            layout.rows.push_back(
                read_segments((*rows)[b], fmt::format("{}[{}]", json.path_of("rows"), b)));
        }
    }
    check_stated_grids(json, layout);
    return layout;
}

}  // namespace

TokenLayouts parse_token_layouts(std::string_view json, const std::string& origin) {
    const Json parsed = parse_json_object(json, origin);
    const ConfigObject file(parsed, printable(origin));
    TokenLayouts read{{},
                      file.integer("spatial_merge_size", 1, 64),
                      file.positive("tokens_per_second", kMaxFactor)};
    const Json* list = file.find("layouts");
    std::vector<std::string> known = file_keys();
    if (list == nullptr) {
        std::ranges::copy(layout_keys(), std::back_inserter(known));
        check_keys(file, known);
        read.layouts.push_back(read_layout(file));
        return read;
    }
    check_keys(file, known);
    if (!list->is_array()) {
        file.fail("layouts", "a list of layouts is expected");
    }
    for (std::size_t i = 0; i < list->size(); ++i) {
        const std::string where = fmt::format("{}[{}]", file.path_of("layouts"), i);
        if (!(*list)[i].is_object()) {
            throw InputError(where + ": an object with rows is expected");
        }
        const ConfigObject layout((*list)[i], where, true);
        check_keys(layout, layout_keys());
        read.layouts.push_back(read_layout(layout));
    }
    return read;
}

MultimodalRule with_model_settings(MultimodalRule rule, const TokenLayouts& file) {
    rule.merge = file.merge.value_or(rule.merge);
    rule.tokens_per_second = file.tokens_per_second.value_or(rule.tokens_per_second);
    return rule;
}

}  // namespace ropescope
