// Opening a checkpoint, and the memory that a forward pass takes at most.
#include <filesystem>
#include <fstream>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/encoder/encoder.h"
#include "core/formats/safetensors_header.h"
#include "tests/bench/ratio.h"

namespace ropescope {
namespace {

namespace fs = std::filesystem;

/// A checkpoint of 1 GB whose data is a hole: a header, and a length.
class LargeCheckpoint {
  public:
    LargeCheckpoint()
        : folder_(fs::temp_directory_path() / ("ropescope-bench-" + std::to_string(::getpid()))) {
        fs::create_directory(folder_);
        std::string header = "{";
        std::int64_t end = 0;
        for (int i = 0; i < kTensors; ++i) {
            header += (i == 0 ? "\"t" : ",\"t") + std::to_string(i) +
                      R"(":{"dtype":"F32","shape":[1024,1024],"data_offsets":[)" +
                      std::to_string(end) + "," + std::to_string(end + kBytes) + "]}";
            end += kBytes;
        }
        header += "}";
        const std::uint64_t length = header.size();
        std::ofstream file(path(), std::ios::binary);
        file.write(reinterpret_cast<const char*>(&length), sizeof(length));
        file << header;
        file.close();
        fs::resize_file(path(), kHeaderLengthBytes + length + static_cast<std::uint64_t>(end));
    }
    LargeCheckpoint(const LargeCheckpoint&) = delete;
    LargeCheckpoint& operator=(const LargeCheckpoint&) = delete;
    ~LargeCheckpoint() {
        std::error_code ignored;
        fs::remove_all(folder_, ignored);
    }

    fs::path path() const { return folder_ / "model.safetensors"; }

  private:
    static constexpr std::int64_t kBytes = std::int64_t{4} << 20;
    static constexpr int kTensors = 250;
    fs::path folder_;
};

void open_1_gb_checkpoint(benchmark::State& state) {
    const LargeCheckpoint checkpoint;
    for (auto _ : state) {
        const Weights weights = Weights::open(checkpoint.path());
        std::int64_t total = 0;
        for (const TensorBytes& tensor : weights.tensors()) {
            total += tensor.count();
        }
        benchmark::DoNotOptimize(total);
    }
    bench::set_budget_ms(state, 50.0);
}

/// Most memory of a process that does one forward pass of the notebook's configuration, in MB. A
/// process of its own: what others took before it does not count.
double peak_megabytes() {
    const pid_t child = ::fork();
    if (child == 0) {
        const std::unique_ptr<Engine> engine = make_cpu_engine(2);
        const EncoderConfig config;
        const Encoder encoder(*engine, config, random_weights(config, 42, 2));
        EncoderInput input;
        input.shape = {4, 1024};
        input.ids.assign(4096, 7);
        benchmark::DoNotOptimize(encoder.forward(input));
        ::_exit(0);
    }
    int status = 0;
    rusage usage{};
    ::wait4(child, &status, 0, &usage);
    return status == 0 ? static_cast<double>(usage.ru_maxrss) * 1024e-6 : -1.0;
}

/// Printed in MB where others have milliseconds.
void peak_memory_4x1024_with_head_in_MB(benchmark::State& state) {
    while (state.KeepRunning()) {
        state.SetIterationTime(1e-3 * peak_megabytes());
    }
    bench::set_budget_ms(state, 1000.0);
}

BENCHMARK(peak_memory_4x1024_with_head_in_MB)
    ->UseManualTime()
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);
BENCHMARK(open_1_gb_checkpoint)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace ropescope
