"""Tensors of PyTorch, where it is installed."""

import numpy
import pytest

import ropescope

torch = pytest.importorskip("torch")
PLAIN = {"model_type": "llama", "hidden_size": 64, "num_attention_heads": 4, "rope_theta": 10000.0}


def test_tensors_are_turned_in_place_without_a_copy():
    x = torch.randn(2, 4, 5, 16)
    expected = ropescope.rotate(x.numpy(), PLAIN)
    address = x.data_ptr()
    assert ropescope.rotate_(x, PLAIN) is x and x.data_ptr() == address
    numpy.testing.assert_array_equal(x.numpy(), expected)


def test_views_are_turned_where_they_lie():
    x = torch.randn(2, 5, 4, 16)
    expected = ropescope.rotate(x.numpy(), PLAIN, axes="blhd")
    ropescope.rotate_(x.transpose(1, 2), PLAIN)
    numpy.testing.assert_array_equal(x.numpy(), expected)


def test_bfloat16_is_rounded_once():
    x = torch.randn(1, 2, 3, 16).to(torch.bfloat16)
    wide = ropescope.rotate(x.float(), PLAIN)
    assert torch.equal(ropescope.rotate(x, PLAIN), wide.to(torch.bfloat16))


def test_a_tensor_in_a_gradient_is_refused_with_the_remedy():
    x = torch.randn(1, 2, 3, 16, requires_grad=True)
    with pytest.raises(ValueError, match=r"x\.detach\(\)"):
        ropescope.rotate_(x, PLAIN)
    ropescope.rotate(x.detach(), PLAIN)


def rotated(q, k, positions, sign=1):
    """Half-split pairs as models in PyTorch turn them: in fp32, back to the dtype of x."""
    half = q.shape[-1] // 2
    angle = sign * positions[:, None, :, None] * 10000.0 ** (-torch.arange(half).double() / half)
    cos, sin = angle.cos().float(), angle.sin().float()

    def turned(x):
        first, second = x.float().chunk(2, dim=-1)
        return torch.cat([first * cos - second * sin, first * sin + second * cos], dim=-1).to(x.dtype)
    return turned(q), turned(k)


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.float16, torch.bfloat16])
def test_a_right_function_passes_with_its_gradient(dtype):
    ropescope.assert_rope(rotated, PLAIN, dtype=dtype)


class TurnsGradientForward(torch.autograd.Function):
    @staticmethod
    def forward(context, q, k, positions):
        context.save_for_backward(positions)
        return rotated(q, k, positions)

    @staticmethod
    def backward(context, dq, dk):
        return (*rotated(dq, dk, context.saved_tensors[0]), None)


def test_a_gradient_that_turns_forward_is_told():
    with pytest.raises(AssertionError, match="fn turns as the config says, but: The gradient of q is not the inverse"):
        def fn(q, k, positions):
            return TurnsGradientForward.apply(q, k, positions)
        ropescope.assert_rope(fn, PLAIN, dtype=torch.float32)


def test_a_side_that_is_cut_from_the_gradient_is_told():
    def fn(q, k, positions):
        q_rot, k_rot = rotated(q, k, positions)
        return q_rot, k_rot.detach() + 0 * q_rot.sum()
    with pytest.raises(AssertionError, match=r"gradient \(k\)"):
        ropescope.assert_rope(fn, PLAIN, dtype=torch.float32)


def test_functions_without_a_gradient_are_judged_by_their_numbers():
    def fn(q, k, positions):
        return tuple(ropescope.rotate(x.detach(), PLAIN, positions) for x in (q, k))
    ropescope.assert_rope(fn, PLAIN, dtype=torch.bfloat16)


def test_a_dump_of_bfloat16_is_read_where_it_lies():
    q = torch.randn(1, 3, 40, 16).to(torch.bfloat16)
    found = ropescope.diagnose(q=q, q_rot=ropescope.rotate(q, PLAIN), axes="bhld", positions=torch.arange(40),
                               expect=PLAIN)
    assert found.passed
    with pytest.raises(ValueError, match=r"q: Tensor takes part in a gradient.*q\.detach\(\)"):
        ropescope.diagnose(q=q.requires_grad_(), q_rot=q)


def test_a_probe_asks_in_every_dtype():
    report = ropescope.probe(rotated, PLAIN, dtypes=[torch.float32, torch.float16, torch.bfloat16])
    assert report.passed, str(report)
    assert report.asked == "torch float32 float16 bfloat16 bhld"
    report = ropescope.probe(lambda q, k, p: rotated(q, k, p, sign=-1), PLAIN, arrays="torch")
    assert report.verdict == "invalid" and not report.passed
    assert "sign reversed, expected forward" in str(report)


def apply_rotary_pos_emb(q, k, cos, sin):
    """As transformers writes it: every product and sum in the dtype of q."""
    def rotate_half(x):
        first, second = x.chunk(2, dim=-1)
        return torch.cat([-second, first], dim=-1)
    cos, sin = cos[:, None], sin[:, None]
    return q * cos + rotate_half(q) * sin, k * cos + rotate_half(k) * sin


def turned_in_its_dtype(inv_freq):
    def fn(q, k, positions):
        angle = positions[..., None].to(inv_freq.dtype) * inv_freq
        angle = torch.cat([angle, angle], dim=-1).float()
        return apply_rotary_pos_emb(q, k, angle.cos().to(q.dtype), angle.sin().to(q.dtype))
    return fn


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16])
def test_code_that_rounds_as_transformers_does_passes_and_rounded_frequencies_do_not(dtype):
    inv_freq = 1.0 / 500000.0 ** (torch.arange(0, 128, 2).float() / 128)
    ropescope.assert_rope(turned_in_its_dtype(inv_freq), "llama-3-8b", dtype=dtype)
    with pytest.raises(AssertionError, match="spectrum.low_precision.* rounded to bf(loat)?16"):
        ropescope.assert_rope(turned_in_its_dtype(inv_freq.bfloat16()), "llama-3-8b", dtype=dtype)
