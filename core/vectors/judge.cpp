// Reads an index as a stranger's program would, and compares.
#include "core/vectors/judge.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>

#include "core/base/characters.h"
#include "core/base/digest.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/faults/codes.h"
#include "core/formats/config_object.h"
#include "core/formats/config_text.h"
#include "core/formats/json_object.h"
#include "core/formats/json_reader.h"
#include "core/formats/safetensors.h"
#include "core/models/model.h"
#include "core/vectors/fused_case.h"
#include "core/vectors/naming.h"
#include "core/vectors/own_config.h"
#include "core/vectors/pack_entry.h"
#include "core/vectors/rotation_case.h"

namespace ropescope::vectors {
namespace {

namespace fs = std::filesystem;

/// The index for each axis of a tensor of the place `at` in its row-major numbers.
std::vector<Index> index_at(std::size_t at, const std::vector<std::int64_t>& shape) {
    std::vector<Index> index(shape.size());
    auto rest = static_cast<Index>(at);
    for (std::size_t axis = shape.size(); axis-- > 0;) {
        index[axis] = rest % shape[axis];
        rest /= shape[axis];
    }
    return index;
}

void measure(CaseJudgement& judgement, std::span<const double> answer,
             std::span<const double> expected, std::span<const double> tolerance,
             const std::vector<std::int64_t>& shape) {
    judgement.numbers = std::ssize(answer);
    for (std::size_t i = 0; i < answer.size(); ++i) {
        const double off = std::abs(answer[i] - expected[i]);
        if (off <= tolerance[i]) {
            continue;
        }
        ++judgement.off;
        const double scaled = tolerance[i] > 0 ? off / tolerance[i] : off;
        const double in_tolerances =
            std::isfinite(scaled) ? scaled : std::numeric_limits<double>::infinity();
        if (in_tolerances > judgement.worst_in_tolerances) {
            judgement.worst_in_tolerances = in_tolerances;
            judgement.worst_at = index_at(i, shape);
        }
    }
}

/// Deltas that an answer has, `ID/deltas`; empty if it has none.
std::vector<std::int64_t> answered_deltas(const NamedTensors& results, const std::string& id) {
    const TensorBytes* deltas = results.find(id + "/deltas");
    return deltas == nullptr ? std::vector<std::int64_t>{} : to_i64(*deltas);
}

/// Whether deltas are those of an entry of the index, or were not answered.
bool deltas_agree(const std::vector<std::int64_t>& answered, const ConfigObject& entry) {
    const nlohmann::json* listed = entry.find("deltas");
    return answered.empty() || listed == nullptr ||
           std::ranges::equal(answered, *listed,
                              [](std::int64_t one, const auto& other) { return other == one; });
}

/// An answer that is not right, beside the wrong ones of the index.
struct WrongComparison {
    const TensorBytes& answer;
    const std::vector<double>& values;
    const std::vector<double>& wanted;
    const std::vector<double>& tolerance;
    const std::vector<std::int64_t>& deltas;
};

/// Position ids are whole numbers, so that a wrong answer is that or is not.
bool are_those_ids(const WrongComparison& asked, const ConfigObject& fault,
                   std::span<const double> wrong) {
    return std::ranges::equal(asked.values, wrong) && deltas_agree(asked.deltas, fault);
}

/// [batch, heads, length, head_dim] of a rotation; empty for ids.
std::optional<faults::HeadShape> head_shape(const TensorBytes& tensor) {
    const std::vector<std::int64_t>& shape = tensor.shape;
    return shape.size() == 4
               ? std::optional(faults::HeadShape{shape[0], shape[1], shape[2], shape[3]})
               : std::nullopt;
}

/// Whether the answer is the right one in the order [batch, length, heads, head_dim].
bool is_in_other_order(const WrongComparison& asked) {
    const std::optional<faults::HeadShape> shape = head_shape(asked.answer);
    if (!shape || shape->heads == 1 || shape->length == 1) {
        return false;
    }
    const faults::HeadShape exchanged{shape->batch, shape->length, shape->heads, shape->head_dim};
    for (Index b = 0; b < shape->batch; ++b) {
        for (Index h = 0; h < shape->heads; ++h) {
            for (Index l = 0; l < shape->length; ++l) {
                const auto row = [&](std::span<const double> all, Index first) {
                    return all.subspan(static_cast<std::size_t>(first),
                                       static_cast<std::size_t>(shape->head_dim));
                };
                const Index right = shape->row(b, h, l);
                if (!within(row(asked.values, exchanged.row(b, l, h)), row(asked.wanted, right),
                            row(asked.tolerance, right))) {
                    return false;
                }
            }
        }
    }
    return true;
}

/// The part of the model that the case is of, at the length of its sequence.
std::optional<Part> part_of_case(const ConfigObject& entry) {
    const nlohmann::json* config = entry.find("config");
    if (config == nullptr || !config->is_object()) {
        return std::nullopt;
    }
    try {
        if (std::optional<Part> own = part_of_own_config(*config)) {
            return own;
        }
        const Model model = parse_model(config->dump(), "config");
        const Part part = model.part(entry.text("part").value_or(""));
        const std::optional<std::int64_t> length = entry.integer("seq_len", 1, kMaxSeqLen);
        return part.spec && length ? part.at_length(*length) : part;
    } catch (const InputError&) {
        return std::nullopt;
    }
}

/// Normalises x as the entry says, so that what is left is the rotation; false if the norm stands
/// behind it, or is not one that is known.
bool take_norm(const ConfigObject& entry, const NamedTensors& data, Dtype dtype,
               const faults::HeadShape& shape, RemadeCase& made) {
    const std::optional<ConfigObject> norm = entry.object("norm");
    if (!norm) {
        return true;
    }
    const auto kind = enum_value<NormKind>(text_at(*norm, "kind"));
    const std::optional<double> eps = norm->number("eps");
    if (!kind || !eps || text_at(*norm, "order") != to_string(NormOrder::before)) {
        return false;
    }
    FusedStep step{.norm = QkNorm{.kind = *kind, .eps = *eps}};
    step.weight = to_f64(data.at(text_at(*entry.object("inputs"), "weight")));
    if (std::ssize(step.weight) != shape.head_dim) {
        return false;
    }
    made.x = normalised(step, shape, made.x);
    made.norm_share = norm_share(dtype, shape.head_dim);
    return true;
}

/// The case again, if it is that of the model's embedding.
std::optional<RemadeCase> remade(const WrongComparison& asked, const ConfigObject& entry,
                                 const NamedTensors& data) {
    const std::optional<faults::HeadShape> shape = head_shape(asked.answer);
    const std::optional<Part> part = part_of_case(entry);
    const std::optional<ConfigObject> inputs = entry.object("inputs");
    if (!shape || !part || !inputs) {
        return std::nullopt;
    }
    const Index own_heads = std::ssize(part->scheme.heads);
    std::vector<double> positions = to_f64(data.at(text_at(*inputs, "positions")));
    if (part->scheme.head_dim != shape->head_dim || (own_heads != 1 && own_heads != shape->heads) ||
        std::ssize(positions) != part->axes() * shape->batch * shape->length) {
        return std::nullopt;
    }
    RemadeCase made{.right = plan_of(part->scheme, *shape, std::move(positions)),
                    .spec = part->spec,
                    .x = numbers_of(data, text_at(*inputs, "x"), asked.answer)};
    if (!take_norm(entry, data, asked.answer.dtype, *shape, made)) {
        return std::nullopt;
    }
    const bool same = within(rotated(made.right, made.x), asked.wanted, asked.tolerance);
    return same ? std::optional(std::move(made)) : std::nullopt;
}

/// Whether the answer is what the case asks for, with channels that pair in the other layout.
bool is_right_in_other_layout(const Part& part, const TensorBytes& answer,
                              const ConfigObject& entry, const NamedTensors& data) {
    const std::vector<double> values = to_f64(answer);
    const std::vector<double> wanted = to_f64(data.at(text_at(entry, "expected")));
    const std::vector<double> tolerance = tolerance_for(entry, answer, data);
    std::optional<RemadeCase> made =
        wanted.size() == values.size()
            ? remade({answer, values, wanted, tolerance, {}}, entry, data)
            : std::nullopt;
    if (!made) {
        return false;
    }
    made->right =
        plan_of(part.in_other_layout().scheme, made->right.shape, std::move(made->right.positions));
    Exactness exactness = exactness_of(answer.dtype, made->right);
    exactness.rounding += made->norm_share;
    return within(values, rotated(made->right, made->x),
                  tolerances(made->right, made->x, exactness));
}

/// Sets what is known to make an answer that is not right.
void name_rotation(CaseJudgement& judgement, const WrongComparison& asked,
                   const ConfigObject& entry, const NamedTensors& data) {
    Naming naming({asked.values, asked.wanted, asked.tolerance, asked.answer.dtype});
    for (const nlohmann::json& wrong : list_at(entry, "wrong")) {
        const ConfigObject fault = object_of(wrong, entry, "wrong");
        naming.consider_listed(text_at(fault, "code"), text_at(fault, "text"),
                               numbers_of(data, text_at(fault, "answer"), asked.answer),
                               fault.positive("tolerances", 1e6).value_or(1.0));
    }
    judgement.faults.insert(judgement.faults.end(), naming.found().begin(), naming.found().end());
    if (!judgement.faults.empty()) {
        return;
    }
    if (is_in_other_order(asked)) {
        judgement.faults.push_back({faults::code("answer.order"),
                                    "the answer is in the order [batch, length, heads, head_dim]"});
        return;
    }
    if (const std::optional<RemadeCase> made = remade(asked, entry, data)) {
        naming.consider_catalogue(*made);
        if (naming.found().empty()) {
            naming.consider_near(*made);
        }
    }
    judgement.faults = naming.found();
    judgement.inexact =
        judgement.faults.empty() && judgement.worst_in_tolerances < naming.nearest_in_tolerances();
}

void name_ids(CaseJudgement& judgement, const WrongComparison& asked, const ConfigObject& entry,
              const NamedTensors& data) {
    for (const nlohmann::json& wrong : list_at(entry, "wrong")) {
        const ConfigObject fault = object_of(wrong, entry, "wrong");
        if (are_those_ids(asked, fault, numbers_of(data, text_at(fault, "answer"), asked.answer))) {
            judgement.faults.push_back({text_at(fault, "code"), text_at(fault, "text")});
        }
    }
}

void name_wrong(CaseJudgement& judgement, const WrongComparison& asked, const ConfigObject& entry,
                const NamedTensors& data) {
    if (!std::ranges::all_of(asked.values, [](double value) { return std::isfinite(value); })) {
        judgement.faults.push_back({faults::code("answer.not_finite"),
                                    "a number is NaN or infinite, and all must be finite"});
    }
    if (entry.object("tolerance")) {
        name_rotation(judgement, asked, entry, data);
    } else {
        name_ids(judgement, asked, entry, data);
    }
}

CaseJudgement judge_case(const ConfigObject& entry, const NamedTensors& data,
                         const NamedTensors& results) {
    CaseJudgement judgement{.id = text_at(entry, "id")};
    const TensorBytes* answer = results.find(judgement.id);
    if (answer == nullptr) {
        return judgement;
    }
    const TensorBytes& expected = data.at(text_at(entry, "expected"));
    if (answer->shape != expected.shape) {
        judgement.judged = CaseVerdict::fault;
        judgement.faults.push_back(
            {faults::code("answer.shape"),
             fmt::format("the shape is {}, and {} is expected", shape_text(answer->shape),
                         shape_text(expected.shape))});
        return judgement;
    }
    const std::vector<double> values = to_f64(*answer), wanted = to_f64(expected);
    const std::vector<double> tolerance = tolerance_for(entry, *answer, data);
    const std::vector<std::int64_t> deltas = answered_deltas(results, judgement.id);
    if (within(values, wanted, tolerance) && deltas_agree(deltas, entry)) {
        judgement.judged = CaseVerdict::right;
        return judgement;
    }
    measure(judgement, values, wanted, tolerance, answer->shape);
    name_wrong(judgement, {*answer, values, wanted, tolerance, deltas}, entry, data);
    judgement.judged = judgement.faults.empty() ? CaseVerdict::wrong : CaseVerdict::fault;
    return judgement;
}

}  // namespace

std::string text_of(const CaseJudgement& judgement) {
    std::string text;
    for (const faults::NamedFault& fault : judgement.faults) {
        text += fmt::format("{}{}: {}", text.empty() ? "" : "; or ", fault.code, fault.text);
    }
    if (judgement.judged != CaseVerdict::wrong) {
        return text;
    }
    if (judgement.inexact) {
        return fmt::format(
            "inexact by {:.3g} tolerances at [{}], less than any fault that is known: {} of {} "
            "numbers are off",
            judgement.worst_in_tolerances, fmt::join(judgement.worst_at, ", "), judgement.off,
            judgement.numbers);
    }
    return fmt::format(
        "{} of {} numbers are off, by up to {:.3g} tolerances, and no known fault gives them",
        judgement.off, judgement.numbers, judgement.worst_in_tolerances);
}

namespace {

/// Arrays of another pack would accuse right code. Packs of earlier versions have no digest.
void require_same_pack(const ConfigObject& index, const fs::path& data) {
    const std::optional<std::string> digest = index.text("data_fnv1a");
    if (digest && *digest != fnv1a(read_file(data, kMaxFileBytes, Allowed::regular_file))) {
        index.fail("data_fnv1a", fmt::format("is not the digest of {}: the two files do not belong "
                                             "together; write the pack again",
                                             printable(data.filename().string())));
    }
}

/// The cases of one part of one model, by their places in the index.
using CasesOfPart = std::vector<std::size_t>;

/// No key of the file says how channels pair, so answers that are all right in the other layout are
/// right.
void allow_other_layout(const Part& part, const CasesOfPart& cases,
                        const std::vector<ConfigObject>& entries, const NamedTensors& data,
                        const NamedTensors& answers, std::vector<CaseJudgement>& judgements) {
    const auto is_right = [&](std::size_t i) {
        const TensorBytes* const answer = answers.find(judgements[i].id);
        return answer == nullptr || is_right_in_other_layout(part, *answer, entries[i], data);
    };
    const auto judged_right = [&](std::size_t i) {
        return judgements[i].judged == CaseVerdict::right;
    };
    if (!part.spec || std::ranges::all_of(cases, judged_right) ||
        !std::ranges::all_of(cases, is_right)) {
        return;
    }
    const Part other = part.in_other_layout();
    for (const std::size_t i : cases) {
        if (judgements[i].judged != CaseVerdict::missing) {
            judgements[i] = {.id = judgements[i].id,
                             .judged = CaseVerdict::right,
                             .inferred = judgements[i].inferred,
                             .unlike_inferred = fmt::format("layout {}, inferred {}",
                                                            layout_word(other.spec->layout),
                                                            layout_word(part.spec->layout))};
        }
    }
}

/// What the index says of models that are inferred.
void judge_inferred(const std::vector<ConfigObject>& entries, const NamedTensors& data,
                    const NamedTensors& answers, std::vector<CaseJudgement>& judgements) {
    std::map<std::string, std::pair<Part, CasesOfPart>> assumed;
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const std::optional<Part> part = part_of_case(entries[i]);
        if (!part || part->inferred.empty()) {
            continue;
        }
        judgements[i].inferred = part->inferred;
        if (part->layout_is_assumed) {
            auto& [first, cases] =
                assumed
                    .try_emplace(entries[i].find("config")->dump() + part->name(), *part,
                                 CasesOfPart{})
                    .first->second;
            cases.push_back(i);
        }
    }
    for (const auto& [key, of_part] : assumed) {
        allow_other_layout(of_part.first, of_part.second, entries, data, answers, judgements);
    }
}

}  // namespace

std::vector<CaseJudgement> judge(const fs::path& folder, const fs::path& results) {
    const fs::path path = folder / "index.json";
    const std::string origin = path.string();
    const nlohmann::json parsed =
        parse_json_object(read_config_text(path, Allowed::regular_file).text, origin);
    const ConfigObject index(parsed, printable(origin));
    if (index.integer("format", 0, 1000) != 1) {
        index.fail("format", "is not 1; write the pack again with this program");
    }
    const std::string data_name = text_at(index, "data");
    if (data_name.find('/') != std::string::npos) {
        index.fail("data", "is not the name of a file beside the index");
    }
    const OpenedFile regular(folder / data_name, Allowed::regular_file);  // a pipe would wait
    require_same_pack(index, folder / data_name);
    const NamedTensors data(folder / data_name);
    const NamedTensors answers(results);
    std::vector<ConfigObject> entries;
    std::vector<CaseJudgement> judgements;
    for (const nlohmann::json& entry : list_at(index, "cases")) {
        entries.push_back(object_of(entry, index, "cases"));
        judgements.push_back(judge_case(entries.back(), data, answers));
    }
    judge_inferred(entries, data, answers, judgements);
    return judgements;
}

}  // namespace ropescope::vectors
