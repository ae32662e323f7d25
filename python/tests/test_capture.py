"""capture(): models in the shapes of the usual libraries, watched while they run."""

import numpy
import pytest

import ropescope

torch = pytest.importorskip("torch")
import rotating_models  # noqa: E402  (needs PyTorch)
from rotating_models import LAYERS, LENGTH, SHAPES, config_of, inputs, make  # noqa: E402


def state_of(model, namespace):
    """Every attribute that capture() may write to."""
    classes = {each for module in model.modules() for each in type(module).__mro__}
    return ([dict(vars(module)) for module in model.modules()], dict(vars(namespace)),
            {each: dict(vars(each)) for each in classes if each.__module__ == namespace.__name__})


@pytest.mark.parametrize("shape", SHAPES)
def test_a_right_model_passes_and_gives_the_same_numbers(shape, monkeypatch):
    model, namespace = make(shape, monkeypatch)
    given = inputs(shape)
    with torch.no_grad():
        alone = model(**given)
    before = state_of(model, namespace)
    with torch.no_grad(), ropescope.capture(model) as seen:
        watched = model(**given)
    assert torch.equal(alone, watched)
    assert state_of(model, namespace) == before
    report = seen.diagnose(config_of(shape))
    assert report.passed, str(report)
    assert [call.layer for call in seen.calls] == list(range(LAYERS))
    assert all(call.positions is not None for call in seen.calls) and not report.notes, str(report)


@pytest.mark.parametrize("shape", SHAPES)
def test_a_fault_of_one_layer_is_told_with_its_layer(shape, monkeypatch):
    model, _ = make(shape, monkeypatch, faulty=True)
    with ropescope.capture(model) as seen:
        model(**inputs(shape))
    report = seen.diagnose(config_of(shape))
    assert not report.passed
    assert "layer 1" in str(report) and "layer 2" not in str(report), str(report)


@pytest.mark.parametrize("shape", SHAPES)
def test_a_second_call_at_later_positions_is_held_to_them(shape, monkeypatch):
    model, _ = make(shape, monkeypatch)
    with ropescope.capture(model) as seen:
        model(**inputs(shape))
        model(**inputs(shape, start=LENGTH, tokens=3))
    report = seen.diagnose(config_of(shape))
    assert report.passed, str(report)
    assert [each.call for each in report.stacks] == [0, 1]
    assert all(len(each.layers) == LAYERS for each in report.stacks)


def test_layers_that_are_told_other_positions_are_noted(monkeypatch):
    model, namespace = make("torchtune", monkeypatch)
    plain = namespace.Block.forward
    monkeypatch.setattr(namespace.Block, "forward",
                        lambda self, x, input_pos: plain(self, x, input_pos + (self is model.layers[2])))
    with ropescope.capture(model) as seen:
        model(**inputs("torchtune"))
    assert seen.diagnose(config_of("torchtune")).notes == ("layers.2: told other positions than layers.0.",)


def test_positions_that_the_model_is_told_wrongly_are_a_fault(monkeypatch):
    """The second call counts from 0 again, though its positions say otherwise."""
    model, namespace = make("gpt_fast", monkeypatch)
    plain = namespace.apply_rotary_emb
    angle = torch.outer(torch.arange(3).double(), namespace.inv_freq())
    restarted = torch.stack([angle.cos(), angle.sin()], -1).float()
    monkeypatch.setattr(namespace, "apply_rotary_emb",
                        lambda x, freqs_cis: plain(x, restarted if x.shape[1] == 3 else freqs_cis))
    with ropescope.capture(model) as seen:
        model(**inputs("gpt_fast"))
        model(**inputs("gpt_fast", start=LENGTH, tokens=3))
    report = seen.diagnose(config_of("gpt_fast"))
    assert not report.passed
    assert "call 2: positions are off by -12, and by 0 in the first call" in report.problems[0], str(report)


def test_all_is_as_before_after_an_exception(monkeypatch):
    model, namespace = make("transformers", monkeypatch)
    before = state_of(model, namespace)
    with pytest.raises(RuntimeError, match="stop"):
        with ropescope.capture(model) as seen:
            model(**inputs("transformers"))
            raise RuntimeError("stop")
    assert state_of(model, namespace) == before
    assert len(seen.calls) == LAYERS


def test_gradients_flow_as_without_it(monkeypatch):
    model, _ = make("transformers", monkeypatch)
    model(**inputs("transformers")).sum().backward()
    alone = [parameter.grad.clone() for parameter in model.parameters() if parameter.grad is not None]
    model.zero_grad()
    with ropescope.capture(model) as seen:
        model(**inputs("transformers")).sum().backward()
    watched = [parameter.grad for parameter in model.parameters() if parameter.grad is not None]
    assert alone and all(torch.equal(a, b) for a, b in zip(alone, watched))
    assert seen.diagnose(config_of("transformers")).passed


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
def test_sixteen_bits_are_kept_as_they_are(dtype, monkeypatch):
    model, _ = make("gpt_fast", monkeypatch)
    given = inputs("gpt_fast")
    plain = model.forward
    if dtype is torch.float16:  # the products of this PyTorch need float32 on a processor
        pytest.skip("PyTorch has no float16 products here") if not _has_products(dtype) else None
    model.to(dtype)
    with ropescope.capture(model) as seen:
        model(given["x"].to(dtype), given["input_pos"])
    assert model.forward == plain
    assert seen.calls[0].q.dtype == dtype
    assert seen.diagnose(config_of("gpt_fast")).passed


def _has_products(dtype):
    try:
        torch.nn.Linear(2, 2).to(dtype)(torch.ones(1, 2, dtype=dtype))
        return True
    except RuntimeError:
        return False


def test_long_calls_keep_their_ends_at_their_positions(monkeypatch):
    model, _ = make("transformers", monkeypatch)
    with ropescope.capture(model, max_tokens=5) as seen:
        model(**inputs("transformers"))
    assert seen.calls[0].q.shape[2] == 5
    numpy.testing.assert_array_equal(seen.calls[0].positions, [[0, 1, 2, LENGTH - 2, LENGTH - 1]])
    assert seen.diagnose(config_of("transformers")).passed


def test_the_limit_on_memory_is_kept_and_said(monkeypatch):
    model, _ = make("transformers", monkeypatch)
    with ropescope.capture(model, max_bytes=20000) as seen:
        model(**inputs("transformers"))
    kept = sum(tensor.numel() * tensor.element_size() for call in seen.calls for tensor in call.tensors().values())
    assert 0 < kept <= 20000 and len(seen.calls) < LAYERS
    assert "2 calls were not kept" in str(seen.diagnose(config_of("transformers")))


def test_functions_of_other_names_can_be_named(monkeypatch):
    model, namespace = make("gpt_neox", monkeypatch)
    namespace.turned = namespace.apply_rotary_pos_emb
    namespace.turned.__name__ = "turned"
    del namespace.apply_rotary_pos_emb
    monkeypatch.setattr(namespace.Block, "forward", _renamed(namespace))
    with ropescope.capture(model) as seen:
        model(**inputs("gpt_neox"))
    with pytest.raises(ValueError, match=r"no rotation was seen.*functions=\["):
        seen.diagnose()
    with ropescope.capture(model, functions=["modeling_gpt_neox.turned"]) as seen:
        model(**inputs("gpt_neox"))
    assert seen.diagnose(config_of("gpt_neox")).passed
    with pytest.raises(ValueError, match="functions: 'modeling_gpt_neox.turns'"):
        ropescope.capture(model, functions=["modeling_gpt_neox.turns"]).__enter__()


def _renamed(namespace):
    forward = namespace.Block.forward
    code = forward.__code__.replace(co_names=tuple("turned" if name == "apply_rotary_pos_emb" else name
                                                   for name in forward.__code__.co_names))
    return type(forward)(code, forward.__globals__)


def test_calls_of_unknown_positions_are_said(monkeypatch):
    """Without a name that says positions the first call counts from 0, and a later one is not judged."""
    model, namespace = make("transformers", monkeypatch)
    cos_and_sin = namespace.LlamaRotaryEmbedding()
    monkeypatch.setattr(namespace.Model, "forward", lambda self, x, where: [
        layer(x, cos_and_sin(x, where)) for layer in self.layers][-1])
    given = inputs("transformers")
    with ropescope.capture(model) as seen:
        model(given["x"], given["position_ids"])
        model(given["x"], given["position_ids"] + LENGTH)
    report = seen.diagnose(config_of("transformers"))
    assert "0, 1, 2, ... are assumed" in report.notes[0]
    assert not report.passed and "call 2" in report.problems[0]


def test_what_was_seen_is_a_file_for_the_command(monkeypatch, tmp_path, program):
    import subprocess

    model, _ = make("gpt_fast", monkeypatch, faulty=True)
    with ropescope.capture(model) as seen:
        model(**inputs("gpt_fast"))
    seen.save(tmp_path / "seen.safetensors")
    run = subprocess.run([program, "diagnose", str(tmp_path / "seen.safetensors")], capture_output=True, text=True)
    assert run.returncode == 1 and "k, layer 1" in run.stdout
    assert [each.name for each in tmp_path.iterdir()] == ["seen.safetensors"]


def test_the_models_own_configuration_is_taken(monkeypatch):
    class Config:
        def to_dict(self):
            return {**rotating_models.PLAIN, "rope_theta": 500.0}
    model, _ = make("transformers", monkeypatch)
    model.config = Config()
    with ropescope.capture(model) as seen:
        model(**inputs("transformers"))
    report = seen.diagnose()
    assert not report.passed and "expected 500" in str(report)
