// Lists the parameter of the stretching view.
#include "app/scene/parameters.h"

namespace ropescope {

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

}  // namespace ropescope
