// Reads the answers of adapters.
#include "app/cli/adapter_answer.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/printable.h"
#include "core/formats/npy.h"
#include "core/formats/safetensors.h"

namespace ropescope::cli {
namespace {

namespace fs = std::filesystem;
using probe::Answer;
using probe::Outcome;

std::vector<Tensor> read_tensors(const fs::path& path) {
    if (path.extension() == ".npz") {
        return read_npz(path);
    }
    const SafetensorsFile file = SafetensorsFile::open(path);
    std::vector<Tensor> tensors;
    for (const TensorBytes& tensor : file.tensors()) {
        tensors.push_back(
            {tensor.name, tensor.dtype, tensor.shape, {tensor.bytes.begin(), tensor.bytes.end()}});
    }
    return tensors;
}

/// The message without the path of the file, which is gone when somebody reads it.
std::string without_folder(std::string message, const fs::path& file) {
    const std::string folder = file.parent_path().string() + "/";
    for (std::size_t at = 0; (at = message.find(folder)) != message.npos;) {
        message.erase(at, folder.size());
    }
    return message;
}

Answer answer_in(const fs::path& file) {
    Answer answer;
    try {
        for (Tensor& tensor : read_tensors(file)) {
            for (auto* const to : {&answer.q_rot, &answer.k_rot, &answer.scores}) {
                const char* name = to == &answer.q_rot   ? "q_rot"
                                   : to == &answer.k_rot ? "k_rot"
                                                         : "scores";
                if (tensor.name == name) {
                    *to = std::move(tensor);
                    break;
                }
            }
        }
    } catch (const InputError& error) {
        return {.outcome = Outcome::unreadable, .text = without_folder(error.what(), file)};
    }
    return answer;
}

}  // namespace

Answer answer_of_line(const std::string& line, Index id, const fs::path& file) {
    const auto json = nlohmann::json::parse(line, nullptr, false);
    if (!json.is_object() || !json.contains("id")) {
        return {.outcome = Outcome::garbled,
                .text = fmt::format("{} came in place of {{\"id\": {}}}; write answers only to "
                                    "standard output, and flush it",
                                    in_quotes(line), id)};
    }
    if (json.at("id") != id) {
        return {.outcome = Outcome::garbled,
                .text = fmt::format(
                    "the answer has id {}, and the request {}",
                    printable(
                        json.at("id").dump(-1, ' ', true, nlohmann::json::error_handler_t::replace),
                        40),
                    id)};
    }
    if (json.contains("error")) {
        const auto& error = json.at("error");
        return {.outcome = Outcome::error,
                .text = error.is_string()
                            ? error.get<std::string>()
                            : error.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace)};
    }
    return answer_in(file);
}

}  // namespace ropescope::cli
