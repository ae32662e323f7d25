// The view encodings: its words, and which of its two figures a scene shows.
#include "app/figures/encodings/encodings.h"

namespace ropescope::figures {
namespace {

/// The trained RoFormer at rest, reading the scene's text.
Scene reading_scene(Scene scene) {
    scene.attention_source = AttentionSource::demo;
    scene.attention_masked = scene.attention_tokens = 0;
    return scene;
}

bool shows_trained(const Scene& scene) {
    return scene.encodings_show == EncodingsShow::trained;
}
bool shows_scores(const Scene& scene) {
    return !shows_trained(scene);
}

Picture make(const Scene& scene, Engine& engine, const Work& work) {
    Picture picture{.figure = {.view = "encodings"}};
    if (shows_trained(scene)) {
        show_trained(picture,
                     std::make_shared<const TrainedEncodings>(make_trained_encodings(scene)));
        return picture;
    }
    const auto encoder = measured_state(reading_scene(scene), engine, work);
    if (!encoder) {
        return waiting_for_encoder("encodings");
    }
    show_scores(picture,
                std::make_shared<const EncodingsState>(make_encodings_state(scene, *encoder)));
    return picture;
}

}  // namespace

View encodings_view() {
    return {
        .id = "encodings",
        .key = 'N',
        .name = "Encodings",
        .group = "Real models",
        .question = "What do other encodings do to the same scores?",
        .parameters = {"encodings_show", "attention_layer", "attention_head", "attention_text",
                       "encodings_causal", "stretch_length"},
        .only_when = {{{"attention_layer", "attention_head", "attention_text"}, shows_scores},
                      {{"stretch_length"}, shows_trained}},
        .make = make,
        .carries_results = true,
        .of_trained_model = true,
        .what_you_see =
            "Top: what each encoding adds to the score of each query and key, for the same q and "
            "k; each map has its own scale. Below: means at each distance. Choose \"trained\" "
            "to see what small models that were trained with each on the same text name "
            "rightly, and what each costs.",
        .what_to_try =
            "Open other heads: ALiBi's slope is a quarter from one head to the next, and RoPE's "
            "pattern follows the content. ALiBi and a bias are the same along each diagonal; what "
            "RoPE adds is not. Set the causal mask, and keys behind the query get nothing.",
        .formulas = {"RoPE: (R_{m} q) · (R_{n} k) / √d", "ALiBi: q · k / √d − s_{h} |n − m|",
                     "learned bias: q · k / √d + b_{h}(n − m)", "added: x_{m} + p_{m}"},
        .formula_source = "arXiv:2104.09864; arXiv:2108.12409; arXiv:1910.10683; arXiv:1810.04805",
    };
}

}  // namespace ropescope::figures
