// The one list of ways to be wrong: each a change of a right call (call_changes.h) with the codes
// that instruments should say. Test vectors try them on every case that they fit, a probe on the
// models that are named with them. Sources: faulty_layouts.cpp, faulty_spectra.cpp,
// faulty_places.cpp.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/call_changes.h"

namespace ropescope::test {

using Codes = std::set<std::string>;
using Models = std::vector<std::string>;

struct FaultyCall {
    std::string name = {};
    Codes codes = {};  ///< of which one names it; empty if none can
    ChangeCall change = {};

    // In test vectors, if cases have flags that are about it.
    std::set<std::string> flags = {};
    Fits fits = {};                 ///< where `change` is asked
    std::string unnamed = {};       ///< why no code can name it; empty if one can
    bool hides_in_16_bits = false;  ///< it is right where results have 16 bits

    // In a probe, in an implementation of each model.
    struct Probed {
        int fault_class = 0;
        Models models = {};
        Codes codes = {};  ///< if a probe says others
        /// In place of the change: how it answers.
        std::function<probe::Ask(const Part&)> ask = {};
    };
    std::vector<Probed> probed = {};
    bool at_negative_positions = false;  ///< the probe asks these, too
};

const std::vector<FaultyCall>& faulty_calls();
/// Those that test vectors try.
std::vector<FaultyCall> faulty_rotations();

/// A row that is being written.
class FaultyRow {
  public:
    explicit FaultyRow(FaultyCall& call) : call_(call) {}

    FaultyRow& in_vectors(std::set<std::string> flags, Fits fits) {
        call_.flags = std::move(flags);
        call_.fits = std::move(fits);
        return *this;
    }
    FaultyRow& unnamed(std::string why) {
        call_.unnamed = std::move(why);
        return *this;
    }
    FaultyRow& hides_in_16_bits() {
        call_.hides_in_16_bits = true;
        return *this;
    }
    FaultyRow& probed(int fault_class, Models models, Codes codes = {}) {
        call_.probed.push_back({fault_class, std::move(models), std::move(codes)});
        return *this;
    }
    FaultyRow& answered(int fault_class, Models models,
                        std::function<probe::Ask(const Part&)> ask) {
        call_.probed.push_back({fault_class, std::move(models), {}, std::move(ask)});
        return *this;
    }
    FaultyRow& at_negative_positions() {
        call_.at_negative_positions = true;
        return *this;
    }

  private:
    FaultyCall& call_;
};

/// Rows that are written one after the other.
class FaultyCalls {
  public:
    FaultyRow add(std::string name, Codes codes, ChangeCall change) {
        return FaultyRow(all_.emplace_back(FaultyCall{
            .name = std::move(name), .codes = std::move(codes), .change = std::move(change)}));
    }
    std::vector<FaultyCall> take() { return std::move(all_); }

  private:
    std::vector<FaultyCall> all_;
};

/// The parts of the list.
void add_faulty_layouts(FaultyCalls& all);
void add_faulty_spectra(FaultyCalls& all);
void add_faulty_places(FaultyCalls& all);

inline const Models kHalfSplitModels = {"llama-2-7b", "llama-3-8b", "qwen2-7b", "gemma-2b",
                                        "smollm2-1.7b"};
inline const Models kPartialModels = {"phi-2", "stablelm-3b-4e1t", "pythia-160m", "gpt-neox-20b"};
inline const Models kTextModels = {"llama-2-7b", "llama-3.1-8b", "phi-2", "gpt-j-6b", "gemma-2b"};

}  // namespace ropescope::test
