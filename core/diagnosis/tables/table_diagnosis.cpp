// Turns (1, 0) by a table and explains what comes out, as of any dump.
#include "core/diagnosis/tables/table_diagnosis.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>

#include "core/base/characters.h"
#include "core/base/error.h"
#include "core/base/record.h"
#include "core/diagnosis/held/phrases.h"
#include "core/diagnosis/phrases.h"
#include "core/diagnosis/report.h"
#include "core/diagnosis/tables/table_entries.h"
#include "core/faults/codes.h"
#include "core/formats/presets.h"
#include "core/rope/spectrum.h"
#include "core/scaling/method.h"

namespace ropescope::diagnosis {
namespace {

using Json = nlohmann::ordered_json;

/// Frequencies are looked at by the angles of these positions: enough of them to see each speed,
/// and none so far that a speed could be taken for another one.
constexpr Index kLookedAt = 64;

/// How a rotation uses the table: which channels it pairs, in a head of how many.
struct Use {
    Layout layout = Layout::half_split;
    Index head_dim = 0;
    double base = 0.0;  ///< of factors
    double gain = 1.0;  ///< the expected factor on cos and sin, which frequencies do not have
};

/// The embedding of the expectation that is as wide as the table.
const RopeSpec* fitting_spec(const RopeTable& table, const Expectation* expectation) {
    if (expectation == nullptr) {
        return nullptr;
    }
    const auto found = std::ranges::find(expectation->specs, table.pairs, &RopeSpec::pairs);
    return found == expectation->specs.end() ? nullptr : &*found;
}

Use use_of(const RopeTable& table, const Expectation* expectation) {
    Use use{.layout = table.layout.value_or(Layout::half_split), .head_dim = 2 * table.pairs};
    if (const RopeSpec* spec = fitting_spec(table, expectation)) {
        use.layout = table.layout.value_or(spec->layout);
        use.head_dim = spec->head_dim;
        use.base = spec->base;
        use.gain = make_spectrum(*spec).attention_factor;
    } else if (expectation != nullptr && !expectation->schemes.empty()) {
        const RotaryScheme& scheme = expectation->schemes.front();
        if (scheme.pair_count() == table.pairs) {
            use.head_dim = scheme.head_dim;
            use.layout = layout_of(scheme.pairs).value_or(use.layout);
        }
    }
    return use;
}

/// The table of frequencies, in double: what they are is seen by the angles that they make.
RopeTable with_angles(RopeTable table, std::span<const double> frequencies, double gain) {
    table.rows = kLookedAt;
    for (Index row = 0; row < table.rows; ++row) {
        table.positions.push_back(to_double(row));
        for (const double frequency : frequencies) {
            table.cos.push_back(gain * std::cos(to_double(row) * frequency));
            table.sin.push_back(gain * std::sin(to_double(row) * frequency));
        }
    }
    return table;
}

std::vector<double> frequencies_of(const RopeTable& table, double base) {
    if (table.form == TableForm::frequencies) {
        return table.values;
    }
    std::vector<double> frequencies;
    for (Index pair = 0; pair < table.pairs; ++pair) {
        frequencies.push_back(std::pow(base, -to_double(pair) / to_double(table.pairs)) /
                              table.values[pair]);
    }
    return frequencies;
}

/// Channels of a head behind the rotation by a row of the table; those behind the pairs stay.
Dump dump_of(const RopeTable& table, const Use& use) {
    const Index width = use.head_dim;
    std::vector<double> before(width, 1.0), after;
    const auto pairs = [&] {
        std::vector<ChannelPair> all;
        for (Index pair = 0; pair < table.pairs; ++pair) {
            all.push_back(pair_channels(use.layout, 2 * table.pairs, pair));
        }
        return all;
    }();
    for (const ChannelPair& pair : pairs) {
        before[pair.second] = 0.0;
    }
    after.reserve(static_cast<std::size_t>(table.rows) * width);
    std::vector<double> turned(width, 1.0);
    for (Index row = 0; row < table.rows; ++row) {
        for (Index pair = 0; pair < table.pairs; ++pair) {
            turned[pairs[pair].first] = table.cos[row * table.pairs + pair];
            turned[pairs[pair].second] = table.sin[row * table.pairs + pair];
        }
        after.insert(after.end(), turned.begin(), turned.end());
    }
    const Dtype dtype = table.form == TableForm::cos_sin ? table.format.dtype : Dtype::f64;
    const auto tensors = std::make_shared<std::vector<Tensor>>();
    tensors->push_back(make_tensor_as(dtype, "q", {1, width}, before));
    tensors->push_back(make_tensor_as(dtype, "q_rot", {table.rows, width}, after));
    DumpSide side{placed((*tensors)[0].view(), "ld"), placed((*tensors)[1].view(), "ld")};
    side.before.length = table.rows;
    side.before.position_stride = 0;  // every row is turned from the same vector
    return {.q = side,
            .q_positions = DumpPositions{.length = table.rows, .values = table.positions},
            .axes = "ld",
            .owner = tensors};
}

/// The published model whose scaling divides frequencies by these factors.
const ModelConfig* model_with(const RopeTable& factors) {
    for (const ModelConfig& model : model_presets()) {
        if (model.rope.pairs() != factors.pairs ||
            std::holds_alternative<NoScaling>(model.rope.scaling)) {
            continue;
        }
        RopeSpec plain = model.rope;
        plain.scaling = NoScaling{};
        const Spectrum scaled = make_spectrum(model.rope), unscaled = make_spectrum(plain);
        bool same = true;
        for (Index pair = 0; pair < factors.pairs && same; ++pair) {
            const double factor = unscaled.inv_freq_rad[pair] / scaled.inv_freq_rad[pair];
            // The factor is computed in fp32 of two frequencies and rounded once.
            same = std::abs(factors.values[pair] - factor) <=
                   (2.0 * angle_units(plain.base) * kUnitOfF32 + factors.format.unit) * factor;
        }
        if (same) {
            return &model;
        }
    }
    return nullptr;
}

/// A turn or a reflection behind q and k is not noticed by scores; in a table it is another
/// rotation. Rows that all stand at one offset may be used so.
void hold_to_the_letter(Diagnosis& diagnosis) {
    for (Finding& finding : diagnosis.findings) {
        if (finding.weight == Weight::equivalent &&
            finding.code != faults::code("positions.offset")) {
            finding.weight = Weight::fault;
            finding.words = say::kTableOfAnotherRotation;
            diagnosis.mismatches.push_back(finding);
        }
    }
    if (diagnosis.verdict == Verdict::equivalent && !diagnosis.mismatches.empty()) {
        diagnosis.verdict = Verdict::invalid;
        diagnosis.gist = diagnosis.mismatches.front().words;
    }
}

/// The rotation of a vector rounds more often than its table, so that numbers of a table may be
/// wrong that a rotation by them would not show.
void hold_entries(const RopeTable& table, const Expectation& expectation, const Use& use,
                  Diagnosis& diagnosis) {
    const bool passes = diagnosis.mismatches.empty() && (diagnosis.verdict == Verdict::valid ||
                                                         diagnosis.verdict == Verdict::equivalent);
    const double offset = diagnosis.position_offset.value_or(0.0);
    std::optional<WrongEntries> wrong =
        passes ? wrong_entries(table, expectation, use.head_dim, offset) : std::nullopt;
    if (!wrong) {
        return;
    }
    diagnosis.mismatches.push_back(std::move(wrong->mismatch));
    diagnosis.verdict = Verdict::invalid;
    diagnosis.gist = diagnosis.mismatches.front().words;
    if (wrong->named) {
        diagnosis.gist = wrong->named->words;
        diagnosis.findings.insert(diagnosis.findings.begin(), *std::move(wrong->named));
    }
}

TableDiagnosis diagnose_table(RopeTable table, const Expectation* expectation) {
    TableDiagnosis found;
    Use use = use_of(table, expectation);
    if (table.form == TableForm::factors && use.base == 0.0) {
        if (expectation != nullptr) {
            throw InputError(fmt::format("{}: {} factors, and {} has no embedding of as many pairs",
                                         printable(table.name), table.pairs, expectation->name));
        }
        const ModelConfig* const model = model_with(table);
        if (model == nullptr) {
            found.table = std::move(table);
            found.diagnosis.gist = say::kFactorsAlone;
            found.diagnosis.next.emplace_back(say::kGiveBaseOfFactors);
            return found;
        }
        found.known_as = model->title;
        use.base = model->rope.base;
    }
    if (table.form != TableForm::cos_sin) {
        const std::vector<double> frequencies = frequencies_of(table, use.base);
        table = with_angles(std::move(table), frequencies, use.gain);
    }
    std::optional<Expectation> forward;
    if (expectation != nullptr) {
        forward = *expectation;
        forward->backwards = false;  // the direction is that of the code, and not of its table
        forward->layers_without.clear();
    }
    found.diagnosis = diagnose(dump_of(table, use), forward ? &*forward : nullptr);
    if (forward) {
        hold_to_the_letter(found.diagnosis);
        hold_entries(table, *forward, use, found.diagnosis);
    }
    found.table = std::move(table);
    return found;
}

std::string width_text(const RopeTable& table) {
    if (table.form != TableForm::cos_sin) {
        return "a number for each pair";
    }
    return table.layout
               ? fmt::format("full, each number twice for {} pairs", layout_word(*table.layout))
               : "half, a number for each pair";
}

Record record_of(const TableDiagnosis& found) {
    const RopeTable& table = found.table;
    const bool cos_sin = table.form == TableForm::cos_sin;
    return {{"name", "table", table.name, printable(table.name)},
            {"form", "", std::string(to_string(table.form))},
            {"pairs", "pairs", table.pairs, fmt::format("{}", table.pairs)},
            {"rows", cos_sin ? "rows" : "", cos_sin ? Json(table.rows) : Json(nullptr),
             fmt::format("{}", table.rows)},
            {"width", "width",
             table.layout ? Json(std::string(to_string(*table.layout))) : Json(nullptr),
             width_text(table)},
            {"known_as", found.known_as.empty() ? "" : "known as",
             found.known_as.empty() ? Json(nullptr) : Json(found.known_as), found.known_as}};
}

const TableDiagnosis& worst_of(const std::vector<TableDiagnosis>& found) {
    const auto rank = [](const TableDiagnosis& each) {
        return std::pair(!each.passes(), each.diagnosis.verdict);
    };
    return *std::ranges::max_element(found, {}, rank);
}

/// The channels of q are ours, so that nothing is said about their order unless the table does.
Diagnosis of_table_alone(const TableDiagnosis& found) {
    Diagnosis diagnosis = found.diagnosis;
    diagnosis.tensor_axes.clear();
    diagnosis.axes_reason.clear();
    // The five texts are codes, of which a table is only a part.
    diagnosis.matches.clear();
    std::erase_if(diagnosis.findings,
                  [](const Finding& finding) { return finding.code.starts_with("matches."); });
    if (!found.table.layout) {
        diagnosis.layout.clear();
        std::erase_if(diagnosis.findings, [](const Finding& finding) {
            return finding.weight == Weight::note && finding.code.starts_with("layout");
        });
    }
    return diagnosis;
}

}  // namespace

std::string TableDiagnosis::summary() const {
    const bool named =
        diagnosis.verdict == Verdict::valid && diagnosis.base && diagnosis.mismatches.empty();
    if (!named) {
        return diagnosis.summary();
    }
    const std::string reach =
        table.form == TableForm::cos_sin
            ? fmt::format(", positions {:g} to {:g}", std::ranges::min(table.positions),
                          std::ranges::max(table.positions))
            : "";
    return fmt::format("valid: {} pairs{}, base {:.10g}, scaling {}", table.pairs, reach,
                       *diagnosis.base,
                       diagnosis.scaling ? scaling_type(*diagnosis.scaling) : "default");
}

std::vector<TableDiagnosis> diagnose_tables(std::vector<RopeTable> tables,
                                            const Expectation* expectation) {
    std::vector<TableDiagnosis> found;
    for (RopeTable& table : tables) {
        found.push_back(diagnose_table(std::move(table), expectation));
    }
    return found;
}

bool passes(const std::vector<TableDiagnosis>& found) {
    return std::ranges::all_of(found, &TableDiagnosis::passes);
}

std::string tables_text(const std::vector<TableDiagnosis>& found) {
    std::string text;
    for (const TableDiagnosis& each : found) {
        const std::string all = diagnosis_text(of_table_alone(each));
        // Its first line speaks of channels, ours of the table.
        text += each.summary() + "\n";
        for (const Entry& entry : record_of(each)) {
            text += entry.label.empty() ? "" : fmt::format("  {:<14}{}\n", entry.label, entry.text);
        }
        text += all.substr(all.find('\n') + 1);
    }
    return text;
}

std::string tables_json(const std::vector<TableDiagnosis>& found) {
    const TableDiagnosis& worst = worst_of(found);
    Json json{{"verdict", std::string(to_string(worst.diagnosis.verdict))},
              {"summary", worst.summary()},
              {"tables", Json::array()}};
    for (const TableDiagnosis& each : found) {
        Json table = json_of(record_of(each));
        table.update(diagnosis_object(of_table_alone(each)));
        table["summary"] = each.summary();
        json["tables"].push_back(std::move(table));
    }
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace ropescope::diagnosis
