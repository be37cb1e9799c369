import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { expect, test } from 'vitest';
import { makeTemporaryFolder } from '../temporaryFolder.js';

/**
 * THIRD-PARTY.md must name every package whose code is in a shipped file, as found by bundling and
 * compiling.
 */

const repositoryRoot = fileURLToPath(new URL('../../', import.meta.url));
const page = readFileSync(join(repositoryRoot, 'THIRD-PARTY.md'), 'utf8');

/** Rows of the table by package: its licence and the shipped files with its code. */
const rows = new Map(
  [...page.matchAll(/^\| `([^`]+)` \| ([^|]+) \| ([^|]+) \|/gm)].map(([, name, licence, packagePath]) => [
    name,
    [licence.trim(), packagePath.trim()],
  ]),
);

/** Resolves addresses of workers to separate entries, as Vite does. */
const bundlerPluginForWorkers: Plugin = {
  name: 'workers',
  setup({ onResolve }) {
    onResolve({ filter: /\?worker&url$/ }, ({ path }) => ({ path, external: true }));
  },
};

/** Packages with code in the bundle of some entries. */
async function bundleAndListPackages(...entryPoints: string[]): Promise<Set<string>> {
  const { metafile } = await build({
    ...{
      absWorkingDir: repositoryRoot,
      entryPoints,
      outdir: makeTemporaryFolder(),
      write: false,
      metafile: true,
    },
    ...{
      bundle: true,
      minify: true,
      format: 'esm',
      target: 'es2022',
      logLevel: 'error',
      plugins: [bundlerPluginForWorkers],
    },
  });
  const inputFiles = Object.values(metafile.outputs).flatMap((output) => Object.entries(output.inputs));
  const bundledFiles = inputFiles.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([path]) => path);
  const packageNames = bundledFiles.map(
    (bundledFile) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(bundledFile)?.[1],
  );
  return new Set(packageNames.filter((packageName) => packageName !== undefined));
}

/** Packages whose code may be in the core, from the function names before optimization. */
function listPackagesInCore(): Set<string> {
  const folder = makeTemporaryFolder();
  const commandWords = [
    '--target',
    'release',
    '--outFile',
    join(folder, 'core.wasm'),
    '--optimizeLevel',
    '0',
    '--debug',
  ];
  const compiler = join(repositoryRoot, 'node_modules/assemblyscript/bin/asc.js');
  const textFile = join(folder, 'core.wat');
  execFileSync(process.execPath, [compiler, 'assembly/index.ts', ...commandWords, '--textFile', textFile], {
    cwd: repositoryRoot,
  });
  return new Set(readFileSync(textFile, 'utf8').includes('~lib/') ? ['assemblyscript'] : []);
}

/** Packages with code in the program's script, as built. */
async function listPackagesInProgram(): Promise<Set<string>> {
  const { bundleProgram } = await import(join(repositoryRoot, 'scripts/program.mjs'));
  return new Set((await bundleProgram()).packages);
}

const SHIPPED_FILE_PACKAGES: Readonly<Record<string, () => Promise<Set<string>>>> = {
  'build/figures.js.gz': () => bundleAndListPackages('web/figures/main.ts'),
  'build/web': () => bundleAndListPackages('web/explorer/main.ts', 'web/explorer/worker/worker.ts'),
  'build/*.wasm': async () => listPackagesInCore(),
  'dist/cli': listPackagesInProgram,
};

test('each package whose code is shipped is named, with its licence and where it is', async () => {
  const pathsByLicence = new Map<string, string[]>();
  for (const [file, find] of Object.entries(SHIPPED_FILE_PACKAGES)) {
    for (const packageName of await find())
      pathsByLicence.set(packageName, [...(pathsByLicence.get(packageName) ?? []), file]);
  }
  const expectedTableRows = [...pathsByLicence].sort().map(([name, files]) => {
    const { license } = JSON.parse(
      readFileSync(join(repositoryRoot, 'node_modules', name, 'package.json'), 'utf8'),
    );
    return `| \`${name}\` | ${license} | ${files.map((file) => `\`${file}\``).join(', ')} |`;
  });
  for (const [name, files] of pathsByLicence) {
    // Files bundled into the page of figures begin with their notices.
    if (!files.includes('build/web') && !files.includes('dist/cli')) continue;
    const terms = join(repositoryRoot, 'node_modules', name, 'LICENSE');
    const copyrightNotice = existsSync(terms) ? /^Copyright.*$/m.exec(readFileSync(terms, 'utf8')) : null;
    expect(page).toContain(copyrightNotice?.[0] ?? name);
  }
  expect(
    [...rows].map(([name, [licence, packagePath]]) => `| \`${name}\` | ${licence} | ${packagePath} |`),
  ).toEqual(expectedTableRows);
}, 120_000);
