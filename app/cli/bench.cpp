// `ropescope bench`: measures the GPU's kernels as shares of what the same device can do at best.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/engines.h"
#include "app/cli/output.h"
#include "app/headless/egl_context.h"
#include "core/base/error.h"
#include "core/base/index.h"
#include "core/encoder/encoder.h"
#include "core/gpu/benchmark.h"
#include "core/gpu/gpu_engine.h"

namespace ropescope::cli {
namespace {

struct Report {
    std::string device;
    bool software = false;
    gpu::DevicePeaks peaks;
    std::vector<gpu::Measurement> rows;
};

/// Floating-point operations in the matrix products of the layers, without embedding and head.
double layer_flops(const EncoderConfig& config, double batch, double positions) {
    const auto width = to_double(config.hidden_size);
    const auto inner = to_double(config.intermediate_size);
    return 2 * batch * positions * to_double(config.n_layers) *
           (4 * width * width + 2 * width * inner + 2 * width * positions);
}

/// An encoder with random weights. The logits would take hundreds of megabytes and are not kept.
gpu::Measurement measure_encoder(Engine& engine, const EncoderConfig& config, std::int64_t batch,
                                 std::int64_t positions, const gpu::DevicePeaks& peaks) {
    const Encoder encoder(engine, config, random_weights(config, 42));
    EncoderInput input;
    input.shape = {batch, positions};
    for (std::int64_t i = 0; i < batch * positions; ++i) {
        input.ids.push_back(i * 7919 % config.vocab_size);
    }
    ForwardOptions options;
    options.trace.logits = false;
    return gpu::measure_flops(fmt::format("encoder {} x {}, without head", batch, positions),
                              layer_flops(config, to_double(batch), to_double(positions)), 0.4,
                              peaks, [&] { encoder.forward(input, options); });
}

Report measure(const GlobalOptions& options) {
    const headless::EglContext context({options.device, true});
    Report report;
    report.rows = gpu::measure_operations(report.peaks);
    const std::unique_ptr<Engine> engine = make_gpu_engine();
    report.device = engine->device();
    report.software = context.device().software;
    EncoderConfig config;  // the notebook's
    if (report.software) {
        config.vocab_size = 1000;
        config.n_layers = 1;
    }
    report.rows.push_back(measure_encoder(*engine, config, report.software ? 1 : 4,
                                          report.software ? 32 : 1024, report.peaks));
    return report;
}

std::string as_text(const Report& report) {
    std::string text = fmt::format(
        "{}\ncopy {:.1f} GB/s (read and written), multiply-adds {:.3f} TFLOP/s, fp32\n\n",
        report.device, report.peaks.copy_bytes_per_second * 1e-9,
        report.peaks.flops_per_second * 1e-12);
    text += fmt::format("{:<46}{:>12}{:>9}{:>9}  of\n",
                        fmt::format("median of {}", report.peaks.rounds), "ms", "share", "target");
    for (const gpu::Measurement& row : report.rows) {
        text +=
            fmt::format("{:<46}{:>12.3f}{:>8.1f}%{:>8.0f}%  {}\n", row.name, row.seconds * 1e3,
                        100 * row.share, 100 * row.target, row.by_bytes ? "copy" : "multiply-adds");
    }
    if (report.software) {
        text +=
            "\nA processor imitates this GPU: sizes are small, and the targets are not meant for "
            "it.\n";
    }
    return text;
}

std::string as_json(const Report& report) {
    nlohmann::ordered_json json{{"device", report.device},
                                {"software", report.software},
                                {"copy_bytes_per_second", report.peaks.copy_bytes_per_second},
                                {"flops_per_second", report.peaks.flops_per_second},
                                {"measurements", nlohmann::ordered_json::array()}};
    for (const gpu::Measurement& row : report.rows) {
        json["measurements"].push_back({{"name", row.name},
                                        {"seconds", row.seconds},
                                        {"share", row.share},
                                        {"target", row.target},
                                        {"of", row.by_bytes ? "copy" : "multiply-adds"}});
    }
    return json.dump(2) + "\n";
}

}  // namespace

Command bench_command(GlobalOptions& options) {
    return {
        .name = "bench",
        .text = "Measure the GPU's kernels as shares of what the device can do at best",
        .run =
            [&options] {
                if (wanted_engine(options) == EngineKind::cpu) {
                    throw InputError(
                        "bench: measures the GPU; the CPU's benchmarks are built from the source "
                        "by ./test.sh bench");
                }
                const Report report = measure(options);
                print(options.format == "json" ? as_json(report) : as_text(report));
                return 0;
            },
        .reads = {"--engine", "--device", "--format"},
        .footer = R"(Examples:
  ropescope bench
  ropescope bench --format json)"};
}

}  // namespace ropescope::cli
