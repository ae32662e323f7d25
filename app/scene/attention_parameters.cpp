// Lists the parameters of the attention view.
#include "app/scene/parameters.h"

namespace ropescope {
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
             "A second encoder on the same tokens: the same weights with RoPE switched off, the "
             "same weights with the channels paired the other way, or the twin of the trained "
             "RoFormer that was trained without positions.",
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

}  // namespace ropescope
