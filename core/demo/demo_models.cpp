// Reads the demo models from the files that are compiled in.
#include "core/demo/demo_models.h"

#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "core/formats/json_object.h"

namespace ropescope::demo {
namespace {

std::string path_of(std::string_view folder, std::string_view file) {
    return std::string("assets/").append(folder).append("/").append(file);
}

std::string_view contents(const std::string& path) {
    return demo_file(path).value();  // compiled in
}

std::string_view folder_of(DemoModel model) {
    switch (model) {
        case DemoModel::rope:
            return "demo-roformer";
        case DemoModel::no_position:
            return "demo-no-position";
        case DemoModel::decoder:
            break;
    }
    return "demo-decoder";
}

}  // namespace

EncoderConfig demo_config(DemoModel model) {
    const std::string config = path_of(folder_of(model), "config.json");
    return parse_encoder_config(contents(config), config);
}

EncoderFiles demo_model(DemoModel model) {
    const std::string weights = path_of(folder_of(model), "model.safetensors");
    return {demo_config(model),
            Weights::from_safetensors(std::as_bytes(std::span(contents(weights))), weights)};
}

const WordPieces& demo_vocabulary() {
    static const WordPieces pieces = [] {
        const std::string path = path_of("demo-roformer", "vocab.txt");
        return WordPieces::parse(contents(path), path);
    }();
    return pieces;
}

const HeldOutText& held_out_text() {
    static const HeldOutText text = [] {
        const std::string path = path_of("demo-roformer", "held_out.json");
        const nlohmann::json read = parse_json_object(contents(path), path);
        return HeldOutText{read.at("ids"), read.at("hidden")};
    }();
    return text;
}

}  // namespace ropescope::demo
