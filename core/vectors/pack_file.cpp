// Writes the index and the arrays of a pack.
#include "core/vectors/pack_file.h"

#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/digest.h"
#include "core/base/file.h"
#include "core/base/write_folder.h"
#include "core/formats/json_object.h"
#include "core/formats/safetensors.h"

namespace ropescope::vectors {
namespace {

using Json = nlohmann::ordered_json;

std::string wrong_name(const std::string& id, std::size_t number) {
    return fmt::format("{}/wrong{}", id, number);
}

std::string tolerance_name(const RotationCase& made, std::size_t dtype) {
    return fmt::format("{}/tolerance/{}", made.id, to_string(kResultDtypes[dtype]));
}

/// To sixteenths, so that the text is the same everywhere.
double rounded_up(double tolerances) {
    return std::ceil(tolerances * 16) / 16;
}

Json rotation_json(const RotationCase& made) {
    Json entry{
        {"id", made.id},         {"model", made.model},
        {"part", made.part},     {"config", Json::parse(with_quoted_numbers(made.config_json))},
        {"layout", made.layout}, {"axes", made.axes}};
    if (!made.inferred.empty()) {
        entry["confidence"] = "inferred";
        entry["inferred"] = made.inferred;
        entry["layout_is_assumed"] = made.layout_is_assumed;
    }
    if (made.seq_len > 0) {
        entry["seq_len"] = made.seq_len;
    }
    entry["flags"] = made.flags;
    entry["inputs"] = {{"x", made.id + "/x"}, {"positions", made.id + "/positions"}};
    if (made.norm) {
        entry["inputs"]["weight"] = made.id + "/weight";
        entry["norm"] = {{"kind", to_string(made.norm->kind)},
                         {"eps", made.norm->eps},
                         {"order", to_string(made.norm->order)}};
    }
    entry["expected"] = made.id + "/expected";
    for (std::size_t i = 0; i < kResultDtypes.size(); ++i) {
        entry["tolerance"][std::string(to_string(kResultDtypes[i]))] = tolerance_name(made, i);
    }
    entry["wrong"] = Json::array();
    for (std::size_t i = 0; i < made.wrong.size(); ++i) {
        entry["wrong"].push_back({{"code", made.wrong[i].code},
                                  {"text", made.wrong[i].text},
                                  {"answer", wrong_name(made.id, i)},
                                  {"tolerances", rounded_up(made.wrong[i].tolerances)}});
    }
    return entry;
}

Json position_json(const PositionCase& made) {
    Json entry{{"id", made.id},
               {"model", made.model},
               {"runtime", made.runtime},
               {"flags", made.flags},
               {"inputs", {{"layout", Json::parse(made.layout_json)}}},
               {"expected", made.id + "/expected"},
               {"wrong", Json::array()}};
    if (!made.expected.deltas.empty()) {
        entry["deltas"] = made.expected.deltas;
    }
    for (std::size_t i = 0; i < made.wrong.size(); ++i) {
        Json wrong{{"code", made.wrong[i].code},
                   {"text", made.wrong[i].text},
                   {"answer", wrong_name(made.id, i)}};
        if (!made.wrong[i].ids.deltas.empty()) {
            wrong["deltas"] = made.wrong[i].ids.deltas;
        }
        entry["wrong"].push_back(std::move(wrong));
    }
    return entry;
}

void add_rotation(std::vector<Tensor>& tensors, const RotationCase& made) {
    const faults::HeadShape& size = made.plan.shape;
    const std::vector<std::int64_t> shape = {size.batch, size.heads, size.length, size.head_dim};
    const auto add = [&](std::string name, Dtype dtype, const std::vector<double>& values) {
        tensors.push_back(make_tensor_as(dtype, std::move(name), shape, values));
    };
    add(made.id + "/x", Dtype::f32, made.input);
    tensors.push_back(make_tensor_as(Dtype::f64, made.id + "/positions",
                                     {made.plan.axes, size.batch, size.length},
                                     made.plan.positions));
    if (made.norm) {
        tensors.push_back(make_tensor_as(Dtype::f32, made.id + "/weight", {std::ssize(made.weight)},
                                         made.weight));
    }
    add(made.id + "/expected", Dtype::f64, made.expected);
    for (std::size_t i = 0; i < kResultDtypes.size(); ++i) {
        add(tolerance_name(made, i), Dtype::f32, made.tolerance[i]);
    }
    for (std::size_t i = 0; i < made.wrong.size(); ++i) {
        add(wrong_name(made.id, i), Dtype::f32, made.wrong[i].values);
    }
}

Tensor ids_tensor(std::string name, const MultimodalIds& ids) {
    return make_tensor(std::move(name), {3, ids.batch, ids.length},
                       std::span<const std::int64_t>(ids.ids));
}

}  // namespace

std::string index_json(const Pack& pack, const std::string& data_file,
                       std::string_view data_digest) {
    Json cases = Json::array();
    for (const RotationCase& made : pack.rotations) {
        cases.push_back(rotation_json(made));
    }
    for (const PositionCase& made : pack.positions) {
        cases.push_back(position_json(made));
    }
    const Json index{{"format", 1},
                     {"pack", pack.name},
                     {"data", data_file},
                     {"data_fnv1a", data_digest},
                     {"cases", cases}};
    return index.dump(1) + "\n";
}

std::vector<Tensor> pack_tensors(const Pack& pack) {
    std::vector<Tensor> tensors;
    for (const RotationCase& made : pack.rotations) {
        add_rotation(tensors, made);
    }
    for (const PositionCase& made : pack.positions) {
        tensors.push_back(ids_tensor(made.id + "/expected", made.expected));
        for (std::size_t i = 0; i < made.wrong.size(); ++i) {
            tensors.push_back(ids_tensor(wrong_name(made.id, i), made.wrong[i].ids));
        }
    }
    return tensors;
}

void write_pack(const std::filesystem::path& folder, const Pack& pack) {
    const std::string data = pack.name + ".safetensors";
    const std::vector<Tensor> tensors = pack_tensors(pack);
    FolderUnderWay files(folder);
    // The digest tells an index from one whose arrays were written over and which was not, because
    // the program was ended between the two.
    std::string index;
    files.write_by(data, [&](const std::filesystem::path& arrays) {
        write_safetensors(arrays, tensors, {{"format", "ropescope vectors 1"}});
        index = index_json(pack, data, fnv1a(read_file(arrays)));
    });
    files.write("index.json", index);
    files.publish();
}

}  // namespace ropescope::vectors
