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
