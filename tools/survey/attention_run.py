"""The attention of a model, run as it is up to the scores: which of its layers turn queries and
keys, how many channels, and whether what comes out is the rotation that the program expects.

Each layer's own class gets small random weights and the same hidden states twice: at positions
0, 1, 2 ... and with all tokens at position 0. The two runs differ in the rotation alone, whatever
the class computes before and after it."""
import inspect

# The last turns every pair by a millionth of a radian or more, down to frequencies of 1e-12; the
# others are where fp32 forms angles as well as everybody's fp32 does.
POSITIONS = [*range(16), 100, 1 << 20]
HEADS = 2
# Parts of names of classes that see, hear, look at another sequence or have no scores.
OTHERS = ("Vision", "Audio", "Encoder", "Cross", "Linear", "Flash", "Sdpa")
LAYERS = 12  # more than one period of every pattern of layers


class Reached(Exception):
    """The scores are about to be formed of these queries and keys."""

    def __init__(self, queries, keys):
        super().__init__("queries and keys")
        self.queries, self.keys = queries, keys


class Interfaces:
    """In place of the table of functions that form scores."""

    @staticmethod
    def get_interface(*_):
        def stop(_module, queries, keys, *_arguments, **_named):
            raise Reached(queries, keys)
        return stop


def attention_class(module, configuration_name):
    """The class of a module that attends within a sequence of text and knows its layer; of several
    the one that names the configuration."""
    found = []
    for name, value in vars(module).items():
        if isinstance(value, type) and name.endswith("Attention") and value.__module__ == \
                module.__name__ and not any(part in name for part in OTHERS):
            named = inspect.signature(value.__init__).parameters
            if "layer_idx" in named:
                found.append((configuration_name not in str(named.get("config", "")), value))
    return min(found, key=lambda one: one[0], default=(True, None))[1]


def shrunk(configuration, head_dim):
    """The same heads, but two of them, and narrow hidden states: the weights are random anyway."""
    configuration.hidden_size = HEADS * head_dim
    configuration.num_attention_heads = configuration.num_key_value_heads = HEADS
    if not getattr(configuration, "head_dim", None):
        configuration.head_dim = head_dim
    return configuration


def tables(embedding, hidden, positions, layer_type):
    named = inspect.signature(embedding.forward).parameters
    return embedding(hidden, positions, layer_type) if "layer_type" in named else embedding(
        hidden, positions)


def heads_of(attention, module, hidden, place, embedded):
    """Queries and keys as the scores see them, [batch, heads, tokens, channels]."""
    module.ALL_ATTENTION_FUNCTIONS = Interfaces
    given = {"hidden_states": hidden, "position_embeddings": embedded, "attention_mask": None,
             "past_key_values": None, "past_key_value": None, "position_ids": place}
    named = inspect.signature(attention.forward).parameters
    try:
        attention(**{name: value for name, value in given.items() if name in named})
    except Reached as reached:
        return reached.queries, reached.keys
    raise RuntimeError("no scores were formed")


def randomised(attention, torch):
    """Norms with a weight of its own for each channel, as trained ones have."""
    for name, weight in attention.named_parameters():
        torch.nn.init.uniform_(weight, 0.5, 1.5) if weight.ndim == 1 else \
            torch.nn.init.normal_(weight, 0.0, 0.2)
    return attention.eval()


class Layer:
    """The queries and keys of both runs, and the channels that the rotation changes. Others are
    the same numbers to the bit, because nothing computes with them. Keys tell, because the position
    may scale the whole of queries."""

    def __init__(self, before, after):
        self.before, self.after = before, after
        changed = (before[1] != after[1]).any(dim=0).any(dim=0).any(dim=0)
        self.channels = changed.nonzero().flatten().tolist()


def run_layer(kind, module, configuration, embedding, layer, torch):
    torch.manual_seed(layer + 1)
    attention = randomised(kind(configuration, layer_idx=layer), torch)
    hidden = torch.randn(1, len(POSITIONS), configuration.hidden_size)
    types = getattr(configuration, "layer_types", None)
    layer_type = types[layer] if types else None
    positions = torch.tensor([POSITIONS])
    with torch.no_grad():
        runs = [heads_of(attention, module, hidden, place,
                         tables(embedding, hidden, place, layer_type))
                for place in (torch.zeros_like(positions), positions)]
    return Layer(*runs)


def expected_width(reading, layer_type):
    """How many channels of a head turn: two for each frequency that is not 0."""
    part = (reading.facts.get("layer_types") or {}).get(layer_type) or reading.facts
    if "omega" in part:
        return 2 * sum(any(axes) for axes in part["omega"])
    return 2 * sum(speed != 0 for speed in part.get("inv_freq") or [])


def compare(survey, model_type, reading, configuration, layers):
    """Holds the layers that were run, by number, to the program's reading."""
    still = set(reading.facts.get("layers_without_rope") or [])
    types = getattr(configuration, "layer_types", None) or []
    theirs = sorted(number for number, layer in layers.items() if not layer.channels)
    ours = sorted(still & set(layers))
    if theirs != ours:
        survey.differs(model_type, "layers that turn nothing", theirs, ours)
    for number, layer in layers.items():
        width = expected_width(reading, types[number] if number < len(types) else "")
        if layer.channels and number not in still and len(layer.channels) != width:
            survey.differs(model_type, "channels that turn",
                           f"{len(layer.channels)} of {layer.before[0].shape[-1]} in layer {number}",
                           width)
            return


def turned_rotation(layers):
    """q, k and what the attention makes of them, of the first layer that turns, without the token
    that is only there to show slow pairs; None if no layer turns."""
    for layer in layers.values():
        if layer.channels:
            return [tensor[:, :, :-1] for tensor in (*layer.before, *layer.after)]
    return None


def attends_by_layer(configuration, layer):
    """Not so for layers of convolution, recurrence or linear attention."""
    types = getattr(configuration, "layer_types", None)
    return not types or "attention" in types[layer] and "linear" not in types[layer]


def run(module, name, configuration, embedding, reading, torch):
    """The first layers of a model, by number; empty if its attention is not written in the usual
    form."""
    kind = attention_class(module, name)
    if kind is None or not hasattr(module, "ALL_ATTENTION_FUNCTIONS"):
        return {}
    count = min(LAYERS, getattr(configuration, "num_hidden_layers", 0) or 0)
    small = shrunk(configuration, reading.facts.get("head_dim"))
    return {layer: run_layer(kind, module, small, embedding, layer, torch)
            for layer in range(count) if attends_by_layer(small, layer)}
