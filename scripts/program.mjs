/** Bundles the program to one script. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const rootFolder = fileURLToPath(new URL('..', import.meta.url));
const PROGRAM_FOLDER = `${rootFolder}dist/cli`;

/** Modules inside the script: those that can only be imported, and those needed at every start. */
const BUNDLED_MODULE_PATTERN = /^(?:\.|\/|@assemblyscript\/loader$|d3-|internmap$|picocolors$|yargs-parser$)/;

/** Modules outside the script: packages loaded on demand, and those of Node. */
const externalPackagesPlugin = {
  name: 'packages',
  setup: ({ onResolve }) =>
    onResolve({ filter: /.*/ }, ({ path }) =>
      BUNDLED_MODULE_PATTERN.test(path) ? undefined : { path, external: true },
    ),
};

/** Replaces `import.meta.url` in the host's modules by the address of the compiled file. */
const moduleAddressPlugin = {
  name: 'places',
  setup: ({ onLoad }) =>
    onLoad({ filter: /\/host\/.*\.ts$/ }, ({ path }) => {
      const compiledPath = `dist/${relative(`${rootFolder}host`, path)}`.replace(/ts$/, 'js');
      const addressExpression = `new URL(${JSON.stringify(relative(PROGRAM_FOLDER, rootFolder + compiledPath))}, import.meta.url).href`;
      return {
        contents: readFileSync(path, 'utf8').replaceAll('import.meta.url', addressExpression),
        loader: 'ts',
      };
    }),
};

/**
 * Bundles the program to the text of a function that `host/cli/start.cts` calls: a script, because a script,
 * unlike a module, can be compiled ahead on every version of Node. Modules inside run on first use.
 * @returns the text, and the packages whose code it contains.
 */
export async function bundleProgram() {
  const { outputFiles, metafile } = await build({
    absWorkingDir: rootFolder,
    entryPoints: ['host/cli/main.ts'],
    bundle: true,
    write: false,
    metafile: true,
    outfile: `${PROGRAM_FOLDER}/program.js`,
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
    plugins: [externalPackagesPlugin, moduleAddressPlugin],
  });
  const [{ inputs }] = Object.values(metafile.outputs);
  const includedPaths = Object.keys(inputs).filter((path) => inputs[path].bytesInOutput > 0);
  const packageNames = includedPaths.map((path) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1]);
  const programText = outputFiles[0].text
    // Code from a code cache must not call `import()` directly.
    .replaceAll(/\bimport\(/g, 'importModule(')
    // Loads modules on first use; `node:crypto` alone takes as long as a small simulation.
    .replaceAll(/\b(import_\w+ ?= ?)require\(/g, '$1later(')
    .trimEnd();
  // Names of thread scripts that were not replaced would be undefined at run time.
  if (/\bPROGRAM_\w*THREAD/.test(programText)) throw new Error('the host names the thread script otherwise');
  const digest = createHash('sha256').update(programText).digest('hex').slice(0, 16);
  return {
    // The digest identifies the compiled code.
    text: `${programText}\n//${digest}`,
    packages: [...new Set(packageNames.filter((name) => name !== undefined))].sort(),
  };
}
