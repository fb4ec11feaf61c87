/**
 * Bundles the figures. For each `src/figures/<name>/index.js`:
 *
 *     <out>/<name>.js        ES module for anywidget (a live kernel)
 *     <out>/page/<name>.js   classic script for the book's pages, also under file://
 *     <out>/page/mount.js    the loader, which asks for the scripts above
 *
 * `node build.js [out [name...]]`: all figures, or those that are named; without `out` into the
 * Python package, where the files are committed.
 */
import { readdirSync, readFileSync, mkdirSync, writeFileSync, existsSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const [target = join(here, "../contextbook/widgets/static"), ...only] = process.argv.slice(2);
const out = resolve(target);
const figures = readdirSync(join(here, "src/figures"))
  .filter((name) => existsSync(join(here, "src/figures", name, "index.js")))
  .filter((name) => only.length === 0 || only.includes(name))
  .sort();

/** Style sheets travel inside the scripts, as minified text. @type {esbuild.Plugin} */
const cssAsText = {
  name: "css-as-text",
  setup(build) {
    build.onLoad({ filter: /\.css$/ }, async ({ path }) => {
      const css = await esbuild.transform(readFileSync(path, "utf8"), {
        loader: "css",
        minify: true,
        charset: "utf8",
      });
      return { contents: css.code, loader: "text" };
    });
  },
};

/**
 * Of the table of words a script carries the sections that it imports. esbuild alone would drop the
 * others too, but choose its short names by their letters: a word changed anywhere would change
 * every script.
 * @type {esbuild.Plugin}
 */
const wordsBySection = {
  name: "words-by-section",
  setup(build) {
    build.onResolve({ filter: /\/words\/\w+\.json$/ }, ({ path, importer, resolveDir }) => {
      const source = readFileSync(importer, "utf8");
      const names = source.match(new RegExp(`import \\{([^}]*)\\} from "${path}"`))?.[1];
      if (!names) throw new Error(`${importer} must import sections by name from ${path}`);
      const sections = names.split(",").map((name) => name.trim().split(/\s+as\s+/)[0]);
      return {
        path: `${relative(here, resolve(resolveDir, path))}?${sections.filter(Boolean).sort()}`,
        namespace: "words",
      };
    });
    build.onLoad({ filter: /.*/, namespace: "words" }, ({ path }) => {
      const [file, sections] = path.split("?");
      const words = JSON.parse(readFileSync(join(here, file), "utf8"));
      const chosen = sections.split(",").map((name) => [name, words[name]]);
      return { contents: JSON.stringify(Object.fromEntries(chosen)), loader: "json" };
    });
  },
};

/**
 * The notice of each library that went into a bundle, as its licence asks.
 * @param {string[]} inputs
 */
function notices(inputs) {
  const folders = new Set(
    inputs.flatMap((path) => path.match(/node_modules\/(@[^/]+\/)?[^/]+/)?.[0] ?? []),
  );
  return [...folders].sort().map((folder) => {
    const licence = readFileSync(join(here, folder, "LICENSE"), "utf8").trim();
    return `/*!\n${relative("node_modules", folder)}\n\n${licence}\n*/\n`;
  });
}

/**
 * @param {string} file path under `out`
 * @param {esbuild.BuildOptions} options
 */
async function bundle(file, options) {
  const result = await esbuild.build({
    absWorkingDir: here,
    bundle: true,
    minify: true,
    charset: "utf8",
    target: "es2021",
    legalComments: "none",
    write: false,
    metafile: true,
    plugins: [cssAsText, wordsBySection],
    ...options,
  });
  if (!result.outputFiles || !result.metafile) throw new Error(`esbuild gave nothing for ${file}`);
  const banner = "/*! How Context Travels, figures. MIT licence. Made from widgets/ by npm run build. */\n";
  const [{ inputs }] = Object.values(result.metafile.outputs);
  const used = Object.keys(inputs).filter((path) => inputs[path].bytesInOutput > 0);
  const text = [banner, result.outputFiles[0].text, ...notices(used)];
  const path = join(out, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text.join(""));
  console.log(`${String(Buffer.byteLength(text.join(""))).padStart(7)} bytes  ${relative(out, path)}`);
}

await bundle("page/mount.js", { entryPoints: ["src/page/mount.js"], format: "iife" });
for (const name of figures) {
  const entry = `./src/figures/${name}/index.js`;
  await bundle(`${name}.js`, { entryPoints: [entry], format: "esm" });
  await bundle(`page/${name}.js`, {
    stdin: {
      contents: `import figure from "${entry}";
        window.contextbook.defineFigure(${JSON.stringify(name)}, figure);`,
      resolveDir: here,
    },
    format: "iife",
  });
}
