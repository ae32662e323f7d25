// Makes tensors with other numbers.
#include "core/diagnosis/held/changed_tensor.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/base/parallel.h"

namespace ropescope::diagnosis {

std::shared_ptr<const void> both_owners(std::shared_ptr<const void> one,
                                        std::shared_ptr<const void> other) {
    using Both = std::pair<std::shared_ptr<const void>, std::shared_ptr<const void>>;
    return std::make_shared<const Both>(std::move(one), std::move(other));
}

ChangedTensor changed(const DumpTensor& tensor, Dtype dtype,
                      const std::function<void(Index row, Index head, Index token,
                                               std::span<double> channels)>& change) {
    const Index rows = tensor.batch * tensor.heads * tensor.length;
    const Index bytes_of_row = tensor.channels * static_cast<Index>(dtype_size(dtype));
    const auto bytes = std::make_shared<std::vector<std::byte>>(rows * bytes_of_row);
    parallel_for(rows, 64, default_threads(), [&](Index begin, Index end) {
        std::vector<double> channels(tensor.channels);
        for (Index at = begin; at < end; ++at) {
            const Index row = at / (tensor.heads * tensor.length);
            const Index head = at / tensor.length % tensor.heads, token = at % tensor.length;
            tensor.read(row, head, token, channels);
            change(row, head, token, channels);
            const Tensor stored = make_tensor_as(dtype, "", {tensor.channels}, channels);
            std::ranges::copy(stored.view().bytes, bytes->begin() + at * bytes_of_row);
        }
    });
    DumpTensor view = tensor;
    view.dtype = dtype;
    view.quantised.reset();
    view.stored.reset();
    view.norm_share = 0.0;
    view.data = bytes->data();
    view.position_stride = tensor.channels;
    view.head_stride = tensor.length * view.position_stride;
    view.batch_stride = tensor.heads * view.head_stride;
    return {view, bytes};
}

Dump rounded_behind(const Dump& dump, Dtype dtype) {
    Dump coarse = dump;
    coarse.scores.reset();
    for (std::optional<DumpSide>* side : {&coarse.q, &coarse.k}) {
        if (*side) {
            ChangedTensor after =
                changed((*side)->after, dtype, [](Index, Index, Index, std::span<double>) {});
            (*side)->after = after.view;
            coarse.owner = both_owners(coarse.owner, after.owner);
        }
    }
    return coarse;
}

}  // namespace ropescope::diagnosis
