"""Reads a KernelBench-style `.py` submission without running it.

`python3 -m cupel_inspect FILE` prints one JSON object: the CUDA extensions that the file builds,
with a map from each character of their sources back into the file, and what the `forward` of
`ModelNew`, or of `Model` where there is none, reaches. Standard library only; nothing of the
submission is ever executed.

    text.py         strings that know where in the file each character comes from
    values.py       what the interpreter knows about a value
    torch_names.py  which names of torch compute and which do not
    models.py       which class ModelNew is, and the calls of it
    interpreter.py  the run; its parts are statements.py and expressions.py, its state scopes.py
    folding.py      operators over known operands
    formatting.py   the ways to format strings
    calls.py        calls of functions, methods, modules, extensions; attributes
    named_calls.py  calls of torch's, the standard library's and builtin functions
    classes.py      what metaclasses and decorators make of classes
    objects.py      special methods, hooks, bags of attributes
    indirect.py     calls by way of namespaces, hooks, operators, wrappers
    operators.py    torch.library
    extensions.py   load_inline and load
    files.py        paths, and files that the script writes
    flags.py        what is built by their flags
    findings.py     events of the interpreter to findings
    __main__.py     the command
"""
