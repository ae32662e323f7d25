// library_soak MINUTES: calls of the library at random, right and wrong ones, and the memory of the
// process after each minute.
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <random>
#include <ropescope.h>
#include <string>
#include <unistd.h>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

class Work {
  public:
    explicit Work(unsigned seed) : random_(seed) {}

    /// One embedding, asked, turned and diagnosed. Returns how many calls were refused.
    int once() {
        refused_ = 0;
        ropescope_embedding* embedding = nullptr;
        load(&embedding);
        if (embedding != nullptr) {
            ask(embedding);
            turn(embedding);
        }
        ropescope_free(embedding);
        diagnose();
        return refused_;
    }

  private:
    std::int64_t below(std::int64_t count) {
        return std::uniform_int_distribution<std::int64_t>(0, count - 1)(random_);
    }
    double number() { return std::uniform_real_distribution<double>(-2, 2)(random_); }
    void count(ropescope_status status) { refused_ += status != ROPESCOPE_OK; }

    void load(ropescope_embedding** embedding) {
        constexpr std::array<const char*, 6> kNames = {
            "llama-3.1-8b", "qwen2.5-7b", "phi-3-mini-128k", "gpt-neox-20b", "no-such-model", "/"};
        switch (below(3)) {
            case 0:
                return count(ropescope_load(kNames.at(static_cast<std::size_t>(below(6))), nullptr,
                                            embedding));
            case 1: {
                std::string json =
                    R"({"model_type": "llama", "hidden_size": 512, "num_attention_heads": 8, "rope_theta": )" +
                    std::to_string(below(1 << 20)) + "}";
                json.resize(json.size() - static_cast<std::size_t>(below(8) == 0 ? below(40) : 0));
                return count(ropescope_parse(json.data(), json.size(), nullptr, embedding));
            }
            default:
                return count(
                    ropescope_make(2 * below(130), 2 * below(130), 100.0 * to_double(below(1000)),
                                   below(2) == 0 ? "half_split" : "interleaved", embedding));
        }
    }
    static double to_double(std::int64_t value) { return static_cast<double>(value); }

    void ask(const ropescope_embedding* embedding) {
        facts_.size = sizeof facts_;
        count(ropescope_get_facts(embedding, &facts_));
        std::vector<double> omega(static_cast<std::size_t>(facts_.pairs) +
                                  static_cast<std::size_t>(below(2)));
        count(ropescope_spectrum(embedding, omega.data(), omega.size()));
    }

    void turn(const ropescope_embedding* embedding) {
        const std::int64_t heads = 1 + below(8), length = 1 + below(64), d = facts_.head_dim;
        x_.resize(static_cast<std::size_t>(heads * length * d));
        std::ranges::generate(x_, [&] { return static_cast<float>(number()); });
        std::vector<double> at(static_cast<std::size_t>(length));
        std::ranges::generate(at, [&] { return to_double(below(1 << 20)); });
        ropescope_tensor x = tensor(x_.data(), heads, length, d);
        count(ropescope_rotate(embedding, &x, at.data(), at.size(), 0, 0));
    }

    static ropescope_tensor tensor(float* data, std::int64_t heads, std::int64_t length,
                                   std::int64_t d) {
        ropescope_tensor made = {};
        made.size = sizeof made;
        made.data = data;
        made.dtype = ROPESCOPE_F32;
        const std::array<std::int64_t, 4> shape = {1, heads, length, d},
                                          stride = {heads * length * d, length * d, d, 1};
        std::ranges::copy(shape, made.shape);
        std::ranges::copy(stride, made.stride);
        return made;
    }

    /// The code of somebody: right, without a rotation, or of another layout than it is said to be.
    void diagnose() {
        constexpr std::int64_t kHeads = 2, kLength = 24, kDim = 32;
        std::vector<float> before(kHeads * kLength * kDim), after;
        std::ranges::generate(before, [&] { return static_cast<float>(number()); });
        after = before;
        ropescope_embedding* embedding = nullptr;
        count(ropescope_make(kDim, kDim, 10000, below(2) == 0 ? "half_split" : "interleaved",
                             &embedding));
        ropescope_tensor q = tensor(before.data(), kHeads, kLength, kDim);
        ropescope_tensor turned = tensor(after.data(), kHeads, kLength, kDim);
        if (embedding != nullptr && below(4) != 0) {
            std::vector<double> at(kLength);
            for (std::size_t i = 0; i < at.size(); ++i) {
                at[i] = static_cast<double>(i);
            }
            count(ropescope_rotate(embedding, &turned, at.data(), at.size(), 0, 0));
        }
        ropescope_free(embedding);
        ropescope_dump dump = {};
        dump.size = sizeof dump;
        dump.q = &q;
        dump.q_rot = &turned;
        char* json = nullptr;
        int passed = 0;
        count(ropescope_diagnose(&dump, &json, &passed));
        ropescope_free_text(json);
    }

    std::mt19937 random_;
    ropescope_facts facts_ = {};
    std::vector<float> x_;
    int refused_ = 0;
};

long memory_mib() {
    std::ifstream file("/proc/self/statm");
    long all = 0, resident = 0;
    file >> all >> resident;
    return resident * sysconf(_SC_PAGESIZE) / 1024 / 1024;
}

}  // namespace

int main(int count, char** arguments) {
    const int minutes = count > 1 ? std::atoi(arguments[1]) : 1;
    const char* seed = std::getenv("ROPESCOPE_SEED");
    Work work(seed == nullptr ? 1U : static_cast<unsigned>(std::atol(seed)));
    long rounds = 0, refused = 0;
    const auto begin = Clock::now();
    for (int minute = 1; minute <= minutes; ++minute) {
        for (const auto end = begin + std::chrono::minutes(minute); Clock::now() < end; ++rounds) {
            refused += work.once();
        }
        std::printf("library: minute %d, %ld rounds, %ld calls refused, %ld MiB\n", minute, rounds,
                    refused, memory_mib());
        std::fflush(stdout);
    }
    // Both kinds of calls came: a round makes four or more.
    return refused > 0 && refused < 4 * rounds ? 0 : 1;
}
