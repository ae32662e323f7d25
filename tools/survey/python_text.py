"""Python sources read as text (ast): classes, their literal attributes and their methods.
Nothing of what is read runs."""
import ast
import dataclasses


def literal(node):
    """The value of a literal, also of arithmetic such as 4096 * 32; None if it is no literal."""
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError):
        pass
    if isinstance(node, ast.BinOp):
        left, right = literal(node.left), literal(node.right)
        if all(isinstance(side, (int, float)) for side in (left, right)):
            if isinstance(node.op, ast.Mult):
                return left * right
            if isinstance(node.op, ast.Div) and right:
                return left / right
    if isinstance(node, ast.Dict):  # as far as it is literal
        return {literal(key): literal(value) for key, value in zip(node.keys, node.values) if key}
    return None


@dataclasses.dataclass
class ClassText:
    name: str
    bases: list
    attributes: dict  # name -> literal, None if it is no literal
    methods: dict     # name -> ast.FunctionDef
    node: ast.ClassDef


def attributes_of(node):
    found = {}
    for statement in node.body:
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            found[statement.target.id] = literal(statement.value) if statement.value else None
        elif isinstance(statement, ast.Assign):
            for target in statement.targets:
                if isinstance(target, ast.Name):
                    found[target.id] = literal(statement.value)
    return found


def classes(tree):
    return {node.name: ClassText(
        node.name, [ast.unparse(base).split(".")[-1] for base in node.bases], attributes_of(node),
        {part.name: part for part in node.body if isinstance(part, ast.FunctionDef)}, node)
        for node in tree.body if isinstance(node, ast.ClassDef)}


def arguments(function):
    """The literal default values of a function's arguments."""
    names = [argument.arg for argument in function.args.args]
    values = function.args.defaults
    found = {name: literal(value) for name, value in zip(names[len(names) - len(values):], values)}
    found.update({argument.arg: literal(value) for argument, value in
                  zip(function.args.kwonlyargs, function.args.kw_defaults) if value})
    return found


class Lineage:
    """A class with those that it is derived from, as far as they are among `known`."""

    def __init__(self, name, known):
        self.line = []
        waiting = [name]
        while waiting:
            one = known.get(waiting.pop(0))
            if one and one not in self.line:
                self.line.append(one)
                waiting += one.bases

    def attributes(self):
        merged = {}
        for one in reversed(self.line):
            merged.update(one.attributes)
        return merged

    def methods(self):
        merged = {}
        for one in reversed(self.line):
            merged.update(one.methods)
        return list(merged.values())


def calls(nodes, name):
    """The calls of a method or function `name` in the nodes."""
    for node in nodes:
        for part in ast.walk(node):
            if isinstance(part, ast.Call):
                called = part.func
                if getattr(called, "attr", getattr(called, "id", None)) == name:
                    yield part


def parse(path):
    return ast.parse(path.read_text())
