"""What a modeling file of transformers does with its rotary embedding, read from its text."""
import ast
import re

TURNS = re.compile(r"rotat|rope|rotary", re.IGNORECASE)


def layouts(tree):
    """The layouts that the functions of a file turn by."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and TURNS.search(node.name):
            text = ast.unparse(node)
            if re.search(r"\[\.\.\., 0?::2\]|view_as_complex|reshape\(.*-1, 2\)", text):
                found.add("interleaved")
            if re.search(r"shape\[-1\] // 2|chunk\(2, dim=-1\)|chunk\(\w+, 2, dim=-1\)", text):
                found.add("half_split")
    return found


def configuration_of(node, names):
    """The configuration classes that a class's methods are given."""
    text = " ".join(ast.unparse(argument.annotation) for part in node.body
                    if isinstance(part, ast.FunctionDef)
                    for argument in part.args.args if argument.annotation)
    return {name for name in names if re.search(rf"\b{name}\b", text)}


def rotary_classes(tree, names):
    """For each configuration class the text of the rotary embeddings that take it."""
    found = {}
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and re.search(r"Rotary|RoPE|Rope", node.name):
            for name in configuration_of(node, names):
                found[name] = found.get(name, "") + ast.unparse(node)
    return found


def conditions(tree):
    """Under which conditions attention turns its queries: the tests of every `if` around a call
    that rotates, without those that only ask whether a table is there."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.If):
            inside = " ".join(ast.unparse(part) for part in node.body)
            test = ast.unparse(node.test)
            if re.search(r"apply_\w*rotary\w*\(|apply_\w*rope\w*\(", inside) and not re.search(
                    r"position_embedding|cache|past_key|cos|shared|interleave|is_cross|rotary_|alibi|shape",
                    test):
                found.add(test)
    return found
