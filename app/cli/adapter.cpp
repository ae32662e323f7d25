// Writes requests for an adapter, and hands it one after the other.
#include "app/cli/adapter.h"

#include <cerrno>
#include <cstdlib>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

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

/// Removes a folder without entering folders in folders, of which there may be more than a path or
/// the descriptors of a process allow: what lies deeper is moved up. An adapter may have taken the
/// rights away from folders that it has made. False if something is left.
bool remove_flat(const fs::path& top) {
    std::error_code failed;
    std::vector<fs::path> folders;
    std::size_t moved = 0;
    const auto empty = [&](const fs::path& folder, bool is_top) {
        fs::permissions(folder, fs::perms::owner_all, fs::perm_options::add, failed);
        for (const auto& entry : fs::directory_iterator(folder, failed)) {
            if (!is_folder(entry.path())) {
                fs::remove(entry.path(), failed);
            } else if (is_top) {
                folders.push_back(entry.path());
            } else {
                fs::permissions(entry.path(), fs::perms::owner_all, fs::perm_options::add, failed);
                fs::path up = top / fmt::format("ropescope-moved-{}", moved++);
                fs::rename(entry.path(), up, failed);
                folders.push_back(std::move(up));
            }
        }
    };
    if (!is_folder(top)) {
        fs::remove(top, failed);
        return !failed;
    }
    empty(top, true);
    while (!folders.empty()) {
        const fs::path folder = folders.back();
        folders.pop_back();
        empty(folder, false);
        fs::remove(folder, failed);
    }
    fs::remove(top, failed);
    return !failed;
}

}  // namespace

ExchangeFolder::ExchangeFolder() {
    std::string name = (temporary_folder() / "ropescope-probe-XXXXXX").string();
    if (to_utf8(code_points(name)) != name) {
        throw InputError(fmt::format(
            "TMPDIR: {} is not UTF-8, in which requests name their files; name another folder",
            in_quotes(temporary_folder().string())));
    }
    if (::mkdtemp(name.data()) == nullptr) {
        throw_file_error(name, "the folder for requests cannot be created", errno);
    }
    path_ = name;
}

ExchangeFolder::~ExchangeFolder() {
    constexpr int kTries = 3;  // something that lives on may still write
    for (int i = 0; i < kTries; ++i) {
        if (remove_flat(path_)) {
            return;
        }
    }
    write_error_without_waiting(
        fmt::format("ropescope: {} cannot be removed\n", printable(path_.string())));
}

std::string ExchangeFolder::taken_by_adapter(const fs::path& file) const {
    std::error_code none;
    if (!is_folder(path_)) {
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
