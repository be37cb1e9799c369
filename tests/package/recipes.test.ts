import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../temporaryFolder.js';
import { root } from './packed.js';

/**
 * What CONTRIBUTING.md says of adding things is done to a copy of the project, which is built, and whose command then has
 * them all. Each takes as few files as are written down here.
 */

/** What changes in a file: all of it where it is new, else what is put before, or in the place of, some text of it. */
type Change =
  | { readonly file: string; readonly text: string }
  | { readonly file: string; readonly before: string; readonly put: string }
  | { readonly file: string; readonly inPlaceOf: string; readonly put: string };

/** A member behind the others of an enumeration of the core. */
function member(file: string, enumeration: string, name: string): Change {
  const text = readFileSync(join(root, file), 'utf8');
  const pattern = new RegExp(`(export enum ${enumeration} \\{[\\s\\S]*?\\n  )COUNT = (\\d+),`);
  const [inPlaceOf, members, count] = text.match(pattern) as RegExpMatchArray;
  return { file, inPlaceOf, put: `${members}${name} = ${count},\n  COUNT = ${Number(count) + 1},` };
}

const OF_OPTION = `  setupTime: numberOption({
    heading: 'Scheduling',
    help: 'seconds that every execution takes besides',
    core: 'SetupTime',
    range: { atLeast: 0 },
    default: 0,
  }),
`;

const OF_METRIC = `  totalWait: seconds({
    core: 'TotalWait',
    label: 'total wait',
    formula: 'sum of wait',
    edges: '',
  }),
`;

const ALLOCATOR = `import { candidatesOf, firstCandidateOf, freeIn, siteIn, Slot } from '../grid/sites';
import * as columns from '../memory/columns';
import { at } from '../memory/memory';
import { Simulation } from '../memory/state';

@final
@unmanaged
export class SlowestFirst {
  declaration(): string {
    return 'slowest-first: the slowest site with room.';
  }

  choose(simulation: Simulation, job: i32): i32 {
    const slots = columns.choices + firstCandidateOf(simulation, job);
    for (let index = candidatesOf(simulation, job) - 1; index >= 0; index--) {
      const slot = at<Slot>(slots, index);
      if (<i32>freeIn(slot) >= at<i32>(columns.processors, job)) return siteIn(slot);
    }
    return -1;
  }
}
`;

const COMMAND = `import type { Command } from '../command.js';

export const citeCommand: Command = {
  description: 'Says how to cite gridalloc.',
  positionals: [],
  options: {},
  examples: [],
  run: async (_, context) => {
    await context.print('cited');
    return 0;
  },
};
`;

const REGISTRY = 'assembly/allocators/registry.ts';
const cases = readFileSync(join(root, REGISTRY), 'utf8').match(/visitor\.on</g)?.length;

/** What is added, and how many files that takes at most where nothing else is needed. */
const RECIPES: Readonly<Record<string, { readonly most: number; readonly changes: readonly Change[] }>> = {
  'an option of the core': {
    most: 5,
    changes: [
      member('assembly/abi/abi.ts', 'Option', 'SetupTime'),
      { file: 'assembly/memory/state.ts', before: '  interval: f64;', put: '  setupTime: f64;\n' },
      {
        file: 'assembly/engine/options.ts',
        before: '  simulation.interval = ',
        put: '  simulation.setupTime = amount(Option.SetupTime);\n',
      },
      {
        file: 'assembly/grid/execution.ts',
        inPlaceOf: 'resolve(simulation.resolution, (runtime * load) / speedOf(site));',
        put: 'resolve(simulation.resolution, (runtime * load) / speedOf(site) + simulation.setupTime);',
      },
      { file: 'host/options/runOptions.ts', before: '  /** p: a split job runs', put: OF_OPTION },
    ],
  },
  'a metric': {
    most: 3,
    changes: [
      member('assembly/abi/abiResults.ts', 'Metric', 'TotalWait'),
      {
        file: 'assembly/sums/metrics.ts',
        before: '  put<f64>(metrics, Metric.MeanWait',
        put: '  put<f64>(metrics, Metric.TotalWait, wait);\n',
      },
      {
        file: 'host/simulate/metrics.ts',
        before: '  /** Moldable jobs that ran on fewer processors',
        put: OF_METRIC,
      },
    ],
  },
  'an order of the queue': {
    most: 3,
    changes: [
      member('assembly/abi/abi.ts', 'Order', 'WidestSquare'),
      {
        file: 'assembly/queue/ranking.ts',
        before: '    case Order.Given:',
        put: '    case Order.WidestSquare:\n      return -(processors * processors);\n',
      },
      {
        file: 'host/options/order.ts',
        before: "  f1: { core: 'Given'",
        put: "  'widest-square': { core: 'WidestSquare', key: '-(processors * processors)' },\n",
      },
    ],
  },
  'an allocator': {
    most: 2,
    changes: [
      { file: 'assembly/allocators/slowestFirst.ts', text: ALLOCATOR },
      {
        file: REGISTRY,
        before: 'import { WorstFit }',
        put: "import { SlowestFirst } from './slowestFirst';\n",
      },
      {
        file: REGISTRY,
        before: '    default:',
        put: `    case ${cases}:\n      return visitor.on<SlowestFirst>(simulation, job);\n`,
      },
    ],
  },
  'a command': {
    most: 2,
    changes: [
      { file: 'host/cli/commands/cite.ts', text: COMMAND },
      {
        file: 'host/cli/catalogue.ts',
        before: "  {\n    name: 'completion',",
        put:
          "  {\n    name: 'cite',\n    summary: 'say how to cite gridalloc',\n" +
          "    load: async () => (await import('./commands/cite.js')).citeCommand,\n  },\n",
      },
    ],
  },
};

const folder = temporaryFolder();

function apply(change: Change): void {
  const path = join(folder, change.file);
  if ('text' in change) {
    writeFileSync(path, change.text, { flag: 'wx' });
    return;
  }
  const text = readFileSync(path, 'utf8');
  const sought = 'before' in change ? change.before : change.inPlaceOf;
  const changed = text.replace(sought, () => change.put + ('before' in change ? sought : ''));
  expect([change.file, changed !== text]).toEqual([change.file, true]);
  writeFileSync(path, changed);
}

const node = (...words: string[]) =>
  execFileSync(process.execPath, words, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
// The modules as they are compiled: what the build makes one script of.
const gridalloc = (...words: string[]) => node('start.mjs', ...words);

beforeAll(() => {
  for (const each of [
    'assembly',
    'host',
    'asconfig.json',
    'package.json',
    'tsconfig.json',
    'tsconfig.build.json',
  ]) {
    cpSync(join(root, each), join(folder, each), { recursive: true });
  }
  cpSync(join(root, 'scripts/buildId.mjs'), join(folder, 'scripts/buildId.mjs'), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  for (const { changes } of Object.values(RECIPES)) changes.forEach(apply);
  node(
    'node_modules/assemblyscript/bin/asc.js',
    'assembly/index.ts',
    '--target',
    'release',
    '--bindings',
    'raw',
  );
  node('scripts/buildId.mjs', 'build/release.wasm');
  copyFileSync(join(folder, 'build/release.d.ts'), join(folder, 'host/core/bindings.d.ts'));
  node('node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json');
  writeFileSync(
    join(folder, 'start.mjs'),
    "import { runProcess } from './dist/cli/main.js';\nawait runProcess();\n",
  );
}, 600_000);

test.each(Object.entries(RECIPES))('%s takes few files', (_, { most, changes }) => {
  expect(new Set(changes.map(({ file }) => file)).size).toBeLessThanOrEqual(most);
});

test('the files are those that CONTRIBUTING.md names, but for where a thing is used', () => {
  const table = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');
  const added = Object.values(RECIPES).flatMap(({ changes }) =>
    changes.filter((change) => !('text' in change)),
  );
  const unnamed = new Set(added.map(({ file }) => file).filter((file) => !table.includes(file)));
  expect([...unnamed]).toEqual(['assembly/grid/execution.ts', REGISTRY]);
});

test('what is added works', () => {
  const simulated = (...words: string[]) =>
    JSON.parse(
      gridalloc(
        'simulate',
        'lublin99[jobs=300,aarr=8]',
        '--sites',
        '128,64',
        '--speeds',
        '1,2',
        '--json',
        ...words,
      ),
    ) as Record<string, number>;
  const plain = simulated();
  expect(plain.totalWait).toBeCloseTo(300 * plain.meanWait, 3);
  for (const words of [
    ['--setup-time', '600'],
    ['--order', 'widest-square'],
    ['--policy', 'slowest-first'],
  ]) {
    const { averageResponseTime } = simulated(...words);
    expect([...words, averageResponseTime]).not.toEqual([...words, plain.averageResponseTime]);
  }
  expect(simulated('--order', 'widest-square').averageResponseTime).toBe(
    simulated('--order', 'widest').averageResponseTime,
  );
  expect(gridalloc('cite')).toBe('cited\n');
}, 120_000);
