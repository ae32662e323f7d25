// Diagnoses tensors that are made, or those of a file, which are read and explained once.
#include "app/figures/diagnose/state.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <limits>

#include "app/figures/diagnose/made_dump.h"
#include "app/figures/file_time.h"
#include "core/base/error.h"
#include "core/base/memo.h"
#include "core/base/printable.h"
#include "core/diagnosis/layers.h"
#include "core/rope/spectrum.h"

namespace ropescope::figures {
namespace {

namespace fs = std::filesystem;
constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

/// Tells dumps apart, and a file from itself after it has been written again.
struct FileKey {
    std::string path = {};
    std::optional<fs::file_time_type> written = {};
    std::optional<RopeSpec> expected = {};

    bool operator==(const FileKey&) const = default;
};
struct KnownDumps {
    Memo<FileKey, DiagnoseState> memo{4};
};

std::optional<diagnosis::Expectation> expectation_of(const std::optional<RopeSpec>& expected) {
    return expected ? std::optional(diagnosis::Expectation{.name = "the encoding of the scene",
                                                           .specs = {*expected}})
                    : std::nullopt;
}

DiagnoseState analysed(const diagnosis::Dump& dump, const std::optional<RopeSpec>& expected) {
    DiagnoseState state;
    state.expected = expected;
    const std::optional<diagnosis::Expectation> expectation = expectation_of(expected);
    state.analysis = diagnosis::analyse(dump, expectation ? &*expectation : nullptr);
    if (expected) {
        state.expected_inv_freq_rad = make_spectrum(*expected).inv_freq_rad;
    }
    return state;
}

/// Of several layers, the first of the worst is drawn, under the diagnosis of all.
DiagnoseState analysed_layers(const diagnosis::DumpFile& file,
                              const std::optional<RopeSpec>& expected) {
    const std::optional<diagnosis::Expectation> expectation = expectation_of(expected);
    const diagnosis::LayeredDiagnosis found =
        diagnose_layers(file, expectation ? &*expectation : nullptr);
    const std::size_t place = worst_layer(file, found);
    DiagnoseState state = analysed(file.read(place), expected);
    state.analysis.diagnosis = found.whole;
    state.layer = file.layers()[place];
    return state;
}

DiagnoseState of_made(const Scene& scene, const std::optional<RopeSpec>& expected) {
    const MadeDump made =
        make_dump_of(rope_spec(scene), scene.dump_fault, scene.dump_fault_in == "q_and_k");
    DiagnoseState state = analysed(made.dump, expected);
    state.origin = "made";
    state.fault = made.fault;
    state.unseen = made.unseen ? scene.dump_fault : "";
    return state;
}

DiagnoseState of_file(const std::string& path, const std::optional<RopeSpec>& expected) {
    try {
        const auto file = diagnosis::DumpFile::open(path);
        DiagnoseState state = file.layers().empty() ? analysed(file.read(), expected)
                                                    : analysed_layers(file, expected);
        state.origin = printable(fs::path(path).filename().string(), 60);
        return state;
    } catch (const InputError& error) {
        throw InputError(fmt::format("dump: {}", error.what()));
    }
}

bool is_fault(const diagnosis::Finding& finding) {
    return finding.weight == diagnosis::Weight::fault;
}

}  // namespace

bool DiagnoseState::has_angles(const diagnosis::Explanation& side) {
    return side.pairing.kind == diagnosis::PairingKind::found && side.turns.pairs > 0 &&
           !side.stated.empty();
}

const diagnosis::Explanation* DiagnoseState::shown() const {
    const auto& findings = diagnosis().findings;
    const auto first_fault = std::ranges::find_if(findings, is_fault);
    const bool of_k =
        first_fault != findings.end() && first_fault->place.sides == diagnosis::Side::k;
    const diagnosis::Explanation* first = nullptr;
    for (const diagnosis::Explanation& side : analysis.sides) {
        if (has_angles(side) && (first == nullptr || (of_k && side.side == diagnosis::Side::k))) {
            first = &side;
        }
    }
    return first;
}

Index DiagnoseState::channels() const {
    Index channels = expected ? expected->head_dim : 0;
    for (const diagnosis::Explanation& side : analysis.sides) {
        channels = std::max(channels, side.head_dim);
    }
    return channels;
}

Index DiagnoseState::pairs() const {
    Index pairs = std::ssize(expected_inv_freq_rad);
    for (const diagnosis::Explanation& side : analysis.sides) {
        pairs = std::max<Index>(pairs, std::ssize(side.pairing.rotated));
    }
    return pairs;
}

double DiagnoseState::distance_rad(const diagnosis::Explanation& side, Index token,
                                   Index pair) const {
    const Index row = token / side.turns.length, t = token % side.turns.length;
    const std::size_t at = side.turns.at(row, t, pair);
    if (!std::isfinite(side.turns.error_rad[at])) {
        return kUnknown;
    }
    std::optional<double> wanted;
    if (expected) {
        const bool turns = pair < std::ssize(expected_inv_freq_rad);
        wanted = (turns ? expected_inv_freq_rad[pair] : 0.0) * side.stated[token];
    } else {
        wanted = diagnosis::explained_angle_rad(side, row, t, pair);
    }
    return wanted ? std::abs(diagnosis::wrapped(side.turns.angle_rad[at] - *wanted)) : kUnknown;
}

double DiagnoseState::speed_rad(const diagnosis::Explanation& side, Index pair) {
    if (side.axis_map) {
        return side.axis_map->axis[pair] >= 0 ? side.axis_map->omega[pair] : kUnknown;
    }
    if (!side.speeds.known() || std::abs(side.speeds.omega[pair]) <= side.speeds.error[pair]) {
        return kUnknown;
    }
    return side.speeds.omega[pair];
}

double DiagnoseState::moved(const diagnosis::Explanation& side, Index token) {
    if (side.places.position.empty()) {
        return kUnknown;
    }
    const double found = side.places.position[token], error = side.places.error[token];
    const double moved = found - side.stated[token];
    // A position is whole where its error allows it.
    return std::abs(moved - std::round(moved)) <= 2.0 * error + 1e-6 ? std::round(moved) : moved;
}

std::shared_ptr<const DiagnoseState> make_diagnose_state(const Scene& scene, const Work& work) {
    std::optional<RopeSpec> expected;
    if (scene.dump_expected) {
        expected = rope_spec(scene);
    }
    if (scene.dump == "made") {
        return std::make_shared<const DiagnoseState>(of_made(scene, expected));
    }
    const FileKey key{scene.dump, time_of(scene.dump), expected};
    auto& known = work.cache->results<KnownDumps>().memo;
    if (work.may_draft) {
        return known.find(key);
    }
    return known.get(key, [&] { return of_file(scene.dump, expected); });
}

}  // namespace ropescope::figures
