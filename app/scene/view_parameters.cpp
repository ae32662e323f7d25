// Lists the parameters of single views: attention, axes, positions, stretch, encodings, cache.
// Those of diagnose are in dump_parameters.cpp.
#include <algorithm>

#include "app/scene/axes_grid.h"
#include "app/scene/parameters.h"
#include "core/faults/codes.h"
#include "core/positions/id_faults.h"

namespace ropescope {

// Lists the parameters of the attention view.

namespace {

constexpr double kMostTokens = kMostAttentionTokens;

}  // namespace

std::vector<Parameter> attention_parameters() {
    return {
        {.name = "attention_quantity",
         .group = "Attention",
         .member = &Scene::attention_quantity,
         .help = "What the maps show: scores before the mask, probabilities after the softmax, or "
                 "what RoPE adds to the scores.",
         .label = "show"},
        {.name = "attention_layer",
         .group = "Attention",
         .member = &Scene::attention_layer,
         .max = 11,
         .help = "Layer of the head that is opened; the last one if the model has fewer.",
         .accepted_max = 4095,
         .label = "layer"},
        {.name = "attention_head",
         .group = "Attention",
         .member = &Scene::attention_head,
         .max = 11,
         .help = "The head that is opened; the last one if the model has fewer.",
         .accepted_max = 4095,
         .label = "head"},
        {.name = "attention_shift",
         .group = "Attention",
         .member = &Scene::attention_shift,
         .max = kMaxPosition - kMostTokens,
         .scale = Scale::logarithmic,
         .unit = "positions",
         .help = "Added to the position of every token; it does not change a true RoPE.",
         .label = "shift of all tokens"},
        {.name = "attention_table",
         .group = "Attention",
         .member = &Scene::attention_table,
         .choices = {"fp32", "bf16"},
         .help = "Precision of the table of cos and sin; the d2l RoFormer notebook keeps it in "
                 "bf16.",
         .label = "cos/sin precision"},
        {.name = "attention_source",
         .group = "Model and tokens",
         .member = &Scene::attention_source,
         .help =
             "The encoder: the trained RoFormer in the box, its twin that was trained without "
             "positions, a small one with random weights, the d2l RoFormer notebook's size with "
             "random weights, or a checkpoint.",
         .label = "encoder"},
        {.name = "attention_compare",
         .group = "Model and tokens",
         .member = &Scene::attention_compare,
         .help =
             "A second pass beside the first: the same weights with RoPE switched off, the same "
             "weights with the channels paired the other way, the same weights with those pairs "
             "held still that finish a turn within a text of the training (fast) or that do not "
             "(slow), the twin of the trained RoFormer that was trained without positions, or the "
             "same words in the opposite order.",
         .label = "compare with"},
        {.name = "content_source",
         .group = "Content",
         .member = &Scene::content_source,
         .help = "Where q and k come from: drawn at random, or measured in the opened head of the "
                 "encoder that the view attention runs; then its RoPE is shown, too.",
         .label = "q and k"},
        {.name = "content_query",
         .group = "Content",
         .member = &Scene::content_query,
         .max = 128,
         .help = "The token whose q is taken from the encoder, counted from 0; the last one if the "
                 "text has fewer.",
         .accepted_max = kMostTokens,
         .read_when = {{.parameter = "content_source", .values = {"encoder"}}},
         .label = "q of token"},
        {.name = "content_key",
         .group = "Content",
         .member = &Scene::content_key,
         .max = 128,
         .help = "The token whose k is taken from the encoder, counted from 0; the last one if the "
                 "text has fewer.",
         .accepted_max = kMostTokens,
         .read_when = {{.parameter = "content_source", .values = {"encoder"}}},
         .label = "k of token"},
        {.name = "attention_folder",
         .group = "Model and tokens",
         .member = &Scene::attention_folder,
         .help = "Folder of the checkpoint, with config.json and model.safetensors.",
         .read_when = {{.parameter = "attention_source", .values = {"folder"}}},
         .label = "folder"},
        {.name = "attention_text",
         .group = "Model and tokens",
         .member = &Scene::attention_text,
         .help = "The text, cut into the pieces of the model's vocabulary; [MASK] hides a piece. A "
                 "model without a vocabulary has a token for each word.",
         .label = "text"},
        {.name = "attention_masked",
         .group = "Model and tokens",
         .member = &Scene::attention_masked,
         .max = 128,
         .help =
             "The token that [MASK] replaces, counted from 0; the model then says what it would "
             "put there. 0 masks none.",
         .accepted_max = kMostTokens,
         .read_when = {{.parameter = "attention_source",
                        .values = {"demo", "no_position", "folder"}}},
         .label = "masked token",
         .zero = "none"},
        {.name = "attention_tokens",
         .group = "Model and tokens",
         .member = &Scene::attention_tokens,
         .max = 1024,
         .scale = Scale::logarithmic,
         .unit = "tokens",
         .help = "Number of tokens, for which the text is repeated or cut; 0 takes the text as it "
                 "is. A model with fewer positions takes fewer.",
         .accepted_max = kMostTokens,
         .label = "tokens",
         .zero = "as the text has"},
        {.name = "attention_padding",
         .group = "Model and tokens",
         .member = &Scene::attention_padding,
         .max = 256,
         .scale = Scale::logarithmic,
         .unit = "tokens",
         .help = "How many tokens at the end are padding, masked for every query; at least one "
                 "token is left.",
         .accepted_max = kMostTokens,
         .label = "padding tokens",
         .zero = "none"},
        {.name = "attention_segment",
         .group = "Model and tokens",
         .member = &Scene::attention_segment,
         .max = 256,
         .scale = Scale::logarithmic,
         .unit = "tokens",
         .help = "First token of a second segment, of token type 1, for models that have types; 0 "
                 "for no segment.",
         .accepted_max = kMostTokens,
         .label = "second segment starts at",
         .zero = "none"},
    };
}

// Lists the parameters of the axes view.

namespace {

constexpr double kLast = kLongestSide - 1;

}  // namespace

std::vector<Parameter> axes_parameters() {
    return {
        {.name = "axis",
         .group = "Axes",
         .member = &Scene::axis,
         .help = "The axis of axes_model whose pairs the views spectrum, rotation and table show: "
                 "its name (t, h, w, x, y, ...), all for positions that are the same in all axes, "
                 "as those of text; or none for the encoding of the scene."},
        {.name = "axes_model",
         .group = "Axes",
         .member = &Scene::axes_model,
         .help =
             "A model that turns in several axes: a published one (qwen2-vl-7b, dinov3-vit-small, "
             "wan-2.1), ropevit-mixed-start, or the path of a config.json.",
         .label = "model"},
        {.name = "axes_other",
         .group = "Axes",
         .member = &Scene::axes_other,
         .help = "Another such model, which is drawn beside it with the difference; or none.",
         .label = "compare with"},
        {.name = "axes_part",
         .group = "Axes",
         .member = &Scene::axes_part,
         .help =
             "The part of a model that has several: the first, which is the one that a published "
             "model is listed for, the text or the vision part.",
         .label = "part"},
        {.name = "axes_head",
         .group = "Axes",
         .member = &Scene::axes_head,
         .max = 11,
         .help =
             "The head that is shown if heads turn at speeds of their own; the last one if there "
             "are fewer.",
         .accepted_max = 4095,
         .label = "head"},
        {.name = "axes_tokens",
         .group = "Patches",
         .member = &Scene::axes_tokens,
         .help = "What lies on the grid: patches, or as many tokens of text, line by line.",
         .label = "tokens"},
        {.name = "axes_grid",
         .group = "Patches",
         .member = &Scene::axes_grid,
         .help =
             "Rows and columns of the grid, like 12x18, or frames before them, like 4x12x18. Of "
             "a language model they are counted in its tokens, behind the merging of patches.",
         .label = "grid"},
        {.name = "axes_frame",
         .group = "Patches",
         .member = &Scene::axes_frame,
         .max = kLast,
         .unit = "frames",
         .help = "Frame of the map and of the chosen patch; the fixed patch lies in frame 0.",
         .label = "frame"},
        {.name = "axes_row",
         .group = "Patches",
         .member = &Scene::axes_row,
         .max = kLast,
         .unit = "patches",
         .help = "Row of the chosen patch, from 0 at the top; drag it in the map.",
         .label = "row"},
        {.name = "axes_column",
         .group = "Patches",
         .member = &Scene::axes_column,
         .max = kLast,
         .unit = "patches",
         .help = "Column of the chosen patch, from 0 at the left.",
         .label = "column"},
        {.name = "axes_fixed_row",
         .group = "Patches",
         .member = &Scene::axes_fixed_row,
         .max = kLast,
         .unit = "patches",
         .help = "Row of the fixed patch, whose score with every other the map shows.",
         .label = "row of the fixed patch"},
        {.name = "axes_fixed_column",
         .group = "Patches",
         .member = &Scene::axes_fixed_column,
         .max = kLast,
         .unit = "patches",
         .help = "Column of the fixed patch.",
         .label = "column of the fixed patch"},
    };
}

// Lists the parameters of the positions view.

namespace {

/// The view draws time, height and width.
std::vector<std::string> families_of_three_axes() {
    std::vector<std::string> names = enum_names<MultimodalFamily>();
    std::erase(names, to_string(MultimodalFamily::hunyuan_vl));
    return names;
}

/// No comparison, the versions of transformers, and the faults of one row with these axes.
std::vector<std::string> comparisons() {
    std::vector<std::string> names = {"transformers_4", "transformers_5", "none"};
    for (const IdFault& fault : id_faults()) {
        if (fault.code != faults::code("ids.rows_repeated") &&
            fault.code != faults::code("ids.image_number") &&
            fault.code != faults::code("ids.row_end")) {
            names.emplace_back(fault.code);
        }
    }
    return names;
}

}  // namespace

std::vector<Parameter> positions_parameters() {
    return {
        {.name = "positions_layout",
         .group = "Layout",
         .member = &Scene::positions_layout,
         .help = "The tokens: parts like text 4, image 4x6, video 4x4x6 0.5s (patches before they "
                 "are merged; audio 60 behind a video weaves its sound in), padding 3 and decode 2 "
                 "at an end, | before another document, and last chunk 8 4 (4 tokens from token 8 "
                 "on), kept 0 1 8 (these tokens), rank 1 of 2 or ranks 2.",
         .label = "tokens"},
        {.name = "positions_family",
         .group = "Layout",
         .member = &Scene::positions_family,
         .choices = families_of_three_axes(),
         .help = "The models whose way of counting is shown.",
         .label = "model family"},
        {.name = "positions_tokens_per_second",
         .group = "Layout",
         .member = &Scene::positions_tokens_per_second,
         .min = 1,
         .max = 25,
         .unit = "positions/s",
         .help = "Steps of time in a second of video, in qwen2_5_vl, qwen2_5_omni and qwen3_omni.",
         .accepted_max = 1000,
         .read_when = {{.parameter = "positions_family",
                        .values = {"qwen2_5_vl", "qwen2_5_omni", "qwen3_omni"}}},
         .label = "steps of a second"},
        {.name = "positions_version",
         .group = "Versions",
         .member = &Scene::positions_version,
         .choices = {"transformers_5", "transformers_4"},
         .help = "The version of Hugging Face transformers that numbers the tokens.",
         .label = "numbered by"},
        {.name = "positions_compare",
         .group = "Versions",
         .member = &Scene::positions_compare,
         .choices = comparisons(),
         .help = "What is drawn below: another version, or ids with a fault.",
         .label = "compare with"},
    };
}

// Lists the parameter of the stretching view.

std::vector<Parameter> stretch_parameters() {
    return {
        {.name = "stretch_length",
         .group = "Text",
         .member = &Scene::stretch_length,
         .choices = {"128", "256", "512", "1024"},  // demo::stretched_lengths(), a test says
         .unit = "tokens",
         .help = "Length of the texts that the trained model was measured on; it was trained on "
                 "128 tokens.",
         .label = "length of the text"},
    };
}

// Lists the parameters of the view encodings.

std::vector<Parameter> encodings_parameters() {
    return {
        {.name = "encodings_show",
         .group = "Encodings",
         .member = &Scene::encodings_show,
         .help =
             "What each encoding does to the same scores, or what models that were trained with "
             "each name rightly, and what each costs.",
         .label = "show"},
        {.name = "encodings_causal",
         .group = "Attention",
         .member = &Scene::encodings_causal,
         .help = "Whether a query sees only itself and the tokens before it, as in a decoder; the "
                 "view encodings draws scores of an encoder so.",
         .label = "causal mask"},
    };
}

// Lists the parameters of the view cache.

std::vector<Parameter> cache_parameters() {
    return {
        {.name = "cache_tokens",
         .group = "Cache",
         .member = &Scene::cache_tokens,
         .min = 1,
         .max = 64,
         .unit = "tokens",
         .help = "Tokens that the decoder has read.",
         .label = "tokens read"},
        {.name = "cache_key_heads",
         .group = "Cache",
         .member = &Scene::cache_key_heads,
         .choices = {"1", "2", "4", "8"},
         .help = "Heads that have keys and values, for eight heads that have queries.",
         .label = "key heads"},
        {.name = "cache_window",
         .group = "Cache",
         .member = &Scene::cache_window,
         .max = 64,
         .unit = "tokens",
         .help = "How many of the last tokens are kept; 0 keeps all.",
         .label = "window",
         .zero = "all tokens"},
        {.name = "cache_sinks",
         .group = "Cache",
         .member = &Scene::cache_sinks,
         .max = 8,
         .unit = "tokens",
         .help = "How many of the first tokens are kept, too, when the window has left them.",
         .label = "first tokens kept",
         .zero = "none"},
        {.name = "cache_rotated",
         .group = "Cache",
         .member = &Scene::cache_rotated,
         .help = "Whether keys are turned by their positions before they are stored, or when they "
                 "are read.",
         .label = "store keys turned"},
        {.name = "cache_shift",
         .group = "Cache",
         .member = &Scene::cache_shift,
         .max = 4096,
         .scale = Scale::logarithmic,
         .unit = "positions",
         .help = "Positions by which the stored keys move back, as when the beginning of a text is "
                 "cut off.",
         .label = "shift of stored keys",
         .zero = "none"},
    };
}

}  // namespace ropescope
