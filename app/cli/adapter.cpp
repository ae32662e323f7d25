// Writes requests for an adapter, and reads its answers.
#include "app/cli/adapter.h"

#include <cerrno>
#include <cstdlib>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/file_error.h"
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

/// What a line says about the request of that id.
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

}  // namespace

ExchangeFolder::ExchangeFolder() {
    std::string name = (fs::temp_directory_path() / "ropescope-probe-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) {
        throw_file_error(name, "the folder for requests cannot be created", errno);
    }
    path_ = name;
}

ExchangeFolder::~ExchangeFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
}

void write_tensors(const fs::path& path, const std::vector<Tensor>& tensors) {
    if (path.extension() == ".npz") {
        write_npz(path, tensors);
    } else {
        write_safetensors(path, std::span(tensors));
    }
}

Adapter::Adapter(const std::vector<std::string>& command, Exchange exchange,
                 const HeldSignals& signals)
    : exchange_(std::move(exchange)), process_(command, signals) {}

Answer Adapter::ask(const probe::Request& request) {
    const fs::path input = folder_ / fmt::format("request{}.{}", request.id, exchange_.format);
    const fs::path output = folder_ / fmt::format("answer{}.{}", request.id, exchange_.format);
    write_tensors(input, request.tensors());
    const nlohmann::ordered_json line{{"id", request.id},
                                      {"input", input.string()},
                                      {"output", output.string()},
                                      {"format", exchange_.format}};
    const AdapterProcess::Reply reply = process_.ask(line.dump(), exchange_.timeout);
    Answer answer;
    switch (reply.said) {
        case AdapterProcess::Said::line:
            answer = answer_of_line(reply.text, request.id, output);
            break;
        case AdapterProcess::Said::nothing_in_time:
            answer = {.outcome = Outcome::timed_out,
                      .text = fmt::format("request {} waited {:g} s", request.id,
                                          static_cast<double>(exchange_.timeout.count()) / 1000)};
            break;
        case AdapterProcess::Said::end:
            answer = {.outcome = Outcome::ended, .text = reply.text};
            break;
        case AdapterProcess::Said::too_much:
            answer = {.outcome = Outcome::garbled, .text = reply.text};
            break;
    }
    std::error_code ignored;
    fs::remove(input, ignored);
    fs::remove(output, ignored);
    return answer;
}

}  // namespace ropescope::cli
