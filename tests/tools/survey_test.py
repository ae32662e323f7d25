"""tools/survey on checkouts that this test makes up: what it must find and what not.

    python3 tests/tools/survey_test.py PROGRAM
"""
import importlib.util
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = sys.argv.pop(1)

CONFIGURATION = '''
class {name}Config(PreTrainedConfig):
    model_type = "{model_type}"
    default_theta = {base}
    hidden_size: int = 1024
    num_attention_heads: int = 8
    rope_parameters: dict | None = None

    def __post_init__(self, **kwargs):
        kwargs.setdefault("partial_rotary_factor", {share})
'''
MODELING = '''
class {name}RotaryEmbedding(nn.Module):
    def __init__(self, config: {name}Config):
        share = config.rope_parameters.get("{share_key}", 1.0)

def rotate_half(x):
    return {turned}
'''
HALVES = "torch.cat((-x[..., x.shape[-1] // 2 :], x[..., : x.shape[-1] // 2]), dim=-1)"
NEIGHBOURS = "torch.stack((-x[..., 1::2], x[..., ::2]), dim=-1).flatten(-2)"


def survey(project, checkout, *options):
    return subprocess.run(
        [sys.executable, str(ROOT / "tools/survey"), project, str(checkout), "--program", PROGRAM,
         "--commit", "made-up", *options], capture_output=True, text=True, check=False)


class Checkout(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self.folder.name)

    def tearDown(self):
        self.folder.cleanup()

    def write(self, name, text):
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def expect(self, run, status, *words):
        self.assertEqual(run.returncode, status, run.stdout + run.stderr)
        for word in words:
            self.assertIn(word, run.stdout + run.stderr)


class Transformers(Checkout):
    def model(self, model_type, base=10000.0, share=1.0, turned=HALVES,
              share_key="partial_rotary_factor"):
        folder = f"src/transformers/models/{model_type}"
        facts = dict(name="Made", model_type=model_type, base=base, share=share, turned=turned,
                     share_key=share_key)
        self.write(f"{folder}/configuration_{model_type}.py", CONFIGURATION.format(**facts))
        self.write(f"{folder}/modeling_{model_type}.py", MODELING.format(**facts))

    def test_what_agrees_is_silent(self):
        self.model("llama")
        self.model("glm4", share=0.5, turned=NEIGHBOURS)
        self.expect(survey("transformers", self.path), 0, "2 compared, 0 new, 0 differ")

    def test_an_unknown_type(self):
        self.model("made_up_in_a_test")
        self.expect(survey("transformers", self.path), 1, "| new | made_up_in_a_test |")

    def test_another_base(self):
        self.model("llama", base=77.0)
        self.expect(survey("transformers", self.path), 1, "| differs | llama | base | {'': 77.0}")

    def test_another_share(self):
        self.model("llama", share=0.25)
        self.expect(survey("transformers", self.path), 1, "share of the head | 0.25 | 128 of 128")

    def test_another_layout(self):
        self.model("llama", turned=NEIGHBOURS)
        self.expect(survey("transformers", self.path), 1, "layout | interleaved | half_split")

    def test_code_that_contradicts_its_file(self):
        self.model("phi", share=0.5, share_key="something_else")
        self.expect(survey("transformers", self.path), 1,
                    "the code ignores partial_rotary_factor | 0.5")

    def test_only_some_types(self):
        self.model("llama", base=77.0)
        self.model("mistral")
        self.expect(survey("transformers", self.path, "--only", "mistral"), 0)


RUN_CONFIGURATION = '''
from ...configuration_utils import PreTrainedConfig

class MadeConfig(PreTrainedConfig):
    model_type = "llama"
    hidden_size: int = 256
    num_attention_heads: int = 4
    rope_parameters: dict = None
'''
RUN_MODELING = '''
import torch
from ...integrations import use_kernelized_func
from .configuration_llama import MadeConfig

class MadeRotaryEmbedding(torch.nn.Module):
    def __init__(self, config: MadeConfig):
        super().__init__()
        base = config.rope_parameters["rope_theta"]
        self.inv_freq = 1.0 / base ** (torch.arange(0, 64, 2, dtype=torch.float) / 64)

    def forward(self, x, position_ids):
        angles = position_ids[:, :, None].float() * self.inv_freq
        angles = torch.cat((angles, angles), dim=-1)
        return angles.cos(), angles.sin()

def rotate_half(x):
    return {turned}

def apply_rotary_pos_emb(q, k, cos, sin):
    return tuple(each * cos[:, None] + rotate_half(each) * sin[:, None] for each in (q, k))
'''
RUN_ATTENTION = '''
from ...modeling_utils import ALL_ATTENTION_FUNCTIONS

class MadeAttention(torch.nn.Module):
    def __init__(self, config: MadeConfig, layer_idx):
        super().__init__()
        self.turns = layer_idx not in {still}
        width = config.num_attention_heads * config.head_dim
        self.project = torch.nn.Linear(config.hidden_size, 2 * width, bias=False)

    def forward(self, hidden_states, position_embeddings, attention_mask):
        heads = self.project(hidden_states).unflatten(-1, (-1, 64)).transpose(1, 2)
        q, k = heads.chunk(2, dim=1)
        if self.turns:
            q, k = apply_rotary_pos_emb(q, k, *position_embeddings)
        return ALL_ATTENTION_FUNCTIONS.get_interface("eager", None)(self, q, k, k, attention_mask)
'''
RUN_UTILS = '''
class PreTrainedConfig:
    def __init__(self, rope_parameters=None):
        self.hidden_size, self.num_attention_heads, self.num_hidden_layers = 256, 4, 3
        self.rope_parameters = rope_parameters or {{"rope_type": "default", "rope_theta": {base}}}
'''


@unittest.skipUnless(importlib.util.find_spec("torch"), "PyTorch is not there")
class Run(Checkout):
    """A class whose own code computes: default values and a base of its own, of which the other
    variations are left out, since this code does not scale."""

    def checkout(self, turned=HALVES, base=10000.0, still=None):
        root = "src/transformers"
        self.write(f"{root}/configuration_utils.py", RUN_UTILS.format(base=base))
        folder = f"{root}/models/llama"
        self.write(f"{folder}/configuration_llama.py", RUN_CONFIGURATION)
        attention = "" if still is None else RUN_ATTENTION.format(still=still)
        self.write(f"{folder}/modeling_llama.py", RUN_MODELING.format(turned=turned) + attention)

    def test_code_that_does_as_its_file_says(self):
        self.checkout()
        run = survey("transformers", self.path, "--run")
        self.assertIn("5 compared", run.stdout, run.stdout + run.stderr)
        self.assertNotIn("diagnose --expect |", run.stdout)
        self.assertNotIn("frequencies, base", run.stdout)
        self.assertIn("frequencies, linear", run.stdout)  # this code does not scale

    def test_code_of_another_layout(self):
        self.checkout(turned=NEIGHBOURS)
        self.expect(survey("transformers", self.path, "--run"), 1,
                    "| differs | llama | diagnose --expect |")

    def test_attention_up_to_the_scores(self):
        self.checkout(still=())
        run = survey("transformers", self.path, "--run")
        self.assertIn("The attention of 1 models was run", run.stdout, run.stdout + run.stderr)
        self.assertNotIn("layers that turn nothing", run.stdout)
        self.assertNotIn("diagnose --expect, attention", run.stdout)

    def test_layers_that_turn_nothing(self):
        self.checkout(still=(1,))
        self.expect(survey("transformers", self.path, "--run"), 1,
                    "| differs | llama | layers that turn nothing | [1] | [] |")


class Others(Checkout):
    def test_diffusers(self):
        self.write("src/diffusers/models/transformers/transformer_made.py", '''
class FluxTransformer2DModel(ModelMixin, ConfigMixin):
    def __init__(self, attention_head_dim: int = 128, axes_dims_rope: tuple = (16, 56, 56)):
        pass

class MadeTransformer(ModelMixin, ConfigMixin):
    def __init__(self, axes_dims_rope: tuple = (16, 56, 56)):
        pass
''')
        self.expect(survey("diffusers", self.path), 1, "2 compared, 1 new",
                    "| new | MadeTransformer | inferred |")

    def test_timm(self):
        self.write("timm/models/made.py", '''
@register_model
def vit_made(pretrained=False, **kwargs):
    model_args = dict(embed_dim=64, num_heads=2, use_rot_pos_emb=True, ref_feat_shape=(7, 7))
''')
        self.expect(survey("timm", self.path), 1, "| new | vit_made | arguments |")

    def test_vllm(self):
        folder = "vllm/model_executor/models"
        self.write(f"{folder}/gpt_j.py", "get_rope(64, is_neox_style=True)")
        self.write(f"{folder}/made.py", "get_rope(64)")
        self.expect(survey("vllm", self.path), 1, "| differs | gptj | layout in gpt_j.py |",
                    "| new | made | get_rope | half_split |")

    def test_llama_cpp(self):
        self.write("src/llama-arch.cpp", '''
static const std::map<llm_arch, const char *> LLM_ARCH_NAMES = {
    { LLM_ARCH_LLAMA, "llama" },
    { LLM_ARCH_QWEN2, "qwen2" },
    { LLM_ARCH_MADE, "made" },
};
''')
        self.write("src/llama-model.cpp", '''
llama_rope_type llama_model_rope_type(const llama_model * model) {
    switch (model->arch) {
        case LLM_ARCH_LLAMA:
        case LLM_ARCH_QWEN2:
        case LLM_ARCH_MADE:
            return LLAMA_ROPE_TYPE_NORM;
    }
}
''')
        self.expect(survey("llama.cpp", self.path), 1, "2 compared, 1 new, 1 differ",
                    "| differs | qwen2 | rotation | norm | neox |", "| new | made |")

    def test_bad_use(self):
        self.expect(survey("transformers", self.path), 2, "is not a checkout of transformers")
        self.expect(survey("jax", self.path), 2)
        (self.path / "timm/models").mkdir(parents=True)
        self.expect(survey("timm", self.path, "--run"), 2, "--run is there for transformers")


if __name__ == "__main__":
    unittest.main()
