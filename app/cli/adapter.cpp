// Writes requests for an adapter, and hands it one after the other.
#include "app/cli/adapter.h"

#include <cerrno>
#include <cstdlib>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/adapter_answer.h"
#include "core/base/file_error.h"
#include "core/formats/npy.h"
#include "core/formats/safetensors.h"

namespace ropescope::cli {
namespace fs = std::filesystem;
using probe::Answer;
using probe::Outcome;

namespace {

/// An adapter may have taken the rights away from folders that it has made.
void make_writable(const fs::path& folder) {
    std::error_code ignored;
    fs::permissions(folder, fs::perms::owner_all, fs::perm_options::add, ignored);
    for (const auto& entry : fs::directory_iterator(folder, ignored)) {
        if (entry.is_directory(ignored) && !entry.is_symlink(ignored)) {
            make_writable(entry.path());
        }
    }
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
    std::error_code failed;
    if (fs::remove_all(path_, failed); failed) {
        make_writable(path_);
        fs::remove_all(path_, failed);
    }
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
