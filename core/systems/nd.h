// Small dense arrays with the broadcasting, slicing and rounding of PyTorch, NumPy and TensorFlow,
// so that a text's code can be transcribed line by line and fails where the original fails.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/base/number_format.h"

namespace ropescope::nd {

using Shape = std::vector<std::int64_t>;

/// Row-major; every value is representable in `dtype`.
struct Array {
    Shape shape;
    std::vector<double> values;
    NumberFormat dtype = NumberFormat::fp32;

    std::int64_t axes() const { return static_cast<std::int64_t>(shape.size()); }
    bool operator==(const Array&) const = default;
};

/// Why a framework refuses a call. `argument`: the call has no such parameter.
enum class Fault { broadcast, view, index, assertion, argument };

/// Thrown by the operations below; System::apply turns it into a value.
class Error : public std::runtime_error {
  public:
    Error(Fault fault, const std::string& text) : std::runtime_error(text), fault_(fault) {}
    Fault fault() const { return fault_; }

  private:
    Fault fault_;
};

std::int64_t count(const Shape& shape);

/// Rounds every value; throws std::invalid_argument when the sizes disagree (a programming error).
Array make(NumberFormat dtype, Shape shape, std::vector<double> values);
/// start, start + step, ... below stop.
Array arange(NumberFormat dtype, std::int64_t start, std::int64_t stop, std::int64_t step = 1);
Array cast(Array a, NumberFormat dtype);
/// f on every value, rounded to the array's dtype.
Array map(Array a, const std::function<double(double)>& f);
Array negate(Array a);

/// Length of an axis, counted from the end if negative. Throws Fault::index if there is no such
/// axis.
std::int64_t size(const Array& a, std::int64_t axis);

/// Broadcasting from the last axis; Fault::broadcast names both shapes.
Array add(const Array& a, const Array& b);
Array subtract(const Array& a, const Array& b);
Array multiply(const Array& a, const Array& b);

/// Python's a[..., start:stop:step] on one axis (negative: from the end): bounds are clipped.
Array slice(const Array& a, std::int64_t axis, std::int64_t start, std::int64_t stop,
            std::int64_t step = 1);
/// a[..., index]: the last axis goes away.
Array last(const Array& a, std::int64_t index);
/// Joins both on the last axis.
Array concatenate(const Array& a, const Array& b);
/// New last axis of length 2.
Array stack(const Array& a, const Array& b);
/// One -1 is inferred. Fault::view when the number of values differs.
Array view(Array a, Shape shape);
Array unsqueeze(Array a, std::int64_t axis);
/// Merges the axes from `axis` on, as torch.flatten(axis).
Array flatten(Array a, std::int64_t axis);
/// a[..., start::2] = values, as NumPy and PyTorch assign.
void assign_every_second(Array& a, std::int64_t start, const Array& values);
/// Axis i of the result is axis order[i] of a.
Array transpose(const Array& a, const std::vector<int>& order);

}  // namespace ropescope::nd

namespace ropescope::systems {

// The two ways in which the texts write "rotate every pair".

/// A complex tensor, as torch.view_as_complex makes it from [..., pairs, 2].
struct ComplexArray {
    nd::Array real;
    nd::Array imaginary;
};

/// view_as_complex(x.reshape(*x.shape[:-1], -1, 2)): adjacent channels become one number.
ComplexArray adjacent_as_complex(const nd::Array& x);
ComplexArray view(const ComplexArray& z, const nd::Shape& shape);
ComplexArray multiply(const ComplexArray& z, const ComplexArray& w);
/// view_as_real: [..., pairs, 2].
nd::Array as_real(const ComplexArray& z);

/// Hugging Face's rotate_half: cat(-x[..., d/2:], x[..., :d/2]).
nd::Array rotate_half(const nd::Array& x);

/// x * cos + rotated * sin.
nd::Array blend(const nd::Array& x, const nd::Array& cos, const nd::Array& rotated,
                const nd::Array& sin);

}  // namespace ropescope::systems
