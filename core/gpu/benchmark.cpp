// Measures the peaks of a device and how close the operations come to them.
#include "core/gpu/benchmark.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <epoxy/gl.h>
#include <fmt/format.h>
#include <vector>

#include "core/base/index.h"
#include "core/gpu/device.h"
#include "core/gpu/encoder_operations.h"
#include "core/gpu/gl_context.h"
#include "core/gpu/parameters.h"
#include "core/gpu/rotation.h"

namespace ropescope::gpu {
namespace {

constexpr int kRounds = 9;
constexpr int kSoftwareRounds = 3;

class Bench {
  public:
    std::vector<Measurement> run(DevicePeaks& peaks) {
        peaks_ = measure_peaks();
        peaks = peaks_;
        std::vector<Measurement> all;
        for (const Layout layout : {Layout::half_split, Layout::interleaved}) {
            all.push_back(rotation(layout));
        }
        // An encoder of width 768 with inner width 3072 and 32000 words.
        all.push_back(product(tokens(), 768, 768));
        all.push_back(product(tokens(), 768, 3072));
        all.push_back(product(tokens(), 3072, 768));
        if (!software()) {
            all.push_back(product(tokens(), 768, 32000));
        }
        all.push_back(attention_of({software() ? 1 : 4, 4, software() ? 128 : 1024, 192}));
        return all;
    }

  private:
    bool software() const { return device_.limits.software; }
    int rounds() const { return software() ? kSoftwareRounds : kRounds; }
    std::int64_t tokens() const { return software() ? 64 : 4096; }

    /// A matrix of small numbers. Whatever fresh memory holds might be slow to compute with.
    Matrix matrix(std::int64_t rows, std::int64_t columns) {
        std::vector<float> values(rows * columns);
        for (std::size_t i = 0; i < values.size(); ++i) {
            values[i] = static_cast<float>(i * 2654435761U % 1024) * 0x1p-10F - 0.5F;
        }
        kept_.push_back(upload(device_.pool, std::span<const float>(values)));
        return {kept_.back()->all(), rows, columns};
    }

    DevicePeaks measure_peaks() {
        DevicePeaks peaks;
        peaks.rounds = rounds();
        const std::int64_t bytes = std::int64_t{1} << (software() ? 24 : 28);
        const auto from = device_.pool.take(bytes), to = device_.pool.take(bytes);
        const BufferRange source = from->all(), target = to->all();
        const double copy = timer_.median_seconds(rounds(), [&] {
            glBindBuffer(GL_COPY_READ_BUFFER, source.name);
            glBindBuffer(GL_COPY_WRITE_BUFFER, target.name);
            glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 0, 0, bytes);
        });
        peaks.copy_bytes_per_second = 2.0 * to_double(bytes) / copy;

        constexpr double kOperationsOfTurn = 2.0 * 2 * 8 * 4;  // multiply-adds of 16 vectors
        const std::int64_t groups = software() ? 64 : 8192;
        const std::uint32_t turns = software() ? 64 : 512;
        const auto out = device_.pool.take(groups * 256 * 16);
        const std::uint32_t program = device_.programs.get("shaders/fma_peak.comp", {});
        const std::array buffers{out->all()};
        const double fma = timer_.median_seconds(rounds(), [&] {
            device_.launcher.run(program, buffers, RowsParameters{.count = turns}, groups);
        });
        peaks.flops_per_second = kOperationsOfTurn * turns * to_double(groups * 256) / fma;
        return peaks;
    }

    Measurement rotation(Layout layout) {
        const std::int64_t positions = software() ? 256 : 4096, heads = 32, head_dim = 128;
        const Matrix x = matrix(positions, heads * head_dim);
        const DeviceTable table{matrix(positions, head_dim / 2), matrix(positions, head_dim / 2)};
        const double seconds = timer_.median_seconds(
            kRounds, [&] { rotate(device_, x, heads, table, {}, {layout}, Direction::forward); });
        const double bytes = to_double(2 * x.range.bytes + 2 * table.cos.range.bytes);
        return {fmt::format("rotate [{}, {}, {}] in place, {}", positions, heads, head_dim,
                            to_string(layout)),
                seconds, bytes / seconds / peaks_.copy_bytes_per_second, 0.85, true};
    }

    Measurement product(std::int64_t rows, std::int64_t in, std::int64_t out) {
        const Matrix x = matrix(rows, in), y = matrix(rows, out);
        const LinearLayer linear{matrix(out, in), matrix(1, out)};
        return measured(fmt::format("gemm {} x {} x {} with bias", rows, in, out),
                        2.0 * to_double(rows * in * out), 0.5,
                        [&] { gemm(device_, x, linear, Activation::none, y); });
    }

    Measurement attention_of(const AttentionShape& shape) {
        const std::int64_t rows = shape.batch * shape.positions;
        const std::int64_t width = shape.heads * shape.head_dim;
        AttentionMatrices matrices;
        matrices.shape = shape;
        matrices.q = matrix(rows, width);
        matrices.k = matrix(rows, width);
        matrices.v = matrix(rows, width);
        matrices.context = matrix(rows, width);
        matrices.scale = 1.0 / std::sqrt(to_double(shape.head_dim));
        return measured(fmt::format("attention with softmax [{}, {}, {}, {}]", shape.batch,
                                    shape.heads, shape.positions, shape.head_dim),
                        4.0 * to_double(shape.positions * rows * width), 0.4,
                        [&] { attention(device_, matrices); });
    }

    Measurement measured(const std::string& name, double flops, double target,
                         const std::function<void()>& work) {
        const double seconds = timer_.median_seconds(rounds(), work);
        kept_.clear();
        return {name, seconds, flops / seconds / peaks_.flops_per_second, target, false};
    }

    Device device_;
    DeviceTimer timer_;
    DevicePeaks peaks_;
    std::vector<std::shared_ptr<GlBuffer>> kept_;
};

}  // namespace

std::vector<Measurement> measure_operations(DevicePeaks& peaks) {
    return Bench().run(peaks);
}

Measurement measure_flops(const std::string& name, double flops, double target,
                          const DevicePeaks& peaks, const std::function<void()>& work) {
    DeviceTimer timer;
    const double seconds = timer.median_seconds(peaks.rounds, work);
    return {name, seconds, flops / seconds / peaks.flops_per_second, target, false};
}

// Measures the time of the device with time stamps.

DeviceTimer::DeviceTimer() {
    glGenQueries(1, &begin_);
    glGenQueries(1, &end_);
}

DeviceTimer::~DeviceTimer() {
    glDeleteQueries(1, &begin_);
    glDeleteQueries(1, &end_);
}

double DeviceTimer::seconds(const std::function<void()>& work) {
    glQueryCounter(begin_, GL_TIMESTAMP);
    work();
    glQueryCounter(end_, GL_TIMESTAMP);
    GLuint64 begin = 0, end = 0;
    glGetQueryObjectui64v(begin_, GL_QUERY_RESULT, &begin);
    glGetQueryObjectui64v(end_, GL_QUERY_RESULT, &end);
    check_gl("measuring");
    return to_double(narrow<Index>(end - begin)) * 1e-9;
}

double DeviceTimer::median_seconds(int rounds, const std::function<void()>& work) {
    constexpr int kWarmUp = 2;
    for (int i = 0; i < kWarmUp; ++i) {
        seconds(work);
    }
    std::vector<double> times;
    for (int i = 0; i < rounds; ++i) {
        times.push_back(seconds(work));
    }
    const auto middle = times.begin() + std::ssize(times) / 2;
    std::nth_element(times.begin(), middle, times.end());
    return *middle;
}

}  // namespace ropescope::gpu
