"""Cuts the text into sequences and hides tokens in them. Every batch follows from a seed and the number of its step,
so that a training that goes on from a checkpoint sees the batches that it would have seen."""
import torch

LENGTH = 128  # tokens of a sequence, with [CLS] and [SEP]
MASKED_SHARE = 0.15


def token_stream(blocks, pieces):
    """Returns the ids of all blocks, one after the other."""
    return torch.tensor([i for block in blocks for entry in block for i in pieces.text_ids(entry)])


def framed(bodies, pieces):
    """Adds [CLS] before and [SEP] after every row."""
    rows = bodies.shape[0]
    return torch.cat((torch.full((rows, 1), pieces.cls), bodies, torch.full((rows, 1), pieces.sep)), 1)


def generator(*numbers):
    """A random generator for a tuple of whole numbers."""
    seed = 0
    for number in numbers:
        seed = (seed * 1_000_003 + number + 1) % (1 << 62)
    return torch.Generator().manual_seed(seed)


class TrainingBatches:
    """In each epoch the text is cut at other places, and the sequences come in another order."""

    def __init__(self, stream, pieces, batch, seed, causal=False):
        self.causal = causal
        self.stream, self.pieces, self.batch, self.seed = stream, pieces, batch, seed
        self.body = LENGTH - 2
        self.rows = (len(stream) - self.body) // self.body
        self.steps_in_epoch = self.rows // batch
        self.epoch = -1

    def enter(self, epoch):
        random = generator(self.seed, 0, epoch)
        start = int(torch.randint(self.body, (), generator=random))
        self.bodies = self.stream[start:start + self.rows * self.body].view(self.rows, self.body)
        self.order = torch.randperm(self.rows, generator=random)
        self.epoch = epoch

    def get(self, step):
        """Returns ids, places in the flattened batch, and the right ids there: hidden tokens for an encoder, every next
        token for a decoder."""
        epoch, index = divmod(step, self.steps_in_epoch)
        if epoch != self.epoch:
            self.enter(epoch)
        rows = self.order[index * self.batch:(index + 1) * self.batch]
        ids = framed(self.bodies[rows], self.pieces)
        return next_pieces(ids) if self.causal else hide(ids, self.pieces, generator(self.seed, 1, step))


def next_pieces(ids):
    """Returns ids, the places of all tokens but the last of each row, and the ids that follow them."""
    rows, length = ids.shape
    places = torch.arange(rows * length).view(rows, length)[:, :-1].flatten()
    return ids, places, ids[:, 1:].flatten()


def chosen_columns(rows, length, random):
    """Draws 15 % of the tokens between [CLS] and [SEP] of every row; returns their columns in order."""
    count = round(MASKED_SHARE * (length - 2))
    order = torch.rand(rows, length - 2, generator=random).argsort(1)
    return order[:, :count].sort(1).values + 1


def hide(ids, pieces, random):
    """Hides tokens as BERT does: 80 % of the chosen ones become [MASK], 10 % a random piece, 10 % stay."""
    rows, length = ids.shape
    columns = chosen_columns(rows, length, random)
    places = (columns + torch.arange(rows)[:, None] * length).flatten()
    hidden = ids.flatten()
    right = hidden[places].clone()
    draw = torch.rand(len(places), generator=random)
    other = torch.randint(5, len(pieces.pieces), (len(places),), generator=random)  # no special piece
    hidden[places] = torch.where(draw < 0.8, pieces.mask, torch.where(draw < 0.9, other, right))
    return hidden.view(rows, length), places, right


def held_out_rows(stream, pieces, length=LENGTH):
    """Cuts the text at fixed places into rows of `length` tokens."""
    body = length - 2
    rows = len(stream) // body
    return framed(stream[:rows * body].view(rows, body), pieces)


def held_out_set(stream, pieces, seed, length=LENGTH):
    """Returns ids with [MASK] at 15 % of the places, those places, and the right ids."""
    ids = held_out_rows(stream, pieces, length)
    rows = len(ids)
    columns = chosen_columns(rows, length, generator(seed, 2, length))
    places = (columns + torch.arange(rows)[:, None] * length).flatten()
    masked = ids.flatten()
    right = masked[places].clone()
    masked[places] = pieces.mask
    return masked.view(rows, length), places, right
