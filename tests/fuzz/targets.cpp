// Hands bytes to the readers. An InputError is a refusal; anything else that is thrown is a fault.
#include "tests/fuzz/targets.h"

#include <algorithm>

#include "app/cli/positions_verdict.h"
#include "app/scene/scene_json.h"
#include "app/scene/settings.h"
#include "core/base/parse_list.h"
#include "core/base/write_file.h"
#include "core/checks/check.h"
#include "core/diagnosis/diagnosis.h"
#include "core/diagnosis/read_dump.h"
#include "core/diagnosis/report.h"
#include "core/encoder/encoder_config.h"
#include "core/encoder/weights.h"
#include "core/formats/model_config.h"
#include "core/formats/npy.h"
#include "core/formats/runtimes/comparison.h"
#include "core/formats/safetensors.h"
#include "core/formats/schemes/schemes.h"
#include "core/formats/token_layouts.h"
#include "core/formats/word_pieces.h"
#include "core/models/model.h"
#include "core/positions/layout_positions.h"
#include "core/positions/position_check.h"
#include "core/rope/axis_positions.h"
#include "core/rope/spectrum.h"
#include "tests/fuzz/memory_file.h"
#include "tests/support/temp_folder.h"

namespace ropescope::fuzz {
namespace {

void use(const TensorBytes& tensor) {
    if (is_readable(tensor.dtype)) {
        to_f64(tensor);
    }
}

std::vector<std::string> lines_of(std::string_view text) {
    std::vector<std::string> lines;
    while (!text.empty()) {
        lines.emplace_back(text.substr(0, text.find('\n')));
        text.remove_prefix(std::min(text.size(), lines.back().size() + 1));
    }
    return lines;
}

}  // namespace

void read_npy_bytes(const std::string& bytes) {
    const MemoryFile file(bytes);
    read_or_refuse([&] { use(read_npy(file.path()).view()); });
}

void read_npz_bytes(const std::string& bytes) {
    const MemoryFile file(bytes);
    read_or_refuse([&] {
        for (const Tensor& tensor : read_npz(file.path())) {
            use(tensor.view());
        }
    });
}

void read_safetensors_bytes(const std::string& bytes) {
    const MemoryFile file(bytes);
    read_or_refuse([&] {
        const SafetensorsFile opened = SafetensorsFile::open(file.path());
        std::ranges::for_each(opened.tensors(), use);
    });
}

void read_dump_bytes(const std::string& bytes) {
    const MemoryFile file(bytes);
    read_or_refuse([&] {
        const diagnosis::Dump dump = diagnosis::read_dump(file.path());
        diagnosis::diagnosis_json(diagnosis::diagnose(dump));
    });
}

namespace {

/// A folder with one file of weights, which indices may name.
const test::TempFolder& folder_with_weights() {
    static const test::TempFolder folder;
    static const bool written = [] {
        const std::vector<float> values(4, 1.0F);
        const Tensor tensor = make_tensor("a", {4}, std::span(values));
        write_safetensors(folder / "a.safetensors", std::span(&tensor, 1));
        return true;
    }();
    static_cast<void>(written);
    return folder;
}

}  // namespace

void read_index(const std::string& bytes) {
    const std::string path = folder_with_weights() / "x.index.json";
    std::filesystem::remove(path);
    const MemoryFile file(bytes);
    std::filesystem::create_symlink(file.path(), path);
    read_or_refuse([&] { Weights::open(path); });
}

void read_gguf(const std::string& bytes) {
    const MemoryFile file(bytes);
    read_or_refuse([&] {
        for (const Part& part : open_model(file.path()).parts) {
            if (part.spec) {
                make_spectrum(*part.spec);
            }
        }
    });
}

void read_config(const std::string& bytes) {
    constexpr const char* kOrigin = "config.json";
    read_or_refuse([&] {
        const ModelConfig model = parse_model_config(bytes, kOrigin);
        make_spectrum(model.rope);
        for (const LayerRope& layer : model.layer_ropes) {
            make_spectrum(layer.rope);
        }
    });
    read_or_refuse([&] { parse_encoder_config(bytes, kOrigin); });
    static const std::span<const runtimes::Runtime> all = runtimes::all_runtimes();
    read_or_refuse([&] { runtimes::compare(all, {bytes, kOrigin}); });
}

void read_scheme(const std::string& bytes) {
    read_or_refuse([&] { parse_model(bytes, "config.json"); });
}

void read_layout(const std::string& bytes) {
    read_or_refuse([&] {
        const TokenLayouts file = parse_token_layouts(bytes, "layout.json");
        for (const TokenLayout& layout : file.layouts) {
            IdPlan plan{.rule = with_model_settings({.family = MultimodalFamily::qwen2_5_vl}, file),
                        .layout = layout};
            constexpr Index kMost = 4096;  // of tokens, so that an input takes a moment at most
            const MultimodalIds ids = layout_ids(plan);
            if (ids.batch * ids.length <= kMost) {
                judge_positions(plan, ids);
                segment_ranges(id_positions(plan), plan);
            }
        }
    });
}

void read_scene(const std::string& bytes) {
    read_or_refuse([&] { validate(scene_from_json(bytes, "scene.json")); });
}

namespace {

/// How models of three kinds count positions: by grids of patches, in one axis, and in three.
PositionRule rule_of(const std::string& kind) {
    if (kind == "grid") {
        static const PositionRule of_patches =
            parse_model(
                R"({"model_type": "dinov3_vit", "hidden_size": 64, "num_attention_heads": 2})",
                "config.json")
                .parts.front()
                .scheme.positions;
        return of_patches;
    }
    if (kind == "text") {
        return SequenceRule{};
    }
    return MultimodalRule{.family = MultimodalFamily::qwen2_5_vl};
}

/// A name that ends as the program tells the two formats apart.
std::string named_by_format(const MemoryFile& file, std::string_view bytes) {
    if (bytes.starts_with("\x93NUMPY")) {
        return file.path();
    }
    const std::string path = folder_with_weights() / "ids.safetensors";
    std::filesystem::remove(path);
    std::filesystem::create_symlink(file.path(), path);
    return path;
}

}  // namespace

void check_given_positions(const std::string& bytes) {
    std::string rest = bytes;
    const std::string kind = take_line(rest), order = take_line(rest), layouts = take_line(rest);
    const MemoryFile file(rest);
    read_or_refuse([&] {
        const TokenLayouts read = parse_token_layouts(layouts, "layout.json");
        if (read.layouts.size() != 1) {
            return;
        }
        cli::PlacedLayout placed{.rule = rule_of(kind)};
        placed.plan.layout = read.layouts.front();
        if (const auto* const ids = std::get_if<MultimodalRule>(&placed.rule)) {
            placed.plan.rule = with_model_settings(*ids, read);
        }
        const LayoutPositions right = placed.positions();
        constexpr Index kMost = 1024;  // of tokens, so that an input takes a moment at most
        if (right.batch * right.length <= kMost) {
            judge_given(placed, right, named_by_format(file, rest), order);
        }
    });
}

void read_own_scheme(const std::string& bytes) {
    std::string rest = bytes;
    const std::string first = take_line(rest);
    std::vector<Index> sizes;
    for (const std::string_view number : split_list(first)) {
        sizes.push_back(std::clamp<Index>(parse_number<Index>(number).value_or(0), -1, 4096));
    }
    sizes.resize(3);
    const MemoryFile file(rest);
    read_or_refuse([&] {
        const OwnScheme own = read_scheme_tensors(
            file.path(), {.head_dim = sizes[0], .heads = sizes[1], .layer = sizes[2]});
        const std::vector<double> tokens(own.scheme.axes.size() * 2, 1.0);
        make_rotation_table(own.scheme, {tokens, std::ssize(own.scheme.axes)});
    });
}

void read_vocabulary(const std::string& bytes) {
    const std::string_view all = bytes;
    const std::size_t end = std::min(all.find('\0'), all.size());
    read_or_refuse([&] {
        const WordPieces pieces = WordPieces::parse(all.substr(0, end), "vocab.txt");
        for (const std::int64_t id : pieces.encode(all.substr(end))) {
            pieces.text(id);
        }
    });
}

void read_settings(const std::string& bytes) {
    read_or_refuse([&] { validate(apply_settings({}, lines_of(bytes))); });
}

void read_case(const std::string& bytes) {
    const std::size_t end = std::min(bytes.find('\n'), bytes.size());
    read_or_refuse([&] { Cases(bytes.substr(0, end)).contain(bytes.substr(end)); });
}

}  // namespace ropescope::fuzz
