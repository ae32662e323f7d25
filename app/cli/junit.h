// What `diagnose`, `diff`, `probe` and `vectors --check` write for build servers (--junit FILE).
#pragma once

#include <string>
#include <vector>

#include "app/cli/command.h"
#include "core/base/junit.h"
#include "core/diagnosis/layers.h"
#include "core/diagnosis/tables/table_diagnosis.h"
#include "core/diff/report.h"
#include "core/probe/judge.h"
#include "core/vectors/judge.h"

namespace ropescope::cli {

/// The option; `path` must live until the command has run.
Option junit_option(std::string& path);
/// Writes the file if a path was given. `command` names the suite.
void write_junit(const std::string& path, const std::string& command,
                 const std::vector<JunitCase>& cases);

/// A test for each layer of a dump; one for a dump without layers. `group` is the dump's name.
std::vector<JunitCase> junit_cases(const diagnosis::LayeredDiagnosis& found,
                                   const std::string& group);
/// A test for each table.
std::vector<JunitCase> junit_cases(const std::vector<diagnosis::TableDiagnosis>& found,
                                   const std::string& group);
/// A test for each layer, part or table.
std::vector<JunitCase> junit_cases(const diff::DiffReport& report, const std::string& group);
/// A test for each request, and one for the verdict.
std::vector<JunitCase> junit_cases(const probe::Report& report, const std::string& group);
/// A test for each case of the pack.
std::vector<JunitCase> junit_cases(const std::vector<vectors::CaseJudgement>& judgements,
                                   const std::string& group);

}  // namespace ropescope::cli
