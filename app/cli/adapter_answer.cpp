// Reads the answers of adapters.
#include "app/cli/adapter_answer.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "core/base/characters.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/formats/json_object.h"
#include "core/formats/npy.h"
#include "core/formats/safetensors.h"

namespace ropescope::cli {
namespace {

namespace fs = std::filesystem;
using probe::Answer;
using probe::Outcome;

/// A tensor that an answer may hold, and where it goes.
struct AskedOfAnswer {
    const char* name;
    std::vector<std::int64_t> shape;
    std::optional<Tensor>* to;

    /// Whether its numbers are worth reading: what else is wrong with it is said of its header.
    bool is_as_asked(Dtype dtype, const std::vector<std::int64_t>& found) const {
        return probe::is_answer_dtype(dtype) && found == shape;
    }
};

std::vector<AskedOfAnswer> asked_of(const probe::Request& request, Answer& answer) {
    std::vector<AskedOfAnswer> asked = {{"q_rot", probe::shape_of(request.q_shape), &answer.q_rot}};
    if (request.has_keys()) {
        asked.push_back({"k_rot", probe::shape_of(request.k_shape), &answer.k_rot});
        asked.push_back({"scores", request.scores_shape(), &answer.scores});
    }
    return asked;
}

void take_from_npz(const NpzFile& file, std::span<const AskedOfAnswer> asked) {
    for (std::size_t place = 0; place < file.names().size(); ++place) {
        for (const AskedOfAnswer& tensor : asked) {
            if (file.names()[place] == tensor.name) {
                const TensorInfo found = file.list(place);
                *tensor.to = tensor.is_as_asked(found.dtype, found.shape)
                                 ? file.read(place)
                                 : Tensor{found.name, found.dtype, found.shape, {}};
            }
        }
    }
}

void take_from_safetensors(const SafetensorsFile& file, std::span<const AskedOfAnswer> asked) {
    for (const AskedOfAnswer& tensor : asked) {
        if (const TensorBytes* found = file.find(tensor.name)) {
            *tensor.to = {found->name, found->dtype, found->shape, {}};
            if (tensor.is_as_asked(found->dtype, found->shape)) {
                (*tensor.to)->bytes.assign(found->bytes.begin(), found->bytes.end());
            }
        }
    }
}

/// The message without the path of the file, which is gone when somebody reads it.
std::string without_folder(std::string message, const fs::path& file) {
    const std::string folder = file.parent_path().string() + "/";
    for (std::size_t at = 0; (at = message.find(folder)) != message.npos;) {
        message.erase(at, folder.size());
    }
    return message;
}

Answer answer_in(const fs::path& path, const probe::Request& request) {
    Answer answer;
    try {
        MappedFile bytes = OpenedFile(path, Allowed::regular_file).load(most_answer_bytes(request));
        const auto asked = asked_of(request, answer);
        if (path.extension() == ".npz") {
            take_from_npz(NpzFile(std::move(bytes), path), asked);
        } else {
            take_from_safetensors(SafetensorsFile::read(std::move(bytes), path), asked);
        }
    } catch (const InputError& error) {
        return {.outcome = Outcome::unreadable, .text = without_folder(error.what(), path)};
    }
    return answer;
}

/// The line as an object with an id; nothing if it is none, or beyond the limits of JSON.
std::optional<nlohmann::json> parsed_line(const std::string& line) {
    try {
        nlohmann::json json = parse_json_object(line, "the answer");
        return json.contains("id") ? std::optional(std::move(json)) : std::nullopt;
    } catch (const InputError&) {
        return std::nullopt;
    }
}

std::string dumped(const nlohmann::json& json) {
    return json.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
}

}  // namespace

std::size_t most_answer_bytes(const probe::Request& request) {
    // Adapters may copy what they were asked with, and a library may write more than is asked for.
    const Index scores = request.q_shape.size() / request.q_shape.head_dim * request.k_shape.length;
    const auto numbers =
        static_cast<std::size_t>(2 * request.size() + scores + 2 * request.q_shape.head_dim) +
        request.positions.size();
    return kAnswerHeaders + 2 * sizeof(double) * numbers;
}

Answer answer_of_line(const std::string& line, const probe::Request& request,
                      const fs::path& file) {
    const std::optional<nlohmann::json> parsed = parsed_line(line);
    if (!parsed) {
        return {.outcome = Outcome::garbled,
                .text = fmt::format("{} came in place of {{\"id\": {}}}; write answers only to "
                                    "standard output, and flush it",
                                    in_quotes(line), request.id)};
    }
    const nlohmann::json& json = *parsed;
    if (json.at("id") != request.id) {
        return {.outcome = Outcome::garbled,
                .text = fmt::format("the answer has id {}, and the request {}",
                                    printable(dumped(json.at("id")), 40), request.id)};
    }
    if (json.contains("error")) {
        const auto& error = json.at("error");
        return {.outcome = Outcome::error,
                .text = error.is_string() ? error.get<std::string>() : dumped(error)};
    }
    if (json.contains("unsupported")) {
        const bool by_positions = json.at("unsupported") == "positions";
        if (by_positions && !request.counts_from_0()) {
            return {.outcome = Outcome::unsupported};
        }
        return {.outcome = Outcome::error,
                .text = fmt::format("\"unsupported\": {}, and {}",
                                    printable(dumped(json.at("unsupported")), 40),
                                    by_positions ? "each row of this request is 0, 1, 2, ..."
                                                 : "only \"positions\" may be unsupported")};
    }
    return answer_in(file, request);
}

}  // namespace ropescope::cli
