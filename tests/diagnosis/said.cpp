// Writes what the program says about planted dumps, implementations, vectors and ids, so that two
// versions of it can be compared word by word. `tools/frozen.sh` adds what commands print.
//   said FOLDER [SEEDS]
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <string>

#include "core/base/write_file.h"
#include "core/diagnosis/expectation.h"
#include "core/diagnosis/report.h"
#include "core/formats/presets.h"
#include "core/probe/report.h"
#include "tests/support/planted_dumps.h"
#include "tests/support/planted_implementations.h"
#include "tests/support/planted_rotations.h"

namespace {

using namespace ropescope;
namespace fs = std::filesystem;

std::string titled(const std::string& title, const std::string& text, const std::string& json) {
    return fmt::format("==== {}\n{}\n{}\n", title, text, json);
}

/// Every planted dump, by itself and held to a published model that it is probably not.
std::string diagnoses(int seeds) {
    std::string said;
    for (const std::string& kind : test::planted_kinds()) {
        for (int seed = 0; seed < seeds; ++seed) {
            const test::PlantedDump planted = test::plant(kind, static_cast<std::uint64_t>(seed));
            const diagnosis::Diagnosis found = diagnosis::diagnose(planted.dump);
            said += titled(planted.description, diagnosis_text(found), diagnosis_json(found));
            for (const char* model : {"llama-3.1-8b", "qwen2-vl-7b"}) {
                const diagnosis::Expectation expected = diagnosis::read_expectation(model);
                const diagnosis::Diagnosis held = diagnosis::diagnose(planted.dump, &expected);
                said += titled(fmt::format("{}, held to {}", planted.description, model),
                               diagnosis_text(held), diagnosis_json(held));
            }
        }
    }
    return said;
}

std::string said_of(const test::PlantedImplementation& each) {
    const probe::Report report = probe::probe(each.subject, each.settings, each.ask);
    return titled(fmt::format("{} {} {}", each.fault_class, each.variant, each.model),
                  report_text(report), report_json(report));
}

std::string probes() {
    std::string said;
    for (const test::PlantedImplementation& each : test::planted_implementations()) {
        said += said_of(each);
    }
    for (const ModelConfig& model : model_presets()) {
        for (const test::PlantedImplementation& each : test::right_implementations(model.id)) {
            said += said_of(each);
        }
    }
    return said;
}

std::string judged(const std::string& title, const test::WrittenPack& pack,
                   const std::vector<Tensor>& answers) {
    std::string said = "==== " + title + "\n";
    for (const vectors::CaseJudgement& judgement : pack.judge(answers)) {
        said += fmt::format("{} {} {}/{} {:.3g}", judgement.id, to_string(judgement.judged),
                            judgement.off, judgement.numbers, judgement.worst_in_tolerances);
        for (const auto& fault : judgement.faults) {
            said += fmt::format("; {}: {}", fault.code, fault.text);
        }
        said += "\n";
    }
    return said;
}

std::string vectors_and_ids() {
    std::string said;
    bool differs = false;
    const test::WrittenPack ids(vectors::position_pack());
    for (const test::IdMutant& mutant : test::id_mutants()) {
        said += judged("ids: " + mutant.name, ids, answers_of(ids.pack(), mutant, differs));
    }
    for (const char* name : {"text", "axes"}) {
        const test::WrittenPack pack(vectors::pack_named(name).make());
        for (const test::FaultyCall& mutant : test::faulty_rotations()) {
            for (const Dtype dtype : {Dtype::f32, Dtype::bf16}) {
                const std::vector<Tensor> answers =
                    test::answers_of(pack.pack(), mutant.change, mutant.fits, dtype, differs);
                said += judged(fmt::format("{}: {}, {}", name, mutant.name, to_string(dtype)), pack,
                               answers);
            }
        }
    }
    return said;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) {
        fmt::print(stderr, "said FOLDER [SEEDS]\n");
        return 2;
    }
    const fs::path folder = argv[1];
    const int seeds = argc > 2 ? std::atoi(argv[2]) : 3;
    fs::create_directories(folder);
    write_file_whole(folder / "diagnose.txt", diagnoses(seeds));
    write_file_whole(folder / "probe.txt", probes());
    write_file_whole(folder / "vectors.txt", vectors_and_ids());
    return 0;
}
