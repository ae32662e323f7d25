// Holds faulty implementations to test vectors and prints which of them are found, as a page of
// Markdown.
//   vector_mutants [NAME]
#include <cstdio>
#include <fmt/format.h>
#include <map>

#include "tests/support/planted_rotations.h"

namespace {

using namespace ropescope;

struct Row {
    int planted = 0, killed = 0, by_flag = 0, named = 0;
    std::string unnamed;
};

/// Rows by the name of the fault, in the order in which they came.
class Table {
  public:
    void add(const std::string& name, const std::string& where, const std::string& unnamed,
             const test::Kill& kill) {
        if (!rows_.contains(name)) {
            order_.push_back(name);
        }
        Row& row = rows_[name];
        row.unnamed = unnamed;
        ++row.planted;
        row.killed += kill.killed ? 1 : 0;
        row.by_flag += kill.by_flag ? 1 : 0;
        row.named += kill.named ? 1 : 0;
        if (!kill.by_flag || (unnamed.empty() && !kill.named)) {
            const char* how = !kill.killed    ? "is not killed"
                              : !kill.by_flag ? "is killed by other flags"
                                              : "is not named";
            std::fprintf(stderr, "%s, %s: %s\n", name.c_str(), where.c_str(), how);
            others_ += fmt::format("| {} | {} | {} |\n", name, where, how);
        }
    }
    Row sum() const {
        Row all;
        for (const auto& [name, row] : rows_) {
            all.planted += row.planted;
            all.killed += row.killed;
            all.by_flag += row.by_flag;
            all.named += row.named;
        }
        return all;
    }
    std::string text() const {
        std::string text;
        for (const std::string& name : order_) {
            const Row& row = rows_.at(name);
            text += fmt::format("| {} | {} | {} | {} | {} |\n", name, row.planted, row.killed,
                                row.by_flag, row.named);
        }
        return text;
    }
    std::string unnamed() const {
        std::string text;
        for (const std::string& name : order_) {
            if (!rows_.at(name).unnamed.empty()) {
                text += fmt::format("| {} | {} |\n", name, rows_.at(name).unnamed);
            }
        }
        return text;
    }
    const std::string& others() const { return others_; }

  private:
    std::map<std::string, Row> rows_;
    std::vector<std::string> order_;
    std::string others_;
};

struct Right {
    int all = 0, accused = 0;
};

struct NamedPack {
    std::string name;
    test::WrittenPack pack;
};

std::vector<NamedPack> all_packs() {
    std::vector<NamedPack> all;
    for (const char* name : {"text", "axes"}) {
        all.push_back(
            {std::string("pack ") + name, test::WrittenPack(vectors::pack_named(name).make())});
    }
    for (const test::NamedConfig& config : test::configs_for_vectors()) {
        all.push_back({config.name, test::WrittenPack(vectors::pack_of_model(
                                        parse_model(config.json, "config")))});
    }
    return all;
}

void try_mutants(const NamedPack& each, const std::string& only, Table& table) {
    for (const test::FaultyCall& mutant : test::faulty_rotations()) {
        if (!only.empty() && mutant.name != only) {
            continue;
        }
        for (const Dtype dtype : vectors::kResultDtypes) {
            const bool narrow = dtype == Dtype::f16 || dtype == Dtype::bf16;
            if (narrow && mutant.hides_in_16_bits) {
                continue;
            }
            bool differs = false;
            const std::vector<Tensor> answers =
                test::answers_of(each.pack.pack(), mutant.change, mutant.fits, dtype, differs);
            if (differs) {
                table.add(mutant.name, fmt::format("{}, {}", each.name, to_string(dtype)),
                          mutant.unnamed, kill_of(each.pack, answers, mutant.codes, mutant.flags));
            }
        }
    }
}

void try_right_ones(const NamedPack& each, Right& right) {
    for (const test::RightRotation& one : test::right_rotations()) {
        bool differs = false;
        const std::vector<Tensor> answers =
            test::answers_of(each.pack.pack(), one.change, {}, one.result, differs);
        ++right.all;
        if (kill_of(each.pack, answers, {}, {}).killed) {
            ++right.accused;
            std::fprintf(stderr, "right, %s, %s: is accused\n", one.name.c_str(),
                         each.name.c_str());
        }
    }
}

Right try_ids(const std::string& only, Table& table) {
    const test::WrittenPack pack(vectors::position_pack());
    bool differs = false;
    for (const test::IdMutant& mutant : test::id_mutants()) {
        if (only.empty() || mutant.name == only) {
            const std::vector<Tensor> answers = answers_of(pack.pack(), mutant, differs);
            table.add("ids: " + mutant.name, "pack positions", mutant.unnamed,
                      kill_of(pack, answers, mutant.codes, mutant.flags));
        }
    }
    const test::IdMutant right{.name = "right", .change = [](MultimodalIds&) {}};
    const bool accused = kill_of(pack, answers_of(pack.pack(), right, differs), {}, {}).killed;
    return {1, accused ? 1 : 0};
}

}  // namespace

int main(int argc, char** argv) {
    const std::string only = argc > 1 ? argv[1] : "";
    Table table;
    Right right = try_ids(only, table);
    for (const NamedPack& each : all_packs()) {
        try_mutants(each, only, table);
        try_right_ones(each, right);
    }
    const Row sum = table.sum();
    fmt::print(
        "# What the test vectors find\n\n"
        "`./test.sh vectors` makes this page: {} faulty implementations and {} right ones answer "
        "the packs text, axes\n"
        "and positions and those of `vectors --config` for {} models that differ in head_dim, "
        "base, layout, rotary\n"
        "width, scaling and axes, with results in F64, F32, F16 and BF16. Each computes in its own "
        "arithmetic\n"
        "(`tests/support/faulty_calls.h`), and the judge of `vectors --check` reads what it "
        "answers.\n\n"
        "- {} of {} faulty ones were killed: an answer was not right.\n"
        "- {} of {} by a case with a flag that names the fault.\n"
        "- {} of {} were named by a code of the fault.\n"
        "- {} of {} right ones were accused: in fp64, in fp32, with frequencies multiplied up as "
        "in ggml, with\n"
        "  tables and products in 16 bits.\n\n"
        "| fault | planted | killed | by a flag that names it | named by its code |\n"
        "|---|---|---|---|---|\n{}\n"
        "## What no code can name\n"
        "| fault | why |\n|---|---|\n{}\n"
        "## The others that were not killed by their flag, or not named\n"
        "A fault that is not killed lies within what fp32 may cost: where frequencies are divided, "
        "the angle of every\n"
        "pair is rounded, and far positions round most.\n\n"
        "| fault | where | |\n|---|---|---|\n{}",
        sum.planted, right.all, test::configs_for_vectors().size(), sum.killed, sum.planted,
        sum.by_flag, sum.planted, sum.named, sum.planted, right.accused, right.all, table.text(),
        table.unnamed(), table.others());
    return right.accused == 0 ? 0 : 1;
}
