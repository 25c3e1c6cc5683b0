"""A worker that calls one function of the operator's, for each record or for a list of them."""

import importlib
import importlib.util
import inspect
import os
import sys
import time

# The package's folder is not ours to write into, and may not be writable.
sys.dont_write_bytecode, is_written = True, sys.dont_write_bytecode
import swarm_worker  # noqa: E402

sys.dont_write_bytecode = is_written

# Modules are looked for from the working directory, as `python -c` does, and not beside this file.
sys.path[0] = os.getcwd()


def open_function(opening):
    call = awaited(find_function(opening["module"], opening["function"]))
    if opening["mode"] == "chunk":
        return lambda items, teller: do_together(call, items, teller)
    return lambda items, teller: do_each(call, items, teller)


def find_function(module, name):
    found = getattr(import_module(module), name, None)
    if not callable(found):
        raise AttributeError("module %s has no function %s" % (module, name))
    return found


def import_module(module):
    if not module.endswith(".py"):
        return importlib.import_module(module)
    folder, file = os.path.split(module)
    sys.path.insert(0, folder)  # so that it finds its neighbours
    name = file[: -len(".py")]
    spec = importlib.util.spec_from_file_location(name, module)
    loaded = importlib.util.module_from_spec(spec)
    sys.modules[name] = loaded
    spec.loader.exec_module(loaded)
    return loaded


def awaited(call):
    """The same function, with whatever it returns waited for: one loop for all calls, as connections belong to theirs."""
    loop = None

    def run(given):
        nonlocal loop
        output = call(given)
        if not inspect.isawaitable(output):
            return output
        import asyncio  # 40 ms that a function without it is spared

        if loop is None:
            loop = asyncio.new_event_loop()
            asyncio.set_event_loop(loop)

        async def wait():
            return await output

        return loop.run_until_complete(wait())

    return run


def do_each(call, items, teller):
    for item in items:
        if item.problem is not None:
            teller.unreadable(item)
            continue
        started = time.perf_counter()
        try:
            output = call(item.record)
        except Exception as error:
            output = error
        teller.output(item, output, (time.perf_counter() - started) * 1000)


def do_together(call, items, teller):
    """All records in one call; one by one when it is known that some record of them does not end."""
    readable = [item for item in items if item.problem is None]
    outputs = {}
    rest = iter(items)
    groups = [[item] for item in readable] if teller.is_careful else [readable]
    for group in groups if readable else []:
        do_group(call, group, outputs)
        for item in rest:
            tell_one(item, outputs, teller)
            if item is group[-1]:
                break
    for item in rest:
        tell_one(item, outputs, teller)


def tell_one(item, outputs, teller):
    if item.problem is not None:
        teller.unreadable(item)
        return
    output, latency_ms = outputs.pop(item.line)
    if isinstance(output, WrongOutput):
        teller.failed(item, "invalid_output", str(output), latency_ms)
    else:
        teller.output(item, output, latency_ms)


class WrongOutput(Exception):
    pass


def do_group(call, group, outputs, is_again=False):
    """A call that fails is made again for each half, until what fails is one record."""
    started = time.perf_counter()
    # A call that failed half way may have changed what it was given.
    records = [swarm_worker.decode(item.source.decode("utf-8")) if is_again else item.record for item in group]
    try:
        answers = listed(call(records), len(group))
    except Exception as error:
        if len(group) > 1:
            middle = len(group) // 2
            do_group(call, group[:middle], outputs, True)
            do_group(call, group[middle:], outputs, True)
            return
        answers = [error]
    latency_ms = (time.perf_counter() - started) * 1000 / max(len(group), 1)
    for item, answer in zip(group, answers):
        outputs[item.line] = (answer, latency_ms)


def listed(answer, count):
    """Anything with a length will do, an array of numpy's too; a text or an object is one output, not many."""
    if isinstance(answer, (str, bytes, dict)) or not hasattr(answer, "__len__"):
        raise WrongOutput("a value of type %s for %d records" % (type(answer).__name__, count))
    if len(answer) != count:
        raise WrongOutput("%d outputs for %d records" % (len(answer), count))
    return list(answer)


if __name__ == "__main__":
    swarm_worker.serve(open_function)
