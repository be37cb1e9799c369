import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

/**
 * Checks that each folder imports only from layers below it, in the order shown in
 * docs/internals/architecture.md.
 */

const repositoryRoot = fileURLToPath(new URL('../../', import.meta.url));

/** Layers from top to bottom: a file may import only from layers below its own. */
const ASSEMBLY_LAYERS = [
  ['testing.ts', 'explaining.ts'],
  ['index.ts'],
  ['engine'],
  ['sums/metrics.ts'],
  ['disciplines'],
  ['placement'],
  ['allocators'],
  ['planning'],
  ['record'],
  ['knowledge'],
  ['queue'],
  ['live'],
  ['events'],
  ['grid'],
  ['sums/jobSums.ts'],
  ['memory/columns.ts', 'memory/policyColumns.ts'],
  ['sums/exactSum.ts'],
  ['sums/sums.ts'],
  ['memory'],
  ['abi'],
];

const HOST_LAYERS = [
  ['index.ts'],
  ['cli'],
  ['explorer'],
  ['request'],
  ['reports'],
  ['view'],
  ['draw'],
  ['runs'],
  ['portable.ts'],
  ['results'],
  ['study'],
  ['conformance'],
  ['bench'],
  ['statistics'],
  ['code'],
  ['files'],
  ['explain'],
  ['validate'],
  ['learn'],
  ['live'],
  ['simulate'],
  ['options'],
  ['jobs'],
  ['core'],
  ['grid'],
  ['workload'],
  ['trace'],
  ['format'],
  ['math'],
  ['loops'],
  ['arguments.ts'],
  ['notation.ts', 'providedCode.ts'],
  ['errors.ts', 'lists.ts'],
];

interface ImportPath {
  readonly from: string;
  readonly to: string;
}

/** Paths of the files in a folder, relative to it. */
function listFilesIn(folder: string): string[] {
  return readdirSync(join(repositoryRoot, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .sort();
}

/** Source code of a file with its comments removed. */
function readCodeWithoutComments(path: string): string {
  const moduleText = readFileSync(join(repositoryRoot, path), 'utf8');
  return moduleText.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
}

const IMPORT_PATTERN = /(?:^(?:import|export)\b[^';]*?\bfrom\s*|^import\s*|\bimport\s*\(\s*)'(\.[^']*)'/gm;

/** Imports of the files of a folder: static, dynamic and type-only. */
function findImportsIn(folder: string): ImportPath[] {
  return listFilesIn(folder).flatMap((from) => {
    const sourceCode = readCodeWithoutComments(join(folder, from));
    return [...sourceCode.matchAll(IMPORT_PATTERN)].map(([, target]) => {
      const path = relative(folder, join(folder, dirname(from), target)).replace(/\.js$/, '');
      return { from, to: `${path}.ts` };
    });
  });
}

const findLayerIndex = (order: string[][], path: string) =>
  order.findIndex((line) => line.some((location) => path === location || path.startsWith(`${location}/`)));

const topFolderOfFile = (path: string) => path.split('/')[0];

describe.each([
  ['assembly', ASSEMBLY_LAYERS],
  ['host', HOST_LAYERS],
])('%s', (folder, order) => {
  const moduleImports = findImportsIn(folder);

  test('has imports, and each names a file', () => {
    expect(moduleImports.length).toBeGreaterThan(listFilesIn(folder).length / 2);
    const files = new Set(listFilesIn(folder).map((path) => path.replace(/\.d\.ts$/, '.ts')));
    expect(moduleImports.filter(({ to }) => !files.has(to))).toEqual([]);
  });

  test('every file is in the list', () => {
    expect(listFilesIn(folder).filter((path) => findLayerIndex(order, path) < 0)).toEqual([]);
  });

  test('imports go down the list or stay in their folder', () => {
    const importsOfLaterLayers = moduleImports.filter(
      ({ from, to }) =>
        findLayerIndex(order, to) <= findLayerIndex(order, from) &&
        topFolderOfFile(from) !== topFolderOfFile(to),
    );
    expect(importsOfLaterLayers.map(({ from, to }) => `${from} -> ${to}`)).toEqual([]);
  });

  test('no import is circular, types and dynamic imports included', () => {
    const importsByFile = new Map<string, string[]>();
    for (const { from, to } of moduleImports)
      importsByFile.set(from, [...(importsByFile.get(from) ?? []), to]);
    const visitedPaths = new Set<string>();
    const visitNode = (path: string, importChain: readonly string[]): string[] => {
      if (importChain.includes(path))
        return [[...importChain.slice(importChain.indexOf(path)), path].join(' -> ')];
      if (visitedPaths.has(path)) return [];
      visitedPaths.add(path);
      return (importsByFile.get(path) ?? []).flatMap((to) => visitNode(to, [...importChain, path]));
    };
    expect(listFilesIn(folder).flatMap((path) => visitNode(path, []))).toEqual([]);
  });
});

/**
 * Modules that the generic modules for tables, figures and sentences may import; none of them knows
 * a kind of result.
 */
const ALLOWED_VIEW_IMPORT_PATTERN =
  /^(?:view|draw|format|files)\/|^(?:code\/watch|results\/(?:resultFolder|savedFile)|runs\/threads|arguments|lists|errors)\.ts$/;

test('modules for tables and figures depend on no kind of result', () => {
  const forbiddenViewImports = findImportsIn('host').filter(
    ({ from, to }) => /^view\//.test(from) && !ALLOWED_VIEW_IMPORT_PATTERN.test(to),
  );
  expect(forbiddenViewImports.map(({ from, to }) => `${from} -> ${to}`)).toEqual([]);
});

test('the contract with the host imports only its own files', () => {
  expect(
    findImportsIn('assembly').filter(({ from, to }) => /^abi\//.test(from) && !/^abi\//.test(to)),
  ).toEqual([]);
});

/** Files of the core whose code, without comments, matches a pattern. */
function findCoreFilesWith(pattern: RegExp): string[] {
  return listFilesIn('assembly').filter((path) =>
    pattern.test(readCodeWithoutComments(join('assembly', path))),
  );
}

test('policies cannot see runtimes: during a simulation only execution.ts reads them', () => {
  const filesNamingColumn = [
    'abi/abiColumns.ts',
    'engine/begin.ts',
    'engine/jobs.ts',
    'memory/jobColumns.ts',
  ];
  expect(findCoreFilesWith(/\bruntimes?\b/i)).toEqual([...filesNamingColumn, 'grid/execution.ts'].sort());
});

test('only memory.ts touches memory itself', () => {
  expect(findCoreFilesWith(/\b(?:load|store)<|\bmemory\.\w+\(|\bv128\.|\batomic\./)).toEqual([
    'memory/memory.ts',
  ]);
});

test('nothing in the core allocates, and nothing depends on functions that differ between machines', () => {
  expect(findCoreFilesWith(/\bnew\s+[A-Z]|\binstantiate<|\bheap\.|\b__new\b/)).toEqual([]);
  expect(findCoreFilesWith(/\b(?:Math|NativeMath|JSMath)f?\./)).toEqual([]);
});

test('free processors change in one place', () => {
  const filesCallingSites = findCoreFilesWith(
    /^import \{[^}]*\b(?:give|take)Processors\b[^}]*\} from '\.\.?\/grid\/sites'/m,
  );
  expect(filesCallingSites).toEqual(['placement/commit.ts', 'testing.ts']);
});

test('math imports only loops, so that every host computes the same bits', () => {
  const sharedModules = listFilesIn('host').filter((path) => /^(?:math|loops)\//.test(path));
  const sourceCode = sharedModules
    .map((sharedModule) => readCodeWithoutComments(join('host', sharedModule)))
    .join('\n');
  const sources = new Set([...sourceCode.matchAll(/\bfrom '([^']*)'/g)].map(([, source]) => source));
  expect(
    [...sources]
      .filter((source) => !/\/(?:loops|line[A-Z]\w*|workspace|compiledLoops|types)\.js$/.test(source!))
      .sort(),
  ).toEqual(['./fdlibm.js']);
  // Math functions whose last digits differ between JavaScript engines.
  const inexactFunctionPattern =
    /\bMath\.(?:a?cosh?|a?sinh?|a?tanh?|atan2|cbrt|exp|expm1|hypot|log|log10|log1p|log2|pow)\(/;
  expect(sourceCode).not.toMatch(inexactFunctionPattern);
});

test('the loader is used in one file', () => {
  const users = listFilesIn('host').filter((path) =>
    readCodeWithoutComments(join('host', path)).includes('@assemblyscript/loader'),
  );
  expect(users).toEqual(['core/module.ts']);
});

/** Files of the host and of the explorer whose code, without comments, matches a pattern. */
function findHostFilesWith(pattern: RegExp): string[] {
  const files = [...listFilesIn('host').map((path) => join('host', path))];
  for (const path of listFilesIn('web')) files.push(join('web', path));
  return files.filter((path) => pattern.test(readCodeWithoutComments(path)));
}

test('the memory of the core is read and written in host/core alone', () => {
  const filesReadingMemory = findHostFilesWith(/\bmemory\.buffer\b|\b(?:job)?[cC]olumnAddress\b/);
  expect(filesReadingMemory.length).toBeGreaterThan(3);
  // The compiled loops use a separate memory, outside the core.
  expect(filesReadingMemory.filter((path) => !path.startsWith('host/core/'))).toEqual([
    'host/loops/workspace.ts',
  ]);
});

test('the bounded slowdown and its threshold are defined in one place', () => {
  expect(findHostFilesWith(/\bslowdowns?(?:\[\w+\])? \+?= Math\.max\(/i)).toEqual([]);
  expect(findHostFilesWith(/\bLimit\.BoundedExecution\b/)).toEqual(['host/jobs/quantities.ts']);
});

test('suggestions for a wrong name are made in one place', () => {
  expect(findHostFilesWith(/\bdid you mean\b/)).toEqual(['host/notation.ts']);
  // Only these files may call `findNearestName`, the search for the most similar name.
  expect(findHostFilesWith(/\bfindNearestName\(/)).toEqual(['host/arguments.ts', 'host/notation.ts']);
});

/** Packages and `node:` modules that a file of the host imports at run time. */
function findPackagesImportedBy(path: string): string[] {
  const sourceCode = readCodeWithoutComments(join('host', path));
  const packageImportPattern =
    /(?:^(?:import|export)\b(?! type\b)[^';]*?\bfrom\s*|^import\s*|\bimport\s*\(\s*)'([^.'][^']*)'/gm;
  return [...sourceCode.matchAll(packageImportPattern)].map(([, source]) => source);
}

test('the explorer, and what it uses of the host, needs no module of Node', () => {
  const sources = new Set(listFilesIn('host'));
  const importsWithinHost = findImportsIn('host').filter(({ to }) => sources.has(to));
  const readCodeWithoutTypeImports = (path: string) =>
    readCodeWithoutComments(path).replaceAll(/^import type[^;]*;/gm, '');
  const hostFilesUsedByExplorer = listFilesIn('web/explorer').flatMap((path) =>
    [...readCodeWithoutTypeImports(join('web/explorer', path)).matchAll(/'[./]*\/host\/([^']*)\.js'/g)].map(
      ([, name]) => `${name}.ts`,
    ),
  );
  const reachedFiles = new Set(hostFilesUsedByExplorer);
  for (const path of reachedFiles) {
    const sourceCode = readCodeWithoutTypeImports(join('host', path));
    for (const { from, to } of importsWithinHost) {
      if (from === path && sourceCode.includes(`/${to.split('/').at(-1)?.replace('.ts', ".js'")}`))
        reachedFiles.add(to);
    }
  }
  expect(reachedFiles.size).toBeGreaterThan(90);
  const importedPackages = [...reachedFiles].flatMap((path) =>
    findPackagesImportedBy(path).map((source) => `${path}: ${source}`),
  );
  expect(importedPackages.filter((importedPackage) => importedPackage.includes('node:'))).toEqual([]);
});

/** All files of the host that a file imports, directly or indirectly. */
function findFilesReachedFrom(path: string): Set<string> {
  const sources = new Set(listFilesIn('host'));
  const moduleImports = findImportsIn('host').filter(({ to }) => sources.has(to));
  const reachedFiles = new Set([path]);
  for (const reachedFile of reachedFiles) {
    for (const { from, to } of moduleImports) if (from === reachedFile) reachedFiles.add(to);
  }
  return reachedFiles;
}

/** Global names that exist only in Node. */
const NODE_GLOBAL_PATTERN = /\b(?:Buffer|process|setImmediate|__dirname|require)\b(?=[.(])|\bimport\.meta\b/;

test('gridalloc/core needs no package, nothing of Node and nothing of the web', () => {
  const reachedFiles = [...findFilesReachedFrom('core/host.ts')];
  expect(reachedFiles.filter((path) => !path.startsWith('core/'))).toEqual([]);
  expect(reachedFiles.flatMap(findPackagesImportedBy)).toEqual([]);
  const webGlobalPattern = /\b(?:TextDecoder|TextEncoder|fetch|performance|console|URL)\b/;
  const sourceCode = (path: string) => readCodeWithoutComments(join('host', path));
  expect(
    reachedFiles.filter(
      (path) => NODE_GLOBAL_PATTERN.test(sourceCode(path)) || webGlobalPattern.test(sourceCode(path)),
    ),
  ).toEqual([]);
});

test('the example for workerd lists every module that gridalloc/core loads', () => {
  const configurationText = readFileSync(join(repositoryRoot, 'examples/hosts/workerd/config.capnp'), 'utf8');
  const loadedModules = new Set(['host.ts']);
  for (const loadedModule of loadedModules) {
    const sourceCode = readCodeWithoutComments(join('host/core', loadedModule)).replaceAll(
      /^(?:im|ex)port type[^;]*;/gm,
      '',
    );
    for (const [, name] of sourceCode.matchAll(/'\.\/(\w+)\.js'/g)) loadedModules.add(`${name}.ts`);
  }
  expect(loadedModules.size).toBeGreaterThan(5);
  const fileNamesInExample = [...loadedModules].map(
    (loadedModule) => `gridalloc/${loadedModule.replace('.ts', '.js')}`,
  );
  expect(fileNamesInExample.filter((name) => !configurationText.includes(`"${name}"`))).toEqual([]);
});

describe('the portable library', () => {
  const reachedFiles = findFilesReachedFrom('portable.ts');

  test('holds all code that computes', () => {
    const portableFolders = [
      'core',
      'explain',
      'grid',
      'loops',
      'math',
      'options',
      'simulate',
      'statistics',
      'study',
      'trace',
      'workload',
    ];
    expect(
      portableFolders.filter(
        (portableFolder) => ![...reachedFiles].some((path) => path.startsWith(`${portableFolder}/`)),
      ),
    ).toEqual([]);
  });

  test('needs no module of Node and no package but the loader and the reader of study files', () => {
    const importedPackages = [...reachedFiles].flatMap((path) =>
      findPackagesImportedBy(path).map((source) => `${path}: ${source}`),
    );
    expect(importedPackages).toEqual(['core/module.ts: @assemblyscript/loader', 'study/yamlSource.ts: yaml']);
  });

  test('uses nothing that only Node has', () => {
    expect(
      [...reachedFiles].filter((path) =>
        NODE_GLOBAL_PATTERN.test(readCodeWithoutComments(join('host', path))),
      ),
    ).toEqual([]);
  });
});

test('only files that parse command lines name their arguments; commands receive the result', () => {
  const filesNamingArguments = listFilesIn('host').filter((path) =>
    /\bCheckedArguments\b/.test(readCodeWithoutComments(join('host', path))),
  );
  const parser = [
    'request/checkedArguments.ts',
    'request/fromArguments.ts',
    'request/earlierRequest.ts',
    'cli/catalogue.ts',
    'cli/command.ts',
  ];
  expect(filesNamingArguments.sort()).toEqual(parser.sort());
});
