"""Stand-ins that let a model's own configuration and rotary code be imported where the packages
around it are missing or PyTorch is older. Real are: each configuration_*.py and modeling_*.py,
configuration_utils.py and modeling_rope_utils.py. Nothing about rotation is replaced."""
import importlib.abc
import importlib.machinery
import sys
import types

REAL = {"transformers.configuration_utils", "transformers.modeling_rope_utils"}
MISSING = ("huggingface_hub", "tokenizers", "safetensors", "regex", "tqdm", "filelock", "httpx",
           "torchvision", "accelerate", "PIL", "scipy", "timm", "librosa", "sentencepiece", "tiktoken")
# Decorators that are given a function and return a decorator of a class.
OF_A_FUNCTION = {"use_kernelized_func"}


def identity(value=None, *_, **__):
    return value


class Permissive(type):
    """The class of classes that stand for anything: a base class, a decorator, a constant."""

    def __getattr__(cls, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return stand_in(name)

    def __getitem__(cls, _):
        return cls

    def __call__(cls, *arguments, **named):
        if cls.__name__ in OF_A_FUNCTION:
            return identity
        if cls.__dict__.get("_stands_in"):
            if len(arguments) == 1 and not named and isinstance(
                    arguments[0], (type, types.FunctionType)):
                return arguments[0]
            return Anything()
        return super().__call__(*arguments, **named)


class Anything:
    """A value that stands for anything: called with a function or a class it returns that."""

    def __call__(self, *arguments, **named):
        if len(arguments) == 1 and not named and callable(arguments[0]):
            return arguments[0]
        return Anything()

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Anything()

    def __getitem__(self, _):
        return Anything()

    def __iter__(self):
        return iter(())

    def keys(self):
        return ()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        return False


def stand_in(name):
    return Permissive(name, (), {"_stands_in": True})


class StandInModule(types.ModuleType):
    __path__ = []

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return stand_in(name)


class Loader(importlib.abc.Loader):
    def create_module(self, spec):
        return StandInModule(spec.name)

    def exec_module(self, module):
        pass


class Finder(importlib.abc.MetaPathFinder):
    def __init__(self, source):
        self.source = source

    def find_spec(self, fullname, path=None, target=None):
        parts = fullname.split(".")
        if parts[0] != "transformers":
            return importlib.machinery.ModuleSpec(fullname, Loader(), is_package=True) if parts[
                0] in MISSING else None
        file = self.source.joinpath(*parts[1:]).with_suffix(".py")
        of_a_model = len(parts) == 4 and parts[1] == "models" and parts[2] != "auto" and parts[
            3].startswith(("configuration_", "modeling_"))
        if (fullname in REAL or of_a_model) and file.exists():
            return importlib.machinery.ModuleSpec(
                fullname, importlib.machinery.SourceFileLoader(fullname, str(file)),
                origin=str(file))
        return importlib.machinery.ModuleSpec(fullname, Loader(), is_package=True)


def complete_torch(torch):
    """What newer versions of PyTorch have, as far as the sources name it."""
    if not hasattr(torch.nn, "Buffer"):
        torch.nn.Buffer = lambda tensor, persistent=True: tensor
        register = torch.nn.Module.register_buffer

        def replace(module, name, tensor, persistent=True):
            module.__dict__.pop(name, None)
            register(module, name, tensor, persistent)
        torch.nn.Module.register_buffer = replace
    for name in ("compiler", "library"):
        if not hasattr(torch, name):
            setattr(torch, name, StandInModule(name))
    for name in ("float8_e4m3fn", "float8_e5m2", "uint16", "uint32", "uint64"):
        if not hasattr(torch, name):
            setattr(torch, name, torch.float32)
    usual = torch.no_grad
    torch.no_grad = lambda function=None: usual()(function) if function else usual()


def install(source):
    """Makes the package `transformers` of the folder importable. Returns torch."""
    import torch
    complete_torch(torch)
    package = StandInModule("transformers")
    package.__version__ = "0"
    sys.modules["transformers"] = package
    sys.meta_path.insert(0, Finder(source))
    sys.dont_write_bytecode = True
    return torch
