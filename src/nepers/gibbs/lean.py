"""A shorter way through numba for functions that only kernels call.

numba makes machine code, with wrappers for Python, of every function it compiles, and optimises each once
more inside every caller. A sampler is some hundred small functions, of which Python calls one; this leaves
their optimisation and their machine code to that one, and compiles in half the time. What is computed is the
same.

The hooks are numba's own but not promised by it: where they are missing, `STEP_OPTIONS` is empty and numba's
ordinary way is taken.
"""

from __future__ import annotations

from typing import Any

STEP_OPTIONS: dict[str, Any] = {}


def _without_code(library: Any) -> None:
    """Let a library be linked into others without being optimised or turned into machine code by itself."""

    def finish() -> None:
        library._finalize_dynamic_globals()
        library._finalized = True

    library._optimize_final_module = lambda: None
    library._finalize_final_module = finish


try:
    from numba.core.codegen import CPUCodeLibrary
    from numba.core.compiler import CompilerBase, DefaultPassBuilder
    from numba.core.compiler_machinery import register_pass
    from numba.core.typed_passes import NativeLowering

    for _hook in ("_optimize_final_module", "_finalize_final_module", "_finalize_dynamic_globals"):
        getattr(CPUCodeLibrary, _hook)

    @register_pass(mutates_CFG=True, analysis_only=False)
    class _LowerOnly(NativeLowering):
        """Lowering that stops at LLVM's intermediate form."""

        _name = "nepers_lower_only"

        def run_pass(self, state: Any) -> bool:
            state.library = state.targetctx.codegen().create_library(state.func_id.func_qualname)
            _without_code(state.library)
            state.flags.no_compile = True
            super().run_pass(state)
            # numba knows functions by their machine code, so each needs some builtin of its own for it
            code: Any = [].append
            state.targetctx.insert_user_function(code, state["cr"].fndesc, [state.library])
            state["cr"] = state["cr"]._replace(cfunc=code)
            return True

    class _LeanCompiler(CompilerBase):
        def define_pipelines(self) -> list[Any]:
            passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
            passes._finalized = False
            passes.add_pass_after(_LowerOnly, NativeLowering)
            passes.passes = [one for one in passes.passes if one[0] is not NativeLowering]
            passes.finalize()
            return [passes]

    STEP_OPTIONS = {
        "pipeline_class": _LeanCompiler,
        "no_cpython_wrapper": True,
        "no_cfunc_wrapper": True,
    }
except (ImportError, AttributeError):
    pass
