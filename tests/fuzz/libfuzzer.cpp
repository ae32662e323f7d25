// The entry points of libFuzzer: `ropescope_fuzz --target=npy FOLDER...`. Compiled with clang alone
// (./test.sh fuzz).
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>

#include "tests/fuzz/targets.h"

namespace {

const ropescope::fuzz::Target* chosen = nullptr;

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
    constexpr std::string_view kOption = "--target=";
    for (int i = 1; i < *argc; ++i) {
        const std::string_view word = (*argv)[i];
        if (word.starts_with(kOption)) {
            const auto* const found =
                std::ranges::find(ropescope::fuzz::kTargets, word.substr(kOption.size()),
                                  &ropescope::fuzz::Target::name);
            chosen = found == ropescope::fuzz::kTargets.end() ? nullptr : found;
        }
    }
    if (chosen == nullptr) {
        std::fputs("give --target=NAME, one of those in tests/fuzz/targets.h\n", stderr);
        return 1;
    }
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (chosen == nullptr) {
        return -1;
    }
    chosen->run(std::string(reinterpret_cast<const char*>(data), size));
    return 0;
}
