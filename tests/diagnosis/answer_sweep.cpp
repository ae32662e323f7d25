// Holds random faults and right arithmetic of every kind to test vectors and to probes, and prints
// what was let through, accused, or called by a wrong name, as a page of Markdown.
//   answer_sweep [SEEDS [KIND]]
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <map>

#include "tests/support/swept_faults.h"

namespace {

using namespace ropescope;

struct Row {
    int tried = 0, passed = 0, named = 0, unnamed = 0, misnamed = 0;
};

/// Rows in the order in which they came.
class Table {
  public:
    Row& operator[](const std::string& name) {
        if (!rows_.contains(name)) {
            order_.push_back(name);
        }
        return rows_[name];
    }
    std::string text() const {
        Row sum;
        std::string text;
        const auto line = [](const std::string& name, const Row& row) {
            return fmt::format("| {} | {} | {} | {} | {} | {} |\n", name, row.tried, row.passed,
                               row.named, row.unnamed, row.misnamed);
        };
        for (const std::string& name : order_) {
            const Row& row = rows_.at(name);
            text += line(name, row);
            sum.tried += row.tried;
            sum.passed += row.passed;
            sum.named += row.named;
            sum.unnamed += row.unnamed;
            sum.misnamed += row.misnamed;
        }
        return text + line("all", sum);
    }

  private:
    std::map<std::string, Row> rows_;
    std::vector<std::string> order_;
};

/// Counts an answer that is wrong; `told`: beyond what the dtype leaves open.
void count(Row& row, const std::string& where, bool told, const vectors::CaseJudgement& judged,
           const std::set<std::string>& codes) {
    const bool right = judged.judged == vectors::CaseVerdict::right;
    if (right && !told) {
        return;  // this case does not show it
    }
    ++row.tried;
    row.passed += right ? 1 : 0;
    const bool named = std::ranges::any_of(
        judged.faults, [&](const auto& fault) { return codes.contains(fault.code); });
    row.named += named ? 1 : 0;
    row.unnamed += !right && judged.faults.empty() ? 1 : 0;
    row.misnamed += !named && !judged.faults.empty() ? 1 : 0;
    if (right || (!named && !judged.faults.empty())) {
        std::fprintf(
            stderr, "vectors, %s, %s: %s\n", where.c_str(), judged.id.c_str(),
            right ? "passes"
                  : (judged.faults.front().code + ": " + judged.faults.front().text).c_str());
    }
}

/// The largest distance from the right answer, in tolerances.
double farthest(const vectors::RotationCase& made, const Tensor& answer, std::size_t dtype) {
    const std::vector<double> values = to_f64(answer.view());
    double worst = 0.0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double off = std::abs(values[i] - made.expected[i]);
        const double tolerance = made.tolerance[dtype][i];
        worst = std::max(worst, tolerance > 0.0 ? off / tolerance : 1e3 * off);
    }
    return worst;
}

struct Sweep {
    int seeds = 1;
    std::string only = {};
    Table faults = {}, near = {}, asked = {};
    int right = 0, accused = 0, right_probes = 0, accused_probes = 0;

    bool wanted(const std::string& name) const { return only.empty() || only == name; }

    void try_vector_fault(const test::WrittenPack& pack, const std::string& model,
                          const test::SweptFault& fault, std::size_t dtype) {
        bool differs = false;
        const std::vector<Tensor> answers = test::answers_of(
            pack.pack(), fault.change, fault.fits, vectors::kResultDtypes[dtype], differs);
        if (!differs) {
            return;
        }
        const auto judged = pack.judge(answers);
        for (std::size_t i = 0; i < judged.size(); ++i) {
            // Twice what is allowed: the right answer and this one cannot be the same.
            const bool told = farthest(pack.pack().rotations[i], answers[i], dtype) > 2.0;
            count(faults[fault.name],
                  fmt::format("{}, {}, {}", fault.name, model,
                              to_string(vectors::kResultDtypes[dtype])),
                  told, judged[i], fault.codes);
        }
    }

    /// Answers that are right but for some tolerances, in one number or in all.
    void try_near(const test::WrittenPack& pack, const std::string& model, std::uint64_t seed,
                  std::size_t dtype) {
        std::vector<Tensor> answers;
        for (const vectors::RotationCase& made : pack.pack().rotations) {
            answers.push_back(test::near_answer(made, vectors::kResultDtypes[dtype],
                                                made.tolerance[dtype], seed));
        }
        for (const vectors::CaseJudgement& judged : pack.judge(answers)) {
            count(near["off by 1.5 to 30 tolerances"], fmt::format("near, {}", model), true, judged,
                  {});
        }
    }

    void try_right(const test::WrittenPack& pack, const std::string& model, std::uint64_t seed) {
        for (const test::RightRotation& one : test::swept_right_rotations(seed)) {
            bool differs = false;
            const auto answers = test::answers_of(pack.pack(), one.change, {}, one.result, differs);
            for (const vectors::CaseJudgement& judged : pack.judge(answers)) {
                ++right;
                if (judged.judged != vectors::CaseVerdict::right) {
                    ++accused;
                    std::fprintf(
                        stderr, "vectors, right, %s, %s, %s: %s\n", one.name.c_str(), model.c_str(),
                        judged.id.c_str(),
                        judged.faults.empty() ? "accused" : judged.faults.front().text.c_str());
                }
            }
        }
    }

    void try_vectors(const std::string& model) {
        const test::WrittenPack pack(vectors::pack_of_model(open_model(model)));
        for (int seed = 0; seed < seeds; ++seed) {
            const auto number = static_cast<std::uint64_t>(seed);
            for (std::size_t dtype = 0; dtype < vectors::kResultDtypes.size(); ++dtype) {
                for (const test::SweptFault& fault : test::swept_faults(number + 1000 * dtype)) {
                    if (wanted(fault.name)) {
                        try_vector_fault(pack, model, fault, dtype);
                    }
                }
                if (wanted("near")) {
                    try_near(pack, model, number + 1000 * dtype, dtype);
                }
            }
            if (wanted("right")) {
                try_right(pack, model, number);
            }
        }
    }

    void try_probes(const std::string& model) {
        for (int seed = 0; seed < seeds; ++seed) {
            const auto number = static_cast<std::uint64_t>(seed);
            for (const test::SweptProbe& each : test::swept_probes(model, number)) {
                if (wanted(each.name)) {
                    try_probe(model, each);
                }
            }
        }
    }

    void try_probe(const std::string& model, const test::SweptProbe& each) {
        const probe::Report report = probe::probe(each.subject, each.settings, each.ask);
        if (each.codes.empty()) {
            ++right_probes;
            if (!report.passed()) {
                ++accused_probes;
                std::fprintf(stderr, "probe, right, %s, %s: %s\n", each.name.c_str(), model.c_str(),
                             report.diagnosis.summary().c_str());
            }
            return;
        }
        Row& row = asked[each.name];
        ++row.tried;
        row.passed += report.passed() ? 1 : 0;
        std::string said;
        bool named = false, stray = false;
        for (const diagnosis::Finding& finding : report.diagnosis.findings) {
            if (finding.weight == diagnosis::Weight::note) {
                continue;
            }
            const bool meant =
                each.codes.contains(finding.code) &&
                (each.words.empty() || finding.text().find(each.words) != std::string::npos);
            named = named || meant;
            stray = stray || !meant;
            said += fmt::format("\n  {}: {}", finding.code, finding.text());
        }
        const bool right_name = named && !stray;
        row.named += right_name ? 1 : 0;
        row.misnamed += !right_name && !report.passed() ? 1 : 0;
        if (!right_name) {
            std::fprintf(stderr, "probe, %s, %s: %s%s\n", each.name.c_str(), model.c_str(),
                         report.passed() ? "passes" : "other names", said.c_str());
        }
    }
};

}  // namespace

int main(int argc, char** argv) {
    Sweep sweep{.seeds = argc > 1 ? std::atoi(argv[1]) : 3, .only = argc > 2 ? argv[2] : ""};
    for (const std::string& model : test::swept_models()) {
        sweep.try_vectors(model);
        sweep.try_probes(model);
    }
    const char* const head =
        "| fault | tried | passed | named | without a name | wrong names |\n"
        "|---|---|---|---|---|---|\n";
    fmt::print(
        "# Random faults\n\n"
        "`./test.sh answers` makes this page. Implementations with a fault whose numbers are drawn "
        "at random answer the\n"
        "test vectors and the probes of {} models, {} seeds each, in float64, float32, float16 and "
        "bfloat16\n"
        "(`tests/support/swept_faults.cpp`).\n\n"
        "## Test vectors\n"
        "{} right answers, {} accused. A wrong answer counts where it is farther from the right "
        "one than twice its\n"
        "tolerance. A name is wrong if the answer has no such fault.\n\n{}{}\n"
        "An answer that is off by some tolerances has no fault with a name: \"inexact\" is "
        "right.\n\n"
        "{}{}\n"
        "## Probes\n"
        "{} right implementations, {} accused. A name is right if nothing else is named beside "
        "it.\n\n{}{}",
        test::swept_models().size(), sweep.seeds, sweep.right, sweep.accused, head,
        sweep.faults.text(), head, sweep.near.text(), sweep.right_probes, sweep.accused_probes,
        head, sweep.asked.text());
    return 0;
}
