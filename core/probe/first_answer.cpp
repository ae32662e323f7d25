// Names what the first answer shows, by its angles and by the known faults.
#include "core/probe/first_answer.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "core/diagnosis/phrases.h"
#include "core/diagnosis/score_findings.h"
#include "core/faults/codes.h"
#include "core/probe/phrases.h"
#include "core/probe/request_faults.h"

namespace ropescope::probe {
namespace {

using diagnosis::Diagnosis;
using diagnosis::Finding;
using diagnosis::Side;
using diagnosis::Weight;

class FirstJudge {
  public:
    FirstJudge(const Part& subject, std::span<const Reply* const> answered)
        : subject_(subject), replies_(answered) {}

    FirstAnswer answer() {
        first_.behaviour = behaviour_of(subject_, reply());
        const diagnosis::Expectation expected = expectation_of(subject_, reply().request->reach());
        first_.diagnosis = diagnose(dump_of(reply()), &expected);
        if (std::optional<WrongNorms> wrong = wrong_norms(subject_, reply())) {
            take_wrong_norms(*std::move(wrong));
            return std::move(first_);
        }
        explain_stillness();
        if (difference_from_model(subject_, reply(), first_.behaviour).none()) {
            drop_what_is_right();
        } else {
            name_what_is_wrong();
        }
        return std::move(first_);
    }

  private:
    const Reply& reply() const { return *replies_.front(); }

    /// Behind another norm than was asked for, the rotation is the right one.
    void take_wrong_norms(WrongNorms wrong) {
        first_.behaviour = {};
        first_.norms = std::move(wrong.norms);
        first_.diagnosis.mismatches.clear();
        std::erase_if(first_.diagnosis.findings, [](const Finding& finding) {
            return finding.weight != Weight::note && !diagnosis::is_about_scores(finding.code);
        });
        first_.diagnosis.findings.insert(first_.diagnosis.findings.begin(), wrong.faults.begin(),
                                         wrong.faults.end());
    }

    /// The factor that the model asks for is no fault, whatever else is wrong.
    void drop_right_gain() {
        const faults::RotationPlan right = expected_plan(subject_, *reply().request, false);
        const double allowed = 2.0 * (diagnosis::kRotationUnits * reply().format.unit + 0x1p-20);
        std::erase_if(first_.diagnosis.findings, [&](const Finding& finding) {
            const double* measured = std::get_if<double>(&finding.measured);
            return finding.code == faults::code("gain") && measured != nullptr &&
                   std::abs(*measured / right.gain - 1.0) <= allowed;
        });
    }

    /// A layout of its own has an order of its own, too, so that its pairs cannot be compared with
    /// those of the model one by one.
    void drop_speeds_of_other_pairs() {
        if (first_.diagnosis.layout == "other") {
            std::erase_if(first_.diagnosis.mismatches,
                          [](const auto& mismatch) { return mismatch.code == "spectrum"; });
        }
    }

    void name_what_is_wrong() {
        drop_right_gain();
        drop_speeds_of_other_pairs();
        if (permuted_alike()) {
            std::erase_if(first_.diagnosis.mismatches,
                          [](const auto& mismatch) { return mismatch.code == "layout"; });
        }
        add_mismatches(first_.diagnosis);
        name_first();
        name_known_faults();
        weigh_layout();
    }

    /// A first answer in which nothing turns has several explanations, of which the others tell the
    /// right one: the table may be read at the position of the first token alone.
    void explain_stillness() {
        if (first_.behaviour.q.kind != SideBehaviour::Kind::still ||
            first_.behaviour.k.kind != SideBehaviour::Kind::still) {
            return;
        }
        const faults::RotationPlan right = expected_plan(subject_, *reply().request, false);
        const faults::RotationFault* best = nullptr;
        Index most = 0;
        for (const auto* fault : matching_faults(subject_, reply(), false, right, {})) {
            const Index given = given_by(*fault);
            if (given > most) {
                most = given;
                best = fault;
            }
        }
        if (best != nullptr && best->code != faults::code("spectrum.zero")) {
            first_.behaviour.q =
                first_.behaviour.k = {.kind = SideBehaviour::Kind::fault, .fault = best};
        }
    }

    /// Numbers that are right within their tolerance are right, whatever explains them too.
    void drop_what_is_right() {
        const auto not_of_scores = [](const std::string& code) {
            return !diagnosis::is_about_scores(code);
        };
        std::erase_if(first_.diagnosis.findings, [&](const Finding& finding) {
            return finding.weight != Weight::note && not_of_scores(finding.code);
        });
        std::erase_if(first_.diagnosis.mismatches,
                      [&](const auto& mismatch) { return not_of_scores(mismatch.code); });
    }

    /// Whether q and k are read in the model's pairs and written elsewhere, both alike: then scores
    /// are the model's.
    bool permuted_alike() const {
        const Request& request = *reply().request;
        const auto plan = [&](bool of_keys) {
            return plan_of_side(subject_, request, of_keys, first_.behaviour.of(of_keys));
        };
        const faults::RotationPlan q = plan(false), k = plan(true);
        return q.pairs == subject_.scheme.pairs && k.pairs == q.pairs && q.written != q.pairs &&
               k.written == q.written;
    }

    /// Another layout gives the same scores only with other weights than the model's, unless only
    /// the order of what comes out is another one.
    void weigh_layout() {
        Diagnosis& diagnosis = first_.diagnosis;
        const bool alike = permuted_alike();
        if (alike) {
            std::erase_if(diagnosis.findings, [](const Finding& finding) {
                return finding.code == faults::code("not_a_rotation");
            });
        }
        for (Finding& finding : diagnosis.findings) {
            if (finding.code == faults::code("layout.other") && finding.weight != Weight::note) {
                finding.weight = alike ? Weight::equivalent : Weight::fault;
            }
        }
    }

    /// A wrong first answer must have a finding that says why.
    void name_first() {
        std::vector<Finding>& findings = first_.diagnosis.findings;
        const auto says_why = [](const Finding& finding) {
            return finding.weight != Weight::note &&
                   finding.code != faults::code("not_a_rotation") &&
                   !diagnosis::is_about_scores(finding.code);
        };
        if (std::ranges::any_of(findings, says_why)) {
            return;
        }
        const Behaviour right;
        const std::set<std::string> none;
        const Question question{subject_, reply(), right, none, replies_};
        for (Finding& finding : faults_of(question)) {
            const auto same = std::ranges::find(findings, finding.code, &Finding::code);
            if (finding.code != faults::code("answer.wrong") ||
                std::ranges::none_of(findings,
                                     [](const auto& f) { return f.weight == Weight::fault; })) {
                if (same != findings.end()) {
                    findings.erase(same);
                }
                findings.insert(findings.begin(), std::move(finding));
            }
        }
    }

    /// Replies that a fault gives, on both sides.
    Index given_by(const faults::RotationFault& fault) const {
        const SideBehaviour side{.kind = SideBehaviour::Kind::fault, .fault = &fault};
        Index given = 0;
        for (const Reply* each : replies_) {
            const auto same = [&](bool of_keys) {
                return (of_keys && !each->request->has_keys()) ||
                       difference_from(*each, of_keys,
                                       plan_of_side(subject_, *each->request, of_keys, side), {})
                           .none();
            };
            given += same(false) && same(true) ? 1 : 0;
        }
        return given;
    }

    /// The code of a fault that gives exactly the first answer of a side.
    std::string code_of(bool of_keys) const {
        const SideBehaviour& side = first_.behaviour.of(of_keys);
        const Request& request = *reply().request;
        const bool twice = plan_of_side(subject_, request, of_keys, side).omega_rad.front() ==
                           2.0 * expected_plan(subject_, request, of_keys).omega_rad.front();
        return of_keys && twice && first_.behaviour.q.kind == SideBehaviour::Kind::expected
                   ? faults::code("k.rotated_twice")
                   : std::string(side.fault->code);
    }

    /// A fault that gives exactly the first answer says more than what the angles look like.
    void name_known_faults() {
        std::vector<Finding>& findings = first_.diagnosis.findings;
        const auto fault_of = [&](bool of_keys) {
            const SideBehaviour& side = first_.behaviour.of(of_keys);
            return side.kind == SideBehaviour::Kind::fault ? side.fault : nullptr;
        };
        const bool both = fault_of(false) != nullptr && fault_of(false) == fault_of(true);
        for (const bool of_keys : {false, true}) {
            if (fault_of(of_keys) == nullptr || (both && of_keys)) {
                continue;
            }
            const Side sides = both ? Side::both : of_keys ? Side::k : Side::q;
            std::erase_if(findings, [&](const Finding& finding) {
                return finding.weight == Weight::fault &&
                       !diagnosis::is_about_scores(finding.code) &&
                       (both || finding.place.sides == sides ||
                        (!of_keys && finding.place.sides == Side::both));
            });
            findings.insert(findings.begin(), {.code = code_of(of_keys),
                                               .words = {diagnosis::say::kInEveryCall,
                                                         {std::string(fault_of(of_keys)->text)}},
                                               .place = {sides}});
        }
    }

    const Part& subject_;
    std::span<const Reply* const> replies_;
    FirstAnswer first_;
};

}  // namespace

FirstAnswer explain_first(const Part& subject, std::span<const Reply* const> answered) {
    return FirstJudge(subject, answered).answer();
}

}  // namespace ropescope::probe
