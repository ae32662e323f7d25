// Compares the numbers of two figures.
#include "app/plot/difference.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ropescope::plot {
namespace {

class Differences {
  public:
    bool same_shape = true;
    double largest = 0;

    void number(double a, double b) {
        if (std::isnan(a) && std::isnan(b)) {
            return;
        }
        const double difference = a == b ? 0.0 : std::abs(a - b);  // infinities may be equal
        largest = std::isnan(difference) ? std::numeric_limits<double>::infinity()
                                         : std::max(largest, difference);
    }
    void point(Point a, Point b) {
        number(a.x, b.x);
        number(a.y, b.y);
    }
    template <typename Range, typename Each>
    void all(const Range& a, const Range& b, const Each& each) {
        same_shape = same_shape && a.size() == b.size();
        for (std::size_t i = 0; same_shape && i < a.size(); ++i) {
            each(a[i], b[i]);
        }
    }
    void points(const std::vector<Point>& a, const std::vector<Point>& b) {
        all(a, b, [this](Point p, Point q) { point(p, q); });
    }
    template <typename Values>
    void numbers(const Values& a, const Values& b) {
        all(a, b,
            [this](auto x, auto y) { number(static_cast<double>(x), static_cast<double>(y)); });
    }
};

/// The numbers that each kind of mark shows.
struct OfMark {
    Differences& differences;

    void operator()(const Line& a, const Line& b) const { differences.points(a.points, b.points); }
    void operator()(const Points& a, const Points& b) const {
        differences.points(a.points, b.points);
    }
    void operator()(const Vector& a, const Vector& b) const {
        differences.point(a.from, b.from);
        differences.point(a.to, b.to);
    }
    void operator()(const Area& a, const Area& b) const {
        differences.points(a.low, b.low);
        differences.points(a.high, b.high);
    }
    void operator()(const HeatMap& a, const HeatMap& b) const {
        differences.numbers(a.values, b.values);
    }
    /// Guides for the eye, and text, show no numbers.
    template <typename Other>
    void operator()(const Other&, const Other&) const {}
    template <typename A, typename B>
    void operator()(const A&, const B&) const {
        differences.same_shape = false;
    }
};

}  // namespace

std::optional<double> largest_difference(const Figure& a, const Figure& b) {
    Differences differences;
    differences.all(a.panels, b.panels, [&](const Panel& p, const Panel& q) {
        differences.all(p.marks, q.marks, [&](const Mark& m, const Mark& n) {
            std::visit(OfMark{differences}, m, n);
        });
    });
    differences.all(a.data.columns, b.data.columns, [&](const Column& p, const Column& q) {
        const auto* x = std::get_if<std::vector<double>>(&p.values);
        const auto* y = std::get_if<std::vector<double>>(&q.values);
        if (x != nullptr && y != nullptr) {
            differences.numbers(*x, *y);
        }
    });
    return differences.same_shape ? std::optional(differences.largest) : std::nullopt;
}

}  // namespace ropescope::plot
