// Random values for property tests. The seed is new in every run and printed, so that a failure can
// be repeated with ROPESCOPE_SEED.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

namespace ropescope::test {

/// ROPESCOPE_SEED, or a new one.
inline std::uint64_t chosen_seed() {
    const char* given = std::getenv("ROPESCOPE_SEED");
    return given != nullptr ? std::strtoull(given, nullptr, 10) : std::random_device{}();
}

class Random {
  public:
    explicit Random(std::uint64_t seed = chosen_seed()) : seed_(seed), engine_(seed) {
        std::printf("seed %llu (repeat with ROPESCOPE_SEED)\n",
                    static_cast<unsigned long long>(seed));
    }

    std::string trace() const { return "ROPESCOPE_SEED=" + std::to_string(seed_); }

    /// From first to last, both included.
    std::int64_t integer(std::int64_t first, std::int64_t last) {
        return std::uniform_int_distribution<std::int64_t>(first, last)(engine_);
    }
    double real(double low, double high) {
        return std::uniform_real_distribution<double>(low, high)(engine_);
    }
    template <typename T>
    const T& pick(const std::vector<T>& choices) {
        return choices[static_cast<std::size_t>(
            integer(0, static_cast<std::int64_t>(choices.size()) - 1))];
    }
    /// Standard normal values.
    template <typename T = double>
    std::vector<T> normal(std::int64_t count) {
        std::normal_distribution<double> distribution;
        std::vector<T> values(static_cast<std::size_t>(count));
        for (T& value : values) {
            value = static_cast<T>(distribution(engine_));
        }
        return values;
    }

  private:
    std::uint64_t seed_;
    std::mt19937_64 engine_;
};

}  // namespace ropescope::test
