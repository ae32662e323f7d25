// The one list of all checks, family by family in the order of the report.
#include <iterator>

#include "core/checks/families/families.h"

namespace ropescope {

const std::vector<Check>& all_checks() {
    static const std::vector<Check> checks = [] {
        std::vector<Check> all;
        for (const auto& family : {rope_identities,  score_checks,    attention_factor_checks,
                                   spectrum_checks,  scaling_checks,  layout_checks,
                                   table_checks,     rotation_checks, factor_table_checks,
                                   axes_checks,      scheme_checks,   published_scheme_checks,
                                   position_checks,  engine_checks,   attention_checks,
                                   encoder_checks,   encoding_checks, encoder_option_checks,
                                   map_checks,       gpu_checks,      decay_checks,
                                   precision_checks, absolute_checks, system_checks,
                                   claim_checks}) {
            std::vector<Check> members = family();
            all.insert(all.end(), std::make_move_iterator(members.begin()),
                       std::make_move_iterator(members.end()));
        }
        return all;
    }();
    return checks;
}

}  // namespace ropescope
