"""Learns a WordPiece vocabulary: characters first, then the pair of neighbouring pieces that is most frequent."""
import argparse
import heapq
from collections import Counter, defaultdict

import corpus
from word_pieces import SPECIAL_PIECES, basic_tokens

LEAST_COUNT_OF_A_CHARACTER = 20


def count_words(blocks):
    counts = Counter()
    for block in blocks:
        for entry in block:
            counts.update(basic_tokens(entry))
    return counts


def first_pieces(word):
    """Returns the characters of a word; "##" marks those that do not begin it."""
    return [word[0]] + ["##" + char for char in word[1:]]


def joined(left, right):
    return left + right[2:]


def merge_pair(pieces, left, right):
    merged, i = [], 0
    while i < len(pieces):
        if i + 1 < len(pieces) and pieces[i] == left and pieces[i + 1] == right:
            merged.append(joined(left, right))
            i += 2
        else:
            merged.append(pieces[i])
            i += 1
    return merged


def learn(word_counts, size):
    """Returns the `size` pieces of a vocabulary. Where two pairs are equally frequent, the alphabet decides."""
    characters = Counter()
    for word, count in word_counts.items():
        for piece in first_pieces(word):
            characters[piece] += count
    alphabet = sorted(c for c, count in characters.items() if count >= LEAST_COUNT_OF_A_CHARACTER)
    known = set(alphabet)
    words = [(first_pieces(w), n) for w, n in sorted(word_counts.items()) if known.issuperset(first_pieces(w))]

    pair_counts, words_with = Counter(), defaultdict(set)
    for index, (pieces, count) in enumerate(words):
        for pair in zip(pieces, pieces[1:]):
            pair_counts[pair] += count
            words_with[pair].add(index)

    vocabulary = [*SPECIAL_PIECES, *alphabet]
    queue = [(-count, pair) for pair, count in pair_counts.items()]
    heapq.heapify(queue)
    while len(vocabulary) < size:
        count, best = heapq.heappop(queue)
        if -count != pair_counts[best]:
            continue  # the queue has this pair again, with its present count
        piece = joined(*best)
        if piece not in known:
            known.add(piece)
            vocabulary.append(piece)
        changed = set()
        for index in words_with.pop(best):
            pieces, count = words[index]
            merged = merge_pair(pieces, *best)
            for pair in zip(pieces, pieces[1:]):
                pair_counts[pair] -= count
                changed.add(pair)
            for pair in zip(merged, merged[1:]):
                pair_counts[pair] += count
                words_with[pair].add(index)
                changed.add(pair)
            words[index] = (merged, count)
        for pair in changed - {best}:
            heapq.heappush(queue, (-pair_counts[pair], pair))
    return vocabulary


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("output", help="the vocab.txt to write")
    parser.add_argument("--size", type=int, default=2000, help="number of pieces (default 2000)")
    options = parser.parse_args()
    training, _ = corpus.split_blocks()
    pieces = learn(count_words(training), options.size)
    with open(options.output, "w", encoding="utf-8") as output:
        output.writelines(piece + "\n" for piece in pieces)
    print(f"{len(pieces)} pieces from {len(training)} blocks")


if __name__ == "__main__":
    main()
