import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from './packed.js';

/**
 * Extensions of the program described in CONTRIBUTING.md (a new policy, metric or option), as changes of
 * source files.
 */

/**
 * A change of a file: its whole text if the file is new; otherwise text inserted before, or
 * replacing, some existing text.
 */
export type CodeChange =
  | { readonly file: string; readonly text: string }
  | { readonly file: string; readonly before: string; readonly put: string }
  | { readonly file: string; readonly inPlaceOf: string; readonly put: string };

/** Change that adds a member at the end of an enumeration of the core. */
function makeMemberAddition(file: string, enumeration: string, memberName: string): CodeChange {
  const sourceText = readFileSync(join(repositoryRoot, file), 'utf8');
  const pattern = new RegExp(`(export enum ${enumeration} \\{[\\s\\S]*?\\n  )COUNT = (\\d+),`);
  const [inPlaceOf, members, count] = sourceText.match(pattern) as RegExpMatchArray;
  return { file, inPlaceOf, put: `${members}${memberName} = ${count},\n  COUNT = ${Number(count) + 1},` };
}

const SETUP_TIME_OPTION_CODE = `  setupTime: defineNumberOption({
    heading: 'Scheduling',
    help: 'additional seconds of every execution',
    core: 'SetupTime',
    range: { atLeast: 0 },
    default: 0,
  }),
`;

const TOTAL_WAIT_METRIC_CODE = `  totalWait: makeSecondsMetric({
    noise: 'waits',
    core: 'TotalWait',
    label: 'total wait',
    formula: 'sum of wait',
    edges: '',
  }),
`;

const SAMPLE_ALLOCATOR_CODE = `import { candidateCountOf, firstCandidateOffsetOf, freeProcessorsInSlot, siteOfSlot, Slot } from '../grid/sites';
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
    const slots = columns.selectableSlots + firstCandidateOffsetOf(simulation, job);
    for (let index = candidateCountOf(simulation, job) - 1; index >= 0; index--) {
      const slot = at<Slot>(slots, index);
      if (<i32>freeProcessorsInSlot(slot) >= at<i32>(columns.processors, job)) return siteOfSlot(slot);
    }
    return -1;
  }
}
`;

const SAMPLE_COMMAND_CODE = `import type { Command } from '../command.js';

export const citeCommand: Command = {
  description: 'Says how to cite gridalloc.',
  positionals: [],
  options: {},
  examples: [],
  read: () => ({}),
  run: async (_, context) => {
    await context.print('cited');
    return 0;
  },
};
`;

/** File that maps policy numbers to allocators. */
export const REGISTRY_FILE = 'assembly/allocators/registry.ts';
const cases = readFileSync(join(repositoryRoot, REGISTRY_FILE), 'utf8').match(/visitor\.on</g)?.length;

/**
 * An extension described in CONTRIBUTING.md: its changes, and the largest number of files that they may
 * touch.
 */
interface CodeRecipe {
  readonly changes: readonly CodeChange[];
  readonly most: number;
  /**
   * Changes that add random cases checked against the reference simulator; absent if the addition
   * has a test of its own.
   */
  readonly checks?: readonly CodeChange[];
  /** Maximum number of files for the addition with its checks. */
  readonly mostChecked?: number;
}

const REFERENCE_FOLDER = 'tests/reference/simulator';

export const CODE_RECIPES: Readonly<Record<string, CodeRecipe>> = {
  'an option of the core': {
    most: 3,
    changes: [
      makeMemberAddition('assembly/abi/abi.ts', 'Option', 'SetupTime'),
      {
        file: 'assembly/grid/execution.ts',
        inPlaceOf: 'roundToResolution(simulation.resolution, (runtime * load) / speedOf(site))',
        put: 'roundToResolution(simulation.resolution, (runtime * load) / speedOf(site) + columns.optionOfRun(Option.SetupTime))',
      },
      {
        file: 'host/options/runOptions.ts',
        before: '  multiSiteFactor: defineNumberOption({',
        put: SETUP_TIME_OPTION_CODE,
      },
    ],
    mostChecked: 7,
    checks: [
      {
        file: `${REFERENCE_FOLDER}/types.ts`,
        before: '  interval?: number | undefined;',
        put: '  /** Additional seconds of every execution. */\n  setupTime?: number;\n',
      },
      {
        file: `${REFERENCE_FOLDER}/execution.ts`,
        inPlaceOf: 'roundToTimeResolution((job.runtime * options.load[job.home]!) / speed, options);',
        put: 'roundToTimeResolution((job.runtime * options.load[job.home]!) / speed + (options.setupTime ?? 0), options);',
      },
      {
        file: 'tests/reference/cases/allocators.ts',
        before: '    minSpeedRatio: draws.pick(',
        put: '    setupTime: draws.pick([0, 0.3, 7]),\n',
      },
      {
        file: 'tests/ways/samples.ts',
        before: '  policy: {\n',
        put: "  'setup-time': { settings: [{ 'setup-time': '600' }], values: [600], spellings: [['--setup-time 600'], ['']], keepsRecordedWait: true },\n",
      },
    ],
  },
  'a metric': {
    most: 3,
    changes: [
      makeMemberAddition('assembly/abi/abiColumns.ts', 'Metric', 'TotalWait'),
      {
        file: 'assembly/sums/metrics.ts',
        before: '  put<f64>(metrics, Metric.MeanWait',
        put: '  put<f64>(metrics, Metric.TotalWait, totalOfSum(SumKind.Wait));\n',
      },
      {
        file: 'host/simulate/metrics.ts',
        before: '  scaledDownJobs: makeCountMetric({',
        put: TOTAL_WAIT_METRIC_CODE,
      },
    ],
    mostChecked: 6,
    checks: [
      {
        file: `${REFERENCE_FOLDER}/types.ts`,
        before: '  maxWait: number;',
        put: '  totalWait: number;\n',
      },
      {
        file: `${REFERENCE_FOLDER}/measures.ts`,
        before: '    maxWait: ',
        put: '    totalWait: sumExactly(wait),\n',
      },
      { file: 'tests/core/simulateCore.ts', before: '  maxWait: true,', put: '  totalWait: true,\n' },
    ],
  },
  'an order of the queue': {
    most: 3,
    changes: [
      makeMemberAddition('assembly/abi/abi.ts', 'Order', 'WidestSquare'),
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
    mostChecked: 4,
    checks: [
      {
        file: `${REFERENCE_FOLDER}/waitingQueue.ts`,
        before: "  'wfp3',\n];",
        put: "  'widest-square',\n",
      },
      {
        file: `${REFERENCE_FOLDER}/waitingQueue.ts`,
        before: "    case 'shortest':",
        put: "    case 'widest-square':\n      return -(job.processors * job.processors);\n",
      },
    ],
  },
  'an allocator': {
    most: 2,
    changes: [
      { file: 'assembly/allocators/slowestFirst.ts', text: SAMPLE_ALLOCATOR_CODE },
      {
        file: REGISTRY_FILE,
        before: 'import { NO_PREFERENCE',
        put: "import { SlowestFirst } from './slowestFirst';\n",
      },
      {
        file: REGISTRY_FILE,
        before: '    default:',
        put: `    case ${cases}:\n      return visitor.on<SlowestFirst>(simulation, job);\n`,
      },
    ],
    mostChecked: 5,
    checks: [
      {
        file: `${REFERENCE_FOLDER}/allocators.ts`,
        before: "    case 'second-best-fit':",
        put: `    case 'slowest-first':
      return { site: candidates.reduce((slowest, site) => (site.speed <= slowest.speed ? site : slowest)) };
`,
      },
      {
        file: 'tests/reference/cases/draws.ts',
        before: "  'tai2',\n] as const;",
        put: "  'slowest-first',\n",
      },
    ],
  },
  'a command': {
    most: 2,
    changes: [
      { file: 'host/cli/commands/cite.ts', text: SAMPLE_COMMAND_CODE },
      {
        file: 'host/cli/catalogue.ts',
        before: '  completion: () =>',
        put: "  cite: () => import('./commands/cite.js'),\n",
      },
      {
        file: 'host/cli/catalogue.ts',
        before: "  completion: 'print",
        put: "  cite: 'say how to cite gridalloc',\n",
      },
    ],
  },
};

/** Text of a file after a change. */
export function applyCodeChange(
  sourceText: string,
  change: Exclude<CodeChange, { readonly text: string }>,
): string {
  const textToReplace = 'before' in change ? change.before : change.inPlaceOf;
  return sourceText.replace(textToReplace, () => change.put + ('before' in change ? textToReplace : ''));
}
