/**
 * Compiles modules for the Python of Pyodide, in the folder that is given after that of Pyodide, at a
 * level of optimization. The bytecode does not say where in a line something is, which only a
 * traceback shows: that hardly compresses, and would take a fifth of the download.
 */

const [, , pyodideFolder, folder, level] = process.argv;
const { loadPyodide } = await import(`${pyodideFolder}/pyodide.mjs`);
const pyodide = await loadPyodide({ indexURL: `${pyodideFolder}/`, env: { PYTHONNODEBUGRANGES: "1" } });
pyodide.mountNodeFS("/stage", folder);
const compiled = pyodide.runPython(`
import compileall, py_compile, warnings
warnings.simplefilter("ignore")
compileall.compile_dir(
    "/stage", maxlevels=99, quiet=1, legacy=True, stripdir="/stage", optimize=${level},
    invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH,
)
`);
process.exit(compiled ? 0 : 1);
