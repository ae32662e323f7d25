// Finds tables by the names that libraries give them, and brings them into one form.
#include "core/diagnosis/tables/rope_table.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

#include "core/base/characters.h"
#include "core/base/error.h"
#include "core/diagnosis/read_dump.h"
#include "core/rope/rope_spec.h"

namespace ropescope::diagnosis {
namespace {

enum class Role { none, cos, sin, cos_sin, cis, frequencies, factors, positions };

struct RoleName {
    std::string_view name;
    Role role;
};
constexpr std::array<RoleName, 13> kRoleNames = {{{"cos", Role::cos},
                                                  {"cos_cached", Role::cos},
                                                  {"cos_cache", Role::cos},
                                                  {"sin", Role::sin},
                                                  {"sin_cached", Role::sin},
                                                  {"sin_cache", Role::sin},
                                                  {"cos_sin_cache", Role::cos_sin},
                                                  {"cos_sin", Role::cos_sin},
                                                  {"freqs_cis", Role::cis},
                                                  {"inv_freq", Role::frequencies},
                                                  {"rope_freqs", Role::factors},
                                                  {"rope_freqs.weight", Role::factors},
                                                  {"positions", Role::positions}}};

/// The role of a name, and the words before it.
struct Named {
    Role role = Role::none;
    std::string front = {};
};
Named named(const std::string& name) {
    for (const auto& [ending, role] : kRoleNames) {
        const bool ends = name.ends_with(ending);
        const std::size_t front = name.size() - (ends ? ending.size() : 0);
        if (ends && (front == 0 || name[front - 1] == '.' || name[front - 1] == '/')) {
            return {role, name.substr(0, front)};
        }
    }
    return {};
}

[[noreturn]] void refuse(const std::string& origin, const TensorBytes& tensor,
                         const std::string& what) {
    throw InputError(fmt::format("{}: tensor {}: {}", origin, in_quotes(tensor.name), what));
}

bool is_complex(Dtype dtype) {
    return dtype == Dtype::c64 || dtype == Dtype::c128;
}

/// A complex tensor as one of real numbers, of which each has two behind each other.
TensorBytes as_real(const TensorBytes& tensor) {
    TensorBytes real = tensor;
    if (is_complex(tensor.dtype)) {
        real.dtype = tensor.dtype == Dtype::c64 ? Dtype::f32 : Dtype::f64;
        real.shape.push_back(2);
    }
    return real;
}

/// Numbers of a tensor; a complex one has two behind each other.
std::vector<double> numbers_of(const TensorBytes& tensor, const std::string& origin) {
    const bool floats = tensor.dtype == Dtype::f64 || tensor.dtype == Dtype::f32 ||
                        tensor.dtype == Dtype::f16 || tensor.dtype == Dtype::bf16;
    if (!floats && !is_complex(tensor.dtype)) {
        refuse(origin, tensor,
               fmt::format("dtype {}; F64, F32, F16, BF16, C64 or C128 is expected",
                           to_string(tensor.dtype)));
    }
    const std::vector<double> values = to_f64(as_real(tensor));
    const auto bad = std::ranges::find_if(values, [](double v) { return !std::isfinite(v); });
    if (bad != values.end()) {
        refuse(origin, tensor,
               fmt::format("the value at flat index {} is NaN or infinite; a table is expected",
                           bad - values.begin()));
    }
    return values;
}

/// The sizes of its axes without those of 1, and behind them `inner` axes as they are.
std::vector<std::int64_t> without_ones(const std::vector<std::int64_t>& shape, std::size_t inner) {
    std::vector<std::int64_t> sizes;
    for (std::size_t i = 0; i < shape.size(); ++i) {
        if (shape[i] != 1 || i + inner >= shape.size()) {
            sizes.push_back(shape[i]);
        }
    }
    return sizes;
}

/// Rows of numbers.
struct Rows {
    Index rows = 0, width = 0;
    std::vector<double> values = {};

    double at(Index row, Index column) const { return values[row * width + column]; }
};

Rows rows_of(const TensorBytes& tensor, const std::string& origin, std::size_t inner = 1) {
    require_table_size(origin, {tensor.name, tensor.dtype, tensor.shape});
    std::vector<std::int64_t> shape = without_ones(tensor.shape, inner);
    if (shape.size() == inner) {
        shape.insert(shape.begin(), 1);
    }
    if (shape.size() != inner + 1 || tensor.count() == 0 || shape[0] > kMaxPosition + 1) {
        refuse(origin, tensor,
               fmt::format("shape {}; one row of numbers for each position is expected",
                           shape_text(tensor.shape)));
    }
    Rows rows{.rows = shape[0], .values = numbers_of(tensor, origin)};
    rows.width = std::ssize(rows.values) / rows.rows;
    return rows;
}

/// Whether every row holds the number of one place at another place, too.
template <typename Other>
bool repeats(const Rows& table, Other other) {
    for (Index row = 0; row < table.rows; ++row) {
        for (Index column = 0; column < table.width; ++column) {
            if (table.at(row, column) != table.at(row, other(column))) {
                return false;
            }
        }
    }
    return true;
}

/// The layout for which a table of the full width was written.
std::optional<Layout> layout_of_width(const Rows& cos, const Rows& sin) {
    if (cos.width % 2 != 0 || cos.width < 4) {
        return std::nullopt;
    }
    const Index half = cos.width / 2;
    const auto behind = [&](Index c) { return (c + half) % (2 * half); };
    const auto beside = [](Index c) { return c ^ 1; };
    if (repeats(cos, behind) && repeats(sin, behind)) {
        // Rows of one number say nothing: position 0 alone.
        return repeats(cos, beside) && repeats(sin, beside) ? std::nullopt
                                                            : std::optional(Layout::half_split);
    }
    return repeats(cos, beside) && repeats(sin, beside) ? std::optional(Layout::interleaved)
                                                        : std::nullopt;
}

FloatFormat format_of_all(std::span<const TensorBytes* const> tensors) {
    FloatFormat coarsest{Dtype::f64, 0.0, 0.0};
    for (const TensorBytes* tensor : tensors) {
        TensorBytes flat = as_real(*tensor);
        flat.shape = {flat.count() / flat.shape.back(), flat.shape.back()};
        const FloatFormat format = effective_format(placed(flat, "ld"));
        if (format.unit > coarsest.unit) {
            coarsest = format;
        }
    }
    return coarsest;
}

class Tables {
  public:
    Tables(std::span<const TensorBytes> tensors, const std::string& origin)
        : tensors_(tensors), origin_(origin) {}

    std::vector<RopeTable> all() {
        for (const TensorBytes& tensor : tensors_) {
            const Named is = named(tensor.name);
            switch (is.role) {
                case Role::cos:
                    add_cos_sin(tensor, partner(is.front, Role::sin, tensor));
                    break;
                case Role::sin:
                    partner(is.front, Role::cos, tensor);
                    break;
                case Role::cos_sin:
                    add_cache(tensor);
                    break;
                case Role::cis:
                    add_cis(tensor);
                    break;
                case Role::frequencies:
                    add_frequencies(tensor, TableForm::frequencies);
                    break;
                case Role::factors:
                    add_frequencies(tensor, TableForm::factors);
                    break;
                default:
                    break;
            }
        }
        return std::move(tables_);
    }

  private:
    const TensorBytes& partner(const std::string& front, Role role, const TensorBytes& of) const {
        for (const TensorBytes& tensor : tensors_) {
            const Named is = named(tensor.name);
            if (is.role == role && is.front == front) {
                return tensor;
            }
        }
        refuse(origin_, of,
               fmt::format("it comes without {}; a rotation needs both",
                           role == Role::sin ? "sin" : "cos"));
    }

    void add_positions(RopeTable& table, const std::string& front, const TensorBytes& of) {
        for (const TensorBytes& tensor : tensors_) {
            const Named is = named(tensor.name);
            if (is.role == Role::positions && (is.front == front || is.front.empty())) {
                table.positions = to_f64(tensor);
                if (std::ssize(table.positions) != table.rows) {
                    refuse(origin_, of,
                           fmt::format("{} rows, and positions has {} numbers; one for each row "
                                       "is expected",
                                       table.rows, table.positions.size()));
                }
                for (const double position : table.positions) {
                    if (!(std::abs(position) <= to_double(kMaxPosition))) {
                        refuse(origin_, tensor,
                               fmt::format("position {}; numbers from -{} to {} are expected",
                                           position, kMaxPosition, kMaxPosition));
                    }
                }
                return;
            }
        }
        for (Index row = 0; row < table.rows; ++row) {
            table.positions.push_back(to_double(row));
        }
    }

    /// Pair i stands at column first + i step of both.
    void add(const std::string& name, const std::string& front, const TensorBytes& of,
             const Rows& cos, const Rows& sin, Index first_sin, Index step, Index pairs,
             std::optional<Layout> layout, const FloatFormat& format) {
        RopeTable table{.name = name,
                        .form = TableForm::cos_sin,
                        .format = format,
                        .rows = cos.rows,
                        .pairs = pairs,
                        .layout = layout};
        for (Index row = 0; row < cos.rows; ++row) {
            for (Index pair = 0; pair < pairs; ++pair) {
                table.cos.push_back(cos.at(row, pair * step));
                table.sin.push_back(sin.at(row, first_sin + pair * step));
            }
        }
        add_positions(table, front, of);
        tables_.push_back(std::move(table));
    }

    void add_cos_sin(const TensorBytes& cos_tensor, const TensorBytes& sin_tensor) {
        const Rows cos = rows_of(cos_tensor, origin_), sin = rows_of(sin_tensor, origin_);
        if (cos.rows != sin.rows || cos.width != sin.width) {
            refuse(origin_, sin_tensor,
                   fmt::format("shape {}, and {} has {}; both are expected alike",
                               shape_text(sin_tensor.shape), in_quotes(cos_tensor.name),
                               shape_text(cos_tensor.shape)));
        }
        const std::optional<Layout> layout = layout_of_width(cos, sin);
        const TensorBytes* const both[] = {&cos_tensor, &sin_tensor};
        add(fmt::format("{} and {}", cos_tensor.name, sin_tensor.name),
            named(cos_tensor.name).front, cos_tensor, cos, sin, 0,
            layout == Layout::interleaved ? 2 : 1, layout ? cos.width / 2 : cos.width, layout,
            format_of_all(both));
    }

    void add_cache(const TensorBytes& tensor) {
        const Rows rows = rows_of(tensor, origin_);
        if (rows.width % 2 != 0) {
            refuse(origin_, tensor,
                   fmt::format("{} columns; as many cosines as sines are expected", rows.width));
        }
        const TensorBytes* const all[] = {&tensor};
        add(tensor.name, named(tensor.name).front, tensor, rows, rows, rows.width / 2, 1,
            rows.width / 2, std::nullopt, format_of_all(all));
    }

    void add_cis(const TensorBytes& tensor) {
        const std::vector<std::int64_t>& shape = tensor.shape;
        const bool complex = is_complex(tensor.dtype);
        const bool matrices =
            !complex && shape.size() >= 3 && shape.back() == 2 && shape[shape.size() - 2] == 2;
        const std::size_t inner = complex ? 1 : matrices ? 3 : 2;
        if (!complex && (shape.empty() || shape.back() != 2)) {
            refuse(origin_, tensor,
                   fmt::format("shape {}; complex numbers, or [positions, pairs, 2] with cos and "
                               "sin, are expected",
                               shape_text(shape)));
        }
        const Rows rows = rows_of(tensor, origin_, inner);
        // A matrix is cos, -sin, sin, cos.
        const Index step = matrices ? 4 : 2;
        const TensorBytes* const all[] = {&tensor};
        add(tensor.name, named(tensor.name).front, tensor, rows, rows, matrices ? 2 : 1, step,
            rows.width / step, std::nullopt, format_of_all(all));
    }

    void add_frequencies(const TensorBytes& tensor, TableForm form) {
        const Rows rows = rows_of(tensor, origin_);
        if (rows.rows != 1 || rows.width > kMaxHeadDim / 2) {
            refuse(origin_, tensor,
                   fmt::format("shape {}; a number for each pair is expected",
                               shape_text(tensor.shape)));
        }
        const TensorBytes* const all[] = {&tensor};
        tables_.push_back({.name = tensor.name,
                           .form = form,
                           .format = format_of_all(all),
                           .pairs = rows.width,
                           .values = rows.values});
    }

    std::span<const TensorBytes> tensors_;
    const std::string& origin_;
    std::vector<RopeTable> tables_ = {};
};

}  // namespace

bool is_of_tables(const std::string& name) {
    return named(name).role != Role::none;
}

void require_table_size(const std::string& origin, const TensorInfo& tensor) {
    TensorBytes header{
        .name = tensor.name, .dtype = tensor.dtype, .shape = tensor.shape, .bytes = {}};
    if (header.count() > kMostTableNumbers) {
        refuse(origin, header,
               fmt::format("shape {}; a table of at most {} numbers is expected",
                           shape_text(header.shape), kMostTableNumbers));
    }
}

bool are_tables(std::span<const std::string> names) {
    const auto of_dump = [](const std::string& name) {
        const auto ends = [&](std::string_view ending) {
            return name == ending || name.ends_with("." + std::string(ending)) ||
                   name.starts_with(std::string(ending) + ".");
        };
        return ends("q") || ends("k") || ends("q_rot") || ends("k_rot");
    };
    const auto of_table = [](const std::string& name) {
        const Role role = named(name).role;
        return role != Role::none && role != Role::positions;
    };
    return std::ranges::any_of(names, of_table) && std::ranges::none_of(names, of_dump);
}

std::vector<RopeTable> tables_among(std::span<const TensorBytes> tensors,
                                    const std::string& origin) {
    std::vector<RopeTable> tables = Tables(tensors, origin).all();
    if (tables.empty()) {
        throw InputError(
            fmt::format("{}: it has no cos and sin, cos_sin_cache, freqs_cis, inv_freq "
                        "or rope_freqs; name the tables so",
                        origin));
    }
    return tables;
}

}  // namespace ropescope::diagnosis
