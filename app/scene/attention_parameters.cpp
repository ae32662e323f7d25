// Lists the parameters of the attention view.
#include "app/scene/parameters.h"

namespace ropescope {
namespace {

constexpr double kMostTokens = 1 << 16;

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
         .help = "Precision of the table of cos and sin; the RoFormer notebook keeps it in bf16.",
         .label = "cos/sin precision"},
        {.name = "attention_source",
         .group = "Model and tokens",
         .member = &Scene::attention_source,
         .help =
             "The encoder: small with random weights, the RoFormer notebook's configuration with "
             "random weights, or a checkpoint.",
         .label = "encoder"},
        {.name = "attention_folder",
         .group = "Model and tokens",
         .member = &Scene::attention_folder,
         .help = "Folder of the checkpoint, with config.json and model.safetensors.",
         .read_when = {{.parameter = "attention_source", .values = {"folder"}}},
         .label = "folder"},
        {.name = "attention_text",
         .group = "Model and tokens",
         .member = &Scene::attention_text,
         .help = "The tokens: by the folder's vocab.txt, else words, distinguished by their "
                 "spelling; repeated until there are enough.",
         .label = "text"},
        {.name = "attention_tokens",
         .group = "Model and tokens",
         .member = &Scene::attention_tokens,
         .min = 2,
         .max = 1024,
         .scale = Scale::logarithmic,
         .unit = "tokens",
         .help = "Number of tokens; fewer if the model has fewer positions.",
         .accepted_max = kMostTokens,
         .label = "tokens"},
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
