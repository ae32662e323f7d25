// ropescope inspect: what a config.json, a model's folder or a file of tensors holds.
#include "app/cli/inspect.h"

#include <fmt/format.h>
#include <iostream>

#include "app/cli/cli.h"
#include "core/base/error.h"

namespace ropescope::cli {
namespace {

struct Arguments {
    std::string path;
    std::optional<std::int64_t> seq_len;
};

/// The model at a sequence of `seq_len`.
ModelConfig at_length(ModelConfig model, std::int64_t seq_len) {
    if (seq_len < 1 || seq_len > kMaxSeqLen) {
        throw InputError(fmt::format("--seq-len: {} positions; give 1 to {}", seq_len, kMaxSeqLen));
    }
    model.rope.seq_len = seq_len;
    for (LayerRope& layer : model.layer_ropes) {
        layer.rope.seq_len = seq_len;
    }
    return model;
}

Inspection inspected(const Arguments& arguments) {
    Inspection inspection = inspect(arguments.path);
    if (arguments.seq_len && !inspection.model) {
        throw InputError(
            fmt::format("--seq-len: {} has no config.json, whose frequencies could "
                        "depend on it; leave it out",
                        arguments.path));
    }
    if (arguments.seq_len) {
        inspection.model = at_length(*inspection.model, *arguments.seq_len);
    }
    return inspection;
}

}  // namespace

Command add_inspect(CLI::App& parent, GlobalOptions& options) {
    auto arguments = std::make_shared<Arguments>();
    CLI::App* app = parent.add_subcommand(
        "inspect",
        "Shows what a config.json, a model's folder, a .safetensors, .npy or .npz holds");
    app->add_option("path", arguments->path, "config.json, folder, .safetensors, .npy or .npz")
        ->type_name("PATH")
        ->required();
    app->add_option("--seq-len", arguments->seq_len,
                    "Length of the sequence, which dynamic and LongRoPE scaling look at")
        ->type_name("N");
    return {app,
            [arguments, &options] {
                const Inspection inspection = inspected(*arguments);
                std::cout << (options.format == "json" ? inspection_json(inspection).dump(2) + "\n"
                                                       : inspection_text(inspection));
                return 0;
            },
            {"--format"}};
}

}  // namespace ropescope::cli
