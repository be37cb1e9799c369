/** Job selections, home sites and site sizes of published experiments. */

import { checkArgument } from '../arguments.js';
import { formatNumber } from '../format/numbers.js';
import { makePrintableSourceName } from '../format/text.js';
import { makeUnknownNameError } from '../notation.js';
import { type Filter, parseFilter } from '../trace/filter.js';
import type { HomeRule } from './make.js';

/** Selection of jobs and grid in a paper that used a particular log. */
export interface Preset {
  /** Name of the preset, for `findPreset`. */
  readonly name: string;
  /** Description in one sentence. */
  readonly description: string;
  /** Filters that select the records of the paper. */
  readonly filters: readonly Filter[];
  /** Field that determines home sites. */
  readonly home: HomeRule;
  /** Number of processors of each site: the largest job of each queue. */
  readonly capacities: readonly number[];
  /** Log used in the paper, and its number of jobs. */
  readonly paperLog: {
    readonly name: string;
    readonly jobs: number;
    /** Address for downloading the log. */
    readonly url: string;
    /** Known differences of other versions of the log. */
    readonly differs: string;
  };
}

const SAN_DIEGO_QUEUE_CAPACITIES = [8, 128, 128, 128, 50];
const SAN_DIEGO_LOG = {
  name: 'the San Diego SP2 log before its cleaning',
  url: 'https://www.cs.huji.ac.il/labs/parallel/workload/l_sdsc_sp2/',
};

/** All presets; both are for the log of the San Diego SP2. */
export const PRESETS: readonly Preset[] = [
  {
    name: 'shih2010',
    description:
      'The San Diego SP2 jobs of Shih et al. 2009 and 2010: queues 1 to 5 with a run time above 0, any status, without four flurries, on five sites, each as large as the largest job of a queue.',
    // A cleaned log holds no flurries, so these four rules drop nothing there.
    filters: [
      'queue=1-5',
      'runtime',
      'flurry=21:13717-16207',
      'flurry=374:14969-28552',
      'flurry=197:31767-33202',
      'flurry=328:66553-68106',
    ].map(parseFilter),
    home: 'queue',
    capacities: SAN_DIEGO_QUEUE_CAPACITIES,
    paperLog: {
      ...SAN_DIEGO_LOG,
      jobs: 54_041,
      differs:
        'the preset itself drops the flurries that cleaned logs (-cln) lack, but other versions differ in other jobs too',
    },
  },
  {
    name: 'huang2007',
    description:
      'The San Diego SP2 jobs of Huang et al. 2007 and 2009: those that completed (status 1) in the log as it was before cleaning, on five sites, each as large as the largest job of a queue.',
    filters: [parseFilter('status=1')],
    home: 'queue',
    capacities: SAN_DIEGO_QUEUE_CAPACITIES,
    paperLog: {
      ...SAN_DIEGO_LOG,
      jobs: 56_490,
      differs: 'cleaned logs (-cln) lack the flurries, bursts of jobs of one user, which the paper had',
    },
  },
];

/**
 * Remark that a preset selects another number of jobs from a log than in its paper; undefined if the numbers
 * are equal.
 */
export function remarkOnPresetMismatch(
  { name: presetName, paperLog: presetLog }: Preset,
  keptJobCount: number,
  logSource: string,
): string | undefined {
  if (keptJobCount === presetLog.jobs) return undefined;
  return (
    `preset ${presetName} is for the ${formatNumber(presetLog.jobs)} jobs that its paper had of ${presetLog.name}, and ${makePrintableSourceName(logSource)} has ` +
    `${formatNumber(keptJobCount)} such jobs, so published numbers cannot be expected: ${presetLog.differs}; the versions of the log are at ${presetLog.url}`
  );
}

/**
 * Finds a preset by name.
 * @throws InputError if there is none.
 * @example
 * console.log(findPreset('shih2010').capacities.join()); // 8,128,128,128,50
 */
export function findPreset(name: string): Preset {
  checkArgument(name, 'text', 'findPreset');
  const preset = PRESETS.find((candidate) => candidate.name === name);
  if (preset !== undefined) return preset;
  throw makeUnknownNameError(
    'preset',
    name,
    PRESETS.map((knownPreset) => knownPreset.name),
  );
}
