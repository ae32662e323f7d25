// Writes requests for an adapter, and hands it one after the other.
#include "app/cli/adapter.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>

#include "app/cli/adapter_answer.h"
#include "core/base/characters.h"
#include "core/base/error.h"
#include "core/base/file.h"
#include "core/base/write_file.h"
#include "core/formats/npy.h"
#include "core/formats/safetensors.h"

namespace ropescope::cli {
namespace fs = std::filesystem;
using probe::Answer;
using probe::Outcome;

namespace {

/// Whether it is a folder itself, not a link to one.
bool is_folder(const fs::path& path) {
    std::error_code none;
    return fs::is_directory(fs::symlink_status(path, none));
}

/// Where the folder for requests lies. Throws InputError.
fs::path front_of_exchange() {
    fs::path folder = temporary_folder();
    if (to_utf8(code_points(folder.string())) != folder.string()) {
        throw InputError(fmt::format(
            "TMPDIR: {} is not UTF-8, in which requests name their files; name another folder",
            in_quotes(folder.string())));
    }
    return folder / "ropescope-probe-";
}

}  // namespace

ExchangeFolder::ExchangeFolder() : folder_(front_of_exchange(), S_IRWXU) {}

ExchangeFolder::~ExchangeFolder() {
    if (!folder_.remove()) {
        write_error_without_waiting(
            fmt::format("ropescope: {} cannot be removed\n", printable(folder_.path().string())));
    }
}

std::string ExchangeFolder::taken_by_adapter(const fs::path& file) const {
    std::error_code none;
    if (!is_folder(folder_.path())) {
        return "the adapter took the folder of requests and answers away";
    }
    return fs::exists(fs::symlink_status(file, none))
               ? fmt::format("the adapter made {}, which is the name of a request",
                             file.filename().string())
               : "";
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
    if (std::string taken = folder_.taken_by_adapter(input); !taken.empty()) {
        return {.outcome = Outcome::garbled, .text = std::move(taken)};
    }
    try {
        write_tensors(input, request.tensors());
    } catch (const InputError&) {  // it may be taken away meanwhile, too
        std::string taken = folder_.taken_by_adapter(input);
        if (taken.empty()) {
            throw;
        }
        return {.outcome = Outcome::garbled, .text = std::move(taken)};
    }
    nlohmann::ordered_json line{{"id", request.id},
                                {"input", input.string()},
                                {"output", output.string()},
                                {"format", exchange_.format}};
    line["order"] = "bhld";
    if (request.axes > 1) {
        line["axes"] = request.axis_names;
    }
    if (const auto& norm = request.q_norm) {
        line["norm"] = {{"kind", to_string(norm->norm.kind)},
                        {"eps", norm->norm.eps},
                        {"order", to_string(norm->norm.order)}};
    }
    const AdapterProcess::Reply reply = process_.ask(line.dump(), exchange_.timeout);
    Answer answer;
    switch (reply.said) {
        case AdapterProcess::Said::line:
            answer = answer_of_line(reply.text, request, output);
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
