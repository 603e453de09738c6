/** Compiles modules for the Python of Pyodide, in the folder that is given after that of Pyodide. */

const [, , pyodideFolder, folder] = process.argv;
const { loadPyodide } = await import(`${pyodideFolder}/pyodide.mjs`);
const pyodide = await loadPyodide({ indexURL: `${pyodideFolder}/` });
pyodide.mountNodeFS("/stage", folder);
const compiled = pyodide.runPython(`
import compileall, py_compile, warnings
warnings.simplefilter("ignore")
compileall.compile_dir(
    "/stage", maxlevels=99, quiet=1, legacy=True, stripdir="/stage",
    invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH,
)
`);
process.exit(compiled ? 0 : 1);
