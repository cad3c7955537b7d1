"""How this floor compiles its kernels: numba, no interpreter lock, kept on disk between runs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

from llvmlite import ir
from numba import njit, types
from numba.core import cgutils
from numba.extending import intrinsic

tools: Any = cgutils


def forget_stale(folder: Path) -> int:
    """Remove numba's kept kernels of `folder` that are older than any source in it; returns how many.

    numba looks at the file of the kernel alone, so that a part put into it from another file would stay as it
    was. Where nothing can be removed, nothing is: no kernels are kept in a folder that can't be written.
    """
    newest = max((path.stat().st_mtime_ns for path in folder.glob("*.py")), default=0)
    removed = 0
    for index in (folder / "__pycache__").glob("*.nbi"):
        try:
            if index.stat().st_mtime_ns < newest:
                index.unlink()
                removed += 1
        except OSError:
            continue
    return removed


forget_stale(Path(__file__).parent)

Function = TypeVar("Function", bound=Callable[..., Any])


def compiled(function: Function) -> Function:
    """`function` as machine code that runs without the interpreter lock: threads can share the work."""
    try:
        return cast(Function, njit(nogil=True, cache=True)(function))
    except RuntimeError:
        # Neither the package's folder nor the user's can be written: compile in each process.
        return cast(Function, njit(nogil=True)(function))


def inlined(function: Function) -> Function:
    """`compiled`, and put into whatever calls it: a call with a tuple of arrays counts references to each."""
    return cast(Function, njit(nogil=True, forceinline=True)(function))


@cast(Any, intrinsic)  # type: ignore[untyped-decorator]
def prefetch(typing_context: Any, array: Any, index: Any) -> Any:
    """Ask for the cache line of `array[index]` without waiting for it (inside a kernel only)."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        made = context.make_array(signature.args[0])(context, builder, arguments[0])
        zeros = [context.get_constant(types.intp, 0)] * (signature.args[0].ndim - 1)
        pointer = tools.get_item_pointer(context, builder, signature.args[0], made, [arguments[1], *zeros])
        bytes_, word = ir.IntType(8).as_pointer(), ir.IntType(32)
        ask = tools.get_or_insert_function(
            builder.module,
            ir.FunctionType(ir.VoidType(), [bytes_, word, word, word]),
            "llvm.prefetch.p0",
        )
        for_reading, keep, data = ir.Constant(word, 0), ir.Constant(word, 3), ir.Constant(word, 1)
        builder.call(ask, [builder.bitcast(pointer, bytes_), for_reading, keep, data])
        return context.get_dummy_value()

    return types.void(array, types.intp), generate
