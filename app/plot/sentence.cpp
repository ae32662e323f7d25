// Puts sentences together.
#include "app/plot/sentence.h"

namespace ropescope::plot {

std::string Sentence::text() const {
    std::string text;
    std::size_t value = 0;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string_view two = words.substr(i, 2);
        text += two == "{}" ? values[value++].text : std::string(1, words[i]);
        i += two == "{}" || two == "{{" || two == "}}" ? 1 : 0;
    }
    return text;
}

}  // namespace ropescope::plot
