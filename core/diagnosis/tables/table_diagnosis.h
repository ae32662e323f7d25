// Says what the tables of an implementation are of, and whether they are those of a model.
#pragma once

#include <string>
#include <vector>

#include "core/diagnosis/diagnosis.h"
#include "core/diagnosis/tables/rope_table.h"

namespace ropescope::diagnosis {

struct TableDiagnosis {
    RopeTable table = {};
    /// Of q = (1, 0) in every pair, turned by the table: what a rotation by it does.
    Diagnosis diagnosis = {};
    std::string known_as = {};  ///< of factors without an expectation: the model that has them

    bool passes() const { return diagnosis::passes(diagnosis); }
    std::string summary() const;  ///< one line
};

/// `expectation` may be null. Throws InputError if it has no embedding as wide as factors that are
/// to be held to it.
std::vector<TableDiagnosis> diagnose_tables(std::vector<RopeTable> tables,
                                            const Expectation* expectation = nullptr);

/// Whether all of them pass.
bool passes(const std::vector<TableDiagnosis>& found);

std::string tables_text(const std::vector<TableDiagnosis>& found);
/// {verdict, summary, tables[{name, form, rows, pairs, width, known_as, and the keys of a
/// diagnosis}]}; the verdict is the worst.
std::string tables_json(const std::vector<TableDiagnosis>& found);

}  // namespace ropescope::diagnosis
