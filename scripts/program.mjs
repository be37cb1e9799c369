/** Bundles the program to one script. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const FOLDER = `${root}dist/cli`;

/** Modules inside the script: those that can only be imported, and those needed at every start. */
const TAKEN_IN = /^(?:\.|\/|@assemblyscript\/loader$|d3-|internmap$|picocolors$|yargs-parser$)/;

/** Modules outside the script: packages loaded on demand, and those of Node. */
const packages = {
  name: 'packages',
  setup: ({ onResolve }) =>
    onResolve({ filter: /.*/ }, ({ path }) => (TAKEN_IN.test(path) ? undefined : { path, external: true })),
};

/** Replaces `import.meta.url` in the host's modules by the address of the compiled file. */
const places = {
  name: 'places',
  setup: ({ onLoad }) =>
    onLoad({ filter: /\/host\/.*\.ts$/ }, ({ path }) => {
      const compiled = `dist/${relative(`${root}host`, path)}`.replace(/ts$/, 'js');
      const own = `new URL(${JSON.stringify(relative(FOLDER, root + compiled))}, import.meta.url).href`;
      return { contents: readFileSync(path, 'utf8').replaceAll('import.meta.url', own), loader: 'ts' };
    }),
};

/**
 * Bundles the program to the text of a function that `host/cli/start.cts` calls: a script, because a script,
 * unlike a module, can be compiled ahead on every version of Node. Modules inside run on first use.
 * @returns the text, and the packages whose code it contains.
 */
export async function bundleProgram() {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: ['host/cli/main.ts'],
    bundle: true,
    write: false,
    metafile: true,
    outfile: `${FOLDER}/program.js`,
    format: 'cjs',
    platform: 'node',
    target: 'node20',
    define: { 'import.meta.url': 'programUrl', PROGRAM_THREAD_FILE: 'threadUrl' },
    banner: {
      js: `(function (module, require, __filename, importModule) {
const programUrl = require('node:url').pathToFileURL(__filename).href;
const threadUrl = new URL('thread.js', programUrl).href;
const later = (name) => new Proxy({}, { get: (_, key) => require(name)[key] });`,
    },
    footer: { js: '})' },
    minifyWhitespace: true,
    minifySyntax: true,
    plugins: [packages, places],
  });
  const [{ inputs }] = Object.values(metafile.outputs);
  const left = Object.keys(inputs).filter((path) => inputs[path].bytesInOutput > 0);
  const names = left.map((path) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1]);
  const text = outputFiles[0].text
    // Code from a code cache must not call `import()` directly.
    .replaceAll(/\bimport\(/g, 'importModule(')
    // Loads modules on first use; `node:crypto` alone takes as long as a small simulation.
    .replaceAll(/\b(import_\w+ ?= ?)require\(/g, '$1later(')
    .trimEnd();
  // Names of thread scripts that were not replaced would be undefined at run time.
  if (/\bPROGRAM_\w*THREAD/.test(text)) throw new Error('the host names the thread script otherwise');
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 16);
  return {
    // The digest identifies the compiled code.
    text: `${text}\n//${digest}`,
    packages: [...new Set(names.filter((name) => name !== undefined))].sort(),
  };
}
