// Makes or reads the tensors of the diagnose view, and explains them.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/figures/diagnose/diagnose.h"
#include "app/figures/shared/file_time.h"
#include "core/base/characters.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/memo.h"
#include "core/base/uniform.h"
#include "core/diagnosis/layers.h"
#include "core/diagnosis/read_dump.h"
#include "core/faults/rotation/catalogue.h"
#include "core/formats/tensor.h"
#include "core/rope/qk_norm.h"
#include "core/rope/spectrum.h"

namespace ropescope::figures {
namespace {

constexpr Index kLength = 40;
constexpr Index kFirstPositions[] = {0, 4076};

std::vector<double> made_positions() {
    std::vector<double> positions;
    for (const Index first : kFirstPositions) {
        for (Index token = 0; token < kLength; ++token) {
            positions.push_back(to_double(first + token));
        }
    }
    return positions;
}

/// Numbers between -1 and 1 that fp32 holds exactly.
std::vector<double> made_content(Index count, std::uint64_t seed) {
    std::vector<double> content;
    for (Index i = 0; i < count; ++i) {
        content.push_back(static_cast<float>(2.0 * uniform(seed, i) - 1.0));
    }
    return content;
}

std::optional<faults::RotationPlan> faulty_plan(const faults::FaultSubject& subject,
                                                const std::string& code, MadeDump& made) {
    for (const faults::RotationFault& fault : faults::rotation_faults()) {
        if (fault.code != code) {
            continue;
        }
        if (std::optional<faults::RotationPlan> plan = fault.make(subject)) {
            made.fault = fault.text;
            return plan;
        }
    }
    return std::nullopt;
}

}  // namespace

MadeDump make_dump_of(const RopeSpec& given, const std::string& code, bool in_both) {
    const std::vector<double> positions = made_positions();
    const faults::HeadShape shape{.batch = std::ssize(kFirstPositions),
                                  .heads = 2,
                                  .length = kLength,
                                  .head_dim = given.head_dim};
    RopeSpec spec = given;
    if (spec.seq_len == 0) {
        spec.seq_len = round_to_index(positions.back()) + 1;
    }
    const faults::FaultSubject subject{faults::plan_of(scheme_of(spec), shape, positions), &spec};
    MadeDump made;
    const std::optional<faults::RotationPlan> faulty = faulty_plan(subject, code, made);
    made.unseen = code != "none" && !faulty;

    const std::vector<std::int64_t> sizes = {shape.batch, shape.heads, shape.length,
                                             shape.head_dim};
    const auto tensors = std::make_shared<std::vector<Tensor>>();
    const auto add_side = [&](const std::string& name, std::uint64_t seed, bool wrong) {
        const std::vector<double> before = made_content(shape.size(), seed);
        const std::vector<double> after =
            faults::rotated(wrong && faulty ? *faulty : subject.right, before);
        tensors->push_back(make_tensor_as(Dtype::f32, name, sizes, before));
        tensors->push_back(make_tensor_as(Dtype::f32, name + "_rot", sizes, after));
    };
    add_side("q", 1, in_both);
    add_side("k", 2, true);
    tensors->push_back(make_tensor("positions", {shape.batch, shape.length}, positions));
    std::vector<TensorBytes> views;
    for (const Tensor& tensor : *tensors) {
        views.push_back(tensor.view());
    }
    made.dump =
        diagnosis::make_dump(views, tensors, "dump", {.axes = "bhld", .position_axes = "bl"});
    return made;
}

namespace {

namespace fs = std::filesystem;
constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

/// Tells dumps apart, and a file from itself after it has been written again.
struct FileKey {
    std::string path = {};
    std::optional<fs::file_time_type> written = {};
    std::string names = {}, axes = {}, position_axes = {};
    std::optional<QkNorm> norm = {};
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

std::vector<SideShape> shapes_of(const diagnosis::Dump& dump) {
    using diagnosis::Side;
    std::vector<SideShape> shapes;
    for (const auto& [side, name] : {std::pair(&dump.q, Side::q), std::pair(&dump.k, Side::k)}) {
        if (*side) {
            const diagnosis::DumpTensor& tensor = (*side)->before;
            shapes.push_back({name, tensor.batch, tensor.heads, tensor.length});
        }
    }
    return shapes;
}

/// The norm that the user says; empty: as the file's tensors show.
std::optional<QkNorm> norm_of(const Scene& scene) {
    const std::optional<NormKind> kind = enum_value<NormKind>(scene.dump_norm);
    return kind ? std::optional(QkNorm{*kind, scene.dump_norm_eps,
                                       *enum_value<NormOrder>(scene.dump_norm_order)})
                : std::nullopt;
}

/// What the user calls the tensors, their axes and their norm, as for the command `diagnose`.
diagnosis::DumpOptions options_of(const Scene& scene) {
    const auto given = [](const std::string& text, std::string_view usual) {
        return text == usual ? std::string() : text;
    };
    const std::string names = given(scene.dump_map, Scene().dump_map);
    return {.axes = given(scene.dump_axes, Scene().dump_axes),
            .position_axes = given(scene.dump_position_axes, Scene().dump_position_axes),
            .names = names.empty() ? std::map<std::string, std::string>()
                                   : diagnosis::parse_names(names),
            .norm = norm_of(scene)};
}

DiagnoseState analysed(const diagnosis::Dump& dump, const std::optional<RopeSpec>& expected) {
    DiagnoseState state;
    state.shapes = shapes_of(dump);
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

DiagnoseState of_file(const Scene& scene, const std::optional<RopeSpec>& expected) {
    try {
        // A scene or a link names it: a pipe would keep the window waiting.
        const OpenedFile regular(scene.dump, Allowed::regular_file);
        diagnosis::DumpOptions options = options_of(scene);
        options.head_dim = expected ? expected->head_dim : 0;
        const auto file = diagnosis::DumpFile::open(scene.dump, options);
        DiagnoseState state = file.layers().empty() ? analysed(file.read(), expected)
                                                    : analysed_layers(file, expected);
        state.origin = printable(fs::path(scene.dump).filename().string(), 60);
        throw_if_pages_were_lost();
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

double DiagnoseState::angle_rad(const diagnosis::Explanation& side, Index token, Index pair) {
    const Index row = token / side.turns.length, t = token % side.turns.length;
    return diagnosis::wrapped(side.turns.angle_rad[side.turns.at(row, t, pair)] + side.phase_rad);
}

double DiagnoseState::distance_rad(const diagnosis::Explanation& side, Index token,
                                   Index pair) const {
    const Index row = token / side.turns.length, t = token % side.turns.length;
    if (!std::isfinite(side.turns.error_rad[side.turns.at(row, t, pair)])) {
        return kUnknown;
    }
    std::optional<double> wanted;
    if (expected) {
        const bool turns = pair < std::ssize(expected_inv_freq_rad);
        wanted = (turns ? expected_inv_freq_rad[pair] : 0.0) * side.stated[token];
    } else {
        wanted = diagnosis::explained_angle_rad(side, row, t, pair);
        if (wanted) {
            *wanted += side.phase_rad;
        }
    }
    return wanted ? std::abs(diagnosis::wrapped(angle_rad(side, token, pair) - *wanted)) : kUnknown;
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

double DiagnoseState::wanted_speed_rad(const diagnosis::Explanation& side, Index pair) const {
    const std::vector<double>* const speeds = expected     ? &expected_inv_freq_rad
                                              : side.model ? &side.model->omega
                                                           : nullptr;
    const bool known = speeds != nullptr && pair < std::ssize(*speeds);
    return known && (*speeds)[pair] != 0.0 ? (*speeds)[pair] : kUnknown;
}

DiagnoseState::Ratio DiagnoseState::speed_ratio(const diagnosis::Explanation& side,
                                                Index pair) const {
    const double wanted = wanted_speed_rad(side, pair);
    if (side.axis_map) {
        return {speed_rad(side, pair) / wanted, 0.0};
    }
    const bool known = side.speeds.known() && pair < std::ssize(side.speeds.omega);
    if (!known || std::isnan(wanted) || side.speeds.error[pair] > std::abs(wanted)) {
        return {kUnknown, kUnknown};
    }
    // Speeds are known but for whole turns between two tokens, so the difference is what counts.
    return {1.0 + side.speeds.difference(pair, wanted) / wanted,
            side.speeds.error[pair] / std::abs(wanted)};
}

std::vector<diagnosis::Residual> DiagnoseState::unexplained() const {
    std::vector<diagnosis::Residual> drawn = diagnosis().unexplained;
    std::erase_if(drawn, [&](const diagnosis::Residual& left) {
        return layer && !left.layers.empty() &&
               std::ranges::find(left.layers, *layer) == left.layers.end();
    });
    return drawn;
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
    const FileKey key{.path = scene.dump,
                      .written = time_of(scene.dump),
                      .names = scene.dump_map,
                      .axes = scene.dump_axes,
                      .position_axes = scene.dump_position_axes,
                      .norm = norm_of(scene),
                      .expected = expected};
    auto& known = work.cache->results<KnownDumps>().memo;
    if (work.may_draft) {
        return known.find(key);
    }
    return known.get(key, [&] { return of_file(scene, expected); });
}

}  // namespace ropescope::figures
