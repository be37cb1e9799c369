/** Cores with policies of your own: the sources of the core in the package, and the policies, compiled. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Core } from '../core/module.js';
import { declaredPolicies, type PolicyDeclaration } from '../core/policies.js';
import { InputError } from '../errors.js';
import { firstOf } from '../lists.js';
import { buildBeside } from './coreFile.js';
import { makeFolder, readFault, replaceFiles, type WriteSentences, writeFault } from './fileSystem.js';

/** How a core is built. */
export interface BuildOptions {
  readonly signal?: AbortSignal | undefined;
  /** 0 to 3: with less the compiler is done sooner, and the core is slower; default as the package was compiled. */
  readonly optimizeLevel?: number | undefined;
}

/** A core that was built. */
export interface BuiltCore {
  /** Its policies that are not those of the package. */
  readonly policies: readonly PolicyDeclaration[];
  /** The builds, the one to be named first. */
  readonly files: readonly { readonly path: string; readonly bytes: number; readonly sha256: string }[];
  /** Version of AssemblyScript that compiled it. */
  readonly compiler: string;
}

/** The compiler does not take a policy; `output` is what it said, with the file and line as the user knows them. */
export class PolicyFault extends InputError {
  readonly output: string;

  constructor(message: string, output: string) {
    super(message);
    this.output = output;
  }
}

const PACKAGE = fileURLToPath(new URL('../../', import.meta.url));
const REGISTRY = 'assembly/allocators/registry.ts';

/** What is built: all that commands use. */
const BUILDS = ['release', 'shared', 'explaining'] as const;

/** What is compiled, each from its file, and the build that is made of it beside it. */
const COMPILED = [
  { build: 'release', entry: 'assembly/index.ts', beside: ['shared'] },
  { build: 'explaining', entry: 'assembly/explaining.ts', beside: [] },
] as const;

const SENTENCES: WriteSentences = {
  denied: 'may not be written by this user; give another --out, or change its permissions',
  absent: 'cannot be made; give another --out',
  blocked: 'is not a folder, or is below a file; give another --out',
  full: 'free some space and repeat the command',
};

interface OwnPolicy {
  /** As it was given. */
  readonly path: string;
  /** Its file among the sources of the core. */
  readonly source: string;
  readonly className: string;
  readonly text: string;
}

/**
 * Compiles a core with policies of your own behind those of the package, each from a file with one exported class as
 * docs/custom-policies.md describes it; without any, the core of the package to the byte.
 * @param out the release build; `out.shared.wasm`, for studies, and `out.explaining.wasm` are written beside it.
 * @throws InputError where the compiler is not installed, a file is no policy, or `out` may not be written; PolicyFault
 * for what the compiler refuses; OutputError when writing fails.
 */
export async function buildCore(
  policies: readonly string[],
  out: string,
  { signal, optimizeLevel }: BuildOptions = {},
): Promise<BuiltCore> {
  const compiler = findCompiler();
  const own = await Promise.all(policies.map(readPolicy));
  const folder = await mkdtemp(join(tmpdir(), 'gridalloc-core-'));
  try {
    await placeSources(folder, own);
    const words = optimizeLevel === undefined ? [] : ['--optimizeLevel', String(optimizeLevel)];
    await compileAll([compiler.program, ...words], folder, own, signal);
    const binaries = BUILDS.map((build) => join(folder, 'build', `${build}.wasm`));
    const declared = checkPolicies(await readFile(firstOf(binaries)), own);
    const paths = BUILDS.map((build) => buildBeside(out, build));
    await place(binaries, paths, signal);
    const files = await Promise.all(
      paths.map(async (path) => {
        const binary = await readFile(path);
        return { path, bytes: binary.length, sha256: createHash('sha256').update(binary).digest('hex') };
      }),
    );
    return { policies: declared, files, compiler: compiler.version };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The compiler that is beside this package, or else in the folder of the user. */
function findCompiler(): { readonly program: string; readonly version: string } {
  for (const place of [import.meta.url, join(process.cwd(), 'package.json')]) {
    try {
      const from = createRequire(place);
      const { version } = from('assemblyscript/package.json') as { version: string };
      return { program: from.resolve('assemblyscript/bin/asc.js'), version };
    } catch {
      // Not there.
    }
  }
  const { peerDependencies } = createRequire(import.meta.url)('../../package.json') as {
    peerDependencies: { assemblyscript: string };
  };
  const version = peerDependencies.assemblyscript.replace('^', '');
  throw new InputError(
    `the compiler of the core, AssemblyScript, is not installed; npm install assemblyscript@${version} installs it beside gridalloc`,
  );
}

const CLASS = /^export\s+(?:default\s+)?class\s+(\w+)/gm;
const COMMENT = /\/\*[\s\S]*?\*\/|\/\/.*$/gm;
/** What no policy may touch: times that are unknown when a job starts. */
const RUNTIMES = /\bruntimes\b|\bgrid\/execution\b/;
/** What would take memory that the core does not manage. */
const ALLOCATION = /\bnew\s|\binstantiate\s*<|\bheap\.|\b__new\b/;

async function readPolicy(path: string, index: number): Promise<OwnPolicy> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw readFault(path, error, 'give a file with a policy in AssemblyScript');
  });
  const code = text.replace(COMMENT, '');
  const classes = [...code.matchAll(CLASS)].map(([, name]) => name);
  const [className] = classes;
  if (className === undefined || classes.length > 1) {
    const found = classes.length === 0 ? 'no class' : `${classes.length} classes (${classes.join(', ')})`;
    throw new InputError(`${path} exports ${found}; the file of a policy exports one class, the policy`);
  }
  if (RUNTIMES.test(code)) {
    throw new InputError(
      `${path}: ${className} reads runtimes, which are unknown when a job starts; a policy may use what docs/custom-policies.md lists`,
    );
  }
  if (ALLOCATION.test(code)) {
    throw new InputError(`${path}: ${className} allocates objects, and the core has no memory for them`);
  }
  return { path, source: `assembly/allocators/added${index + 1}.ts`, className, text };
}

/** Copies the sources of the core, and enters the policies behind those that are there. */
async function placeSources(folder: string, own: readonly OwnPolicy[]): Promise<void> {
  for (const each of ['assembly', 'asconfig.json']) {
    await cp(join(PACKAGE, each), join(folder, each), { recursive: true });
  }
  const file = join(folder, REGISTRY);
  const registry = await readFile(file, 'utf8');
  const first = [...registry.matchAll(/^ +case \w+:\s+return visitor\.on</gm)].length;
  const imports = own.map(
    ({ className }, i) => `import { ${className} as Added${i + 1} } from './added${i + 1}';\n`,
  );
  const cases = own.map(
    (_, i) => `    case ${first + i}:\n      return visitor.on<Added${i + 1}>(simulation, job);\n`,
  );
  const entered = registry.replace(/^ +default:/m, (found) => cases.join('') + found);
  await writeFile(file, imports.join('') + entered);
  for (const { source, text } of own) await writeFile(join(folder, source), text);
}

/** Compiles all of it side by side; the first that fails ends the others. */
async function compileAll(
  compiler: readonly string[],
  folder: string,
  own: readonly OwnPolicy[],
  signal?: AbortSignal,
): Promise<void> {
  const failed = new AbortController();
  const stop = signal === undefined ? failed.signal : AbortSignal.any([signal, failed.signal]);
  const compile = async (each: (typeof COMPILED)[number]) => {
    try {
      await compileOne(compiler, each, folder, stop);
    } catch (error) {
      failed.abort(error);
      throw error;
    }
  };
  const results = await Promise.allSettled(COMPILED.map(compile));
  signal?.throwIfAborted();
  if (!results.some(({ status }) => status === 'rejected')) return;
  const { stdout = '', stderr = '' } = failed.signal.reason as { stdout?: string; stderr?: string };
  const output = own.reduce((text, { source, path }) => text.replaceAll(source, path), stderr + stdout);
  if (output.trim() === '') throw failed.signal.reason;
  const policies = own.map(({ path }) => path).join(', ');
  throw new PolicyFault(
    `the core does not compile with ${policies}; the compiler says why`,
    output.trimEnd(),
  );
}

async function compileOne(
  compiler: readonly string[],
  { build, entry, beside }: (typeof COMPILED)[number],
  folder: string,
  signal: AbortSignal,
): Promise<void> {
  // Without the first the compiler starts another process, which would not get the signal.
  await runNode(['--enable-source-maps', ...compiler, entry, '--target', build], folder, signal);
  const binaries = [build, ...beside].map((each) => `build/${each}.wasm`);
  await runNode([join(PACKAGE, 'scripts/finishCore.mjs'), ...binaries], folder, signal);
}

function runNode(words: readonly string[], folder: string, signal: AbortSignal): Promise<void> {
  return new Promise((done, fail) => {
    execFile(process.execPath, words, { cwd: folder, signal }, (error, stdout, stderr) => {
      if (error === null) done();
      else fail(Object.assign(error, { stdout, stderr }));
    });
  });
}

/** What the core declares beside the policies of the package; refuses what it would not be found by. */
function checkPolicies(binary: Uint8Array<ArrayBuffer>, own: readonly OwnPolicy[]): PolicyDeclaration[] {
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(binary));
  const core = exports as unknown as Core;
  const declared = declarationsOf(core, own);
  const first = declared.length - own.length;
  const named = new Set<string>();
  for (const [index, { name, aliases }] of declared.entries()) {
    for (const each of [name, ...aliases]) {
      if (named.has(each)) {
        throw new InputError(
          `${own[index - first]!.path}: there is a policy '${each}' already; give another name`,
        );
      }
      named.add(each);
    }
  }
  return declared.slice(first);
}

function declarationsOf(core: Core, own: readonly OwnPolicy[]): readonly PolicyDeclaration[] {
  const before = core.firstAddress();
  const advice = "declaration() returns one literal, such as 'name[a=1] (alias): What it does.'";
  try {
    const declared = declaredPolicies(core);
    // What is put together at run time is where the host puts its blocks.
    const isLiteral = declared.every(({ index }) => core.policyDeclaration(index) < before);
    if (isLiteral) return declared;
  } catch {
    // No declaration of this form.
  }
  throw new InputError(
    `${own.map(({ path }) => path).join(', ')}: the policy does not say its name; ${advice}`,
  );
}

/** Puts the binaries in their places, all or none. */
async function place(
  binaries: readonly string[],
  paths: readonly string[],
  signal: AbortSignal | undefined,
): Promise<void> {
  try {
    await makeFolder(dirname(resolve(firstOf(paths))));
    const files = paths.map((path, i) => ({ path, write: (partial: string) => cp(binaries[i]!, partial) }));
    await replaceFiles(files, signal);
  } catch (error) {
    throw writeFault(firstOf(paths), error, SENTENCES);
  }
}
