// Readers of what other people's code wrote: answers to test vectors and to probes, dumps with
// names of their own, and expectations.
#include <filesystem>
#include <fmt/format.h>
#include <sstream>
#include <stdexcept>

#include "app/cli/adapter_answer.h"
#include "core/base/write_file.h"
#include "core/diagnosis/diagnosis.h"
#include "core/diagnosis/expectation.h"
#include "core/diagnosis/read_dump.h"
#include "core/diagnosis/report.h"
#include "core/diagnosis/tables/table_diagnosis.h"
#include "core/diff/table_diff.h"
#include "core/faults/rotation/plan.h"
#include "core/formats/npy.h"
#include "core/formats/safetensors.h"
#include "core/probe/judge.h"
#include "core/probe/report.h"
#include "core/vectors/judge.h"
#include "core/vectors/rotation_case.h"
#include "tests/fuzz/memory_file.h"
#include "tests/fuzz/targets.h"
#include "tests/support/temp_folder.h"

namespace ropescope::fuzz {
namespace {

Tensor ones(const std::string& name, Dtype dtype, double value = 1.0) {
    return make_tensor_as(dtype, name, {1, 1, 2, 4}, std::vector<double>(8, value));
}

/// A folder with the arrays that the indices of the corpus name.
const test::TempFolder& folder_with_arrays() {
    static const test::TempFolder folder;
    static const bool written = [] {
        const std::vector<std::int64_t> ids = {0, 1, 2, 0, 1, 2};
        const std::vector<Tensor> tensors = {
            ones("x", Dtype::f32), ones("expected", Dtype::f64), ones("near", Dtype::f32, 0.25),
            ones("wrong", Dtype::f32, 2.0), make_tensor("ids", {3, 1, 2}, std::span(ids))};
        write_safetensors(folder / "a.safetensors", tensors);
        write_safetensors(folder / "answers.safetensors",
                          std::vector{ones("case", Dtype::f32, 2.0)});
        return true;
    }();
    static_cast<void>(written);
    return folder;
}

/// q and q_rot of a model with head_dim 4.
diagnosis::Dump small_dump() {
    static const diagnosis::Dump dump = [] {
        const std::vector<double> x = vectors::input_numbers("fuzz", 64);
        std::vector<double> positions;
        for (Index l = 0; l < 16; ++l) {
            positions.push_back(to_double(l));
        }
        const faults::RotationPlan plan =
            faults::plan_of(scheme_of({.head_dim = 4, .rotary_dim = 4}), {1, 1, 16, 4}, positions);
        const std::vector<double> turned = rotated(plan, x);
        const auto owner = std::make_shared<std::vector<Tensor>>();
        owner->push_back(make_tensor("q", {1, 1, 16, 4}, std::span(x)));
        owner->push_back(make_tensor("q_rot", {1, 1, 16, 4}, std::span(turned)));
        const std::vector<TensorBytes> views = {owner->front().view(), owner->back().view()};
        return diagnosis::make_dump(views, owner, "fuzz");
    }();
    return dump;
}

/// Three tokens of one head, as `probe` asks for them.
probe::Request small_request() {
    probe::Request request{.id = 1, .name = "three tokens"};
    request.q_shape = request.k_shape = {1, 1, 3, 4};
    request.q = vectors::input_numbers("q", 12);
    request.k = vectors::input_numbers("k", 12);
    request.positions = {0, 1, 2};
    return request;
}

std::vector<Tensor> owned(const SafetensorsFile& file) {
    std::vector<Tensor> tensors;
    for (const TensorBytes& tensor : file.tensors()) {
        tensors.push_back(
            {tensor.name, tensor.dtype, tensor.shape, {tensor.bytes.begin(), tensor.bytes.end()}});
    }
    return tensors;
}

void require_equal(const std::vector<Tensor>& written, const std::vector<Tensor>& read) {
    const auto same = [](const Tensor& a, const Tensor& b) {
        return a.name == b.name && a.dtype == b.dtype && a.shape == b.shape && a.bytes == b.bytes;
    };
    if (!std::ranges::equal(written, read, same)) {
        throw std::logic_error("what was written to a .npz is not what is read from it");
    }
}

}  // namespace

void judge_vectors(const std::string& bytes) {
    const std::size_t end = std::min(bytes.find('\0'), bytes.size());
    const std::filesystem::path folder = folder_with_arrays().path();
    std::filesystem::remove(folder / "index.json");
    const MemoryFile index(bytes.substr(0, end));
    std::filesystem::create_symlink(index.path(), folder / "index.json");
    const MemoryFile results(bytes.substr(std::min(end + 1, bytes.size())));
    const bool own = end + 1 < bytes.size();
    read_or_refuse([&] {
        vectors::judge(
            folder, own ? std::filesystem::path(results.path()) : folder / "answers.safetensors");
    });
}

void read_adapter(const std::string& bytes) {
    std::string rest = bytes;
    const std::string line = take_line(rest);
    const MemoryFile file(rest);
    static const Part subject = part_of(RopeSpec{.head_dim = 4, .rotary_dim = 4});
    static const std::vector<probe::Request> requests = {small_request()};
    const std::vector<probe::Answer> answers = {
        cli::answer_of_line(line, requests[0], file.path())};
    const probe::Report report = judge(subject, requests, answers);
    report_text(report);
    report_json(report);
}

void round_trip_npz(const std::string& bytes) {
    const MemoryFile file(bytes);
    read_or_refuse([&] {
        const std::vector<Tensor> tensors = owned(SafetensorsFile::open(file.path()));
        const std::filesystem::path path = folder_with_arrays() / "round.npz";
        write_npz(path, tensors);
        require_equal(tensors, read_npz(path));
    });
}

void read_named_dump(const std::string& bytes) {
    std::string rest = bytes;
    diagnosis::DumpOptions options{.axes = take_line(rest), .position_axes = take_line(rest)};
    const std::string names = take_line(rest);
    const MemoryFile file(rest);
    read_or_refuse([&] {
        if (!names.empty()) {
            options.names = diagnosis::parse_names(names);
        }
        diagnosis::diagnosis_json(diagnosis::diagnose(read_dump(file.path(), options)));
    });
}

void read_table_bytes(const std::string& bytes) {
    const MemoryFile file(bytes);
    read_or_refuse([&] {
        const std::vector<diagnosis::RopeTable> tables = diagnosis::read_tables(file.path());
        diagnosis::tables_json(diagnosis::diagnose_tables(tables));
        if (report_of(diff::compare_tables(tables, tables), "a", "b").verdict !=
            diff::Sameness::equal) {
            throw std::logic_error("a table differs from itself");
        }
    });
}

void read_expected(const std::string& bytes) {
    read_or_refuse([&] {
        const diagnosis::Expectation expected = diagnosis::parse_expectation(bytes, "config.json");
        const diagnosis::Diagnosis found = diagnosis::diagnose(small_dump(), &expected);
        diagnosis::diagnosis_json(found);
        diagnosis::diagnosis_text(found);
    });
}

}  // namespace ropescope::fuzz
