/** The option --scheduler: the name of a real scheduler, or its configuration, stands for a set of options. */
import { readFileSync } from 'node:fs';
import { InputError } from '../errors.js';
import { listed } from '../format/numbers.js';
import { parseNotation, parseNumber, unknownName } from '../notation.js';
import type { OptionStrings } from '../options/options.js';
import type { OptionDefinition } from '../request/definitions.js';
import type { Context } from './context.js';

/** Definition of --scheduler. */
export const SCHEDULER_OPTION: OptionDefinition = {
  describe:
    "rules of a real scheduler: slurm, slurm[bf_interval=60,...] with the parameters of Slurm's SchedulerParameters, or a slurm.conf; other options given beside it come first",
  default: 'none',
  group: 'Passes:',
};

/** Parameters of Slurm that are simulated: their default, and the options that say the same. */
const SLURM: Readonly<
  Record<
    string,
    { readonly usual: string; readonly options: (value: number) => Readonly<Record<string, string>> }
  >
> = {
  bf_interval: { usual: '30', options: (seconds) => ({ 'backfill-interval': `${seconds}` }) },
  bf_resolution: { usual: '60', options: (seconds) => ({ 'backfill-resolution': `${seconds}` }) },
  bf_window: { usual: '1440', options: (minutes) => ({ 'backfill-window': `${60 * minutes}` }) },
  bf_max_job_test: { usual: '500', options: (jobs) => ({ 'backfill-jobs': `${jobs}` }) },
  bf_node_space_size: { usual: '', options: (segments) => ({ 'backfill-segments': `${segments}` }) },
  batch_sched_delay: { usual: '3', options: (seconds) => ({ 'pass-delay': `submit=${seconds}+end=0` }) },
};

/** Options that every Slurm with backfilling has. */
const BACKFILL = {
  discipline: 'conservative',
  'plan-by': 'node',
  'end-window': '30',
  'backfill-overlap': 'closed',
};

/** Keys of slurm.conf that decide about starts, and are not simulated. */
const NOT_SIMULATED = [
  'PriorityType',
  'PreemptType',
  'OverTimeLimit',
  'SchedulerTimeSlice',
  'PriorityWeightAge',
];

/** What --scheduler stands for. */
interface Scheduler {
  readonly options: Readonly<Record<string, string>>;
  /** Parameters that it names and that are not simulated. */
  readonly ignored: readonly string[];
}

/**
 * The options that a value of --scheduler stands for, as texts by name; prints which parameters are not simulated.
 * @throws InputError for another scheduler, an unknown parameter, and a file that cannot be read.
 */
export async function schedulerOptions(text: string, context: Context): Promise<OptionStrings> {
  const { options, ignored } = /^slurm(\[|$)/.test(text) ? schedulerNamed(text) : schedulerOfFile(text);
  if (ignored.length > 0) await context.printMessage(`${text}: not simulated: ${listed(ignored)}`);
  return options;
}

function schedulerNamed(text: string): Scheduler {
  const { parameters } = parseNotation(text);
  for (const name of parameters.keys()) {
    if (!(name in SLURM)) throw unknownName('parameter of slurm', name, Object.keys(SLURM));
  }
  return { options: slurmOptions(parameters), ignored: [] };
}

function slurmOptions(given: ReadonlyMap<string, string>): Readonly<Record<string, string>> {
  // By default the table of segments has as many entries as a pass tests jobs.
  const tests = given.get('bf_max_job_test') ?? SLURM.bf_max_job_test!.usual;
  const entries = Object.entries(SLURM).map(([name, { usual, options }]) => {
    const value = given.get(name) ?? (usual === '' ? tests : usual);
    return options(parseNumber(value, `--scheduler, ${name}`, { atLeast: 0 }));
  });
  const options = Object.assign({}, BACKFILL, ...entries) as Record<string, string>;
  if (options['pass-delay'] === 'submit=0+end=0') delete options['pass-delay'];
  return options;
}

/** Reads the parameters of a slurm.conf. */
function schedulerOfFile(path: string): Scheduler {
  const entries = new Map<string, string>();
  const partitions: string[] = [];
  for (const line of textOf(path).split('\n')) {
    const [, key, value = ''] = /^\s*(\w+)\s*=\s*([^#\s]*)/.exec(line) ?? [];
    if (key === undefined) continue;
    if (/^PartitionName$/i.test(key)) partitions.push(value);
    else entries.set(key.toLowerCase(), value);
  }
  const type = entries.get('schedulertype') ?? 'sched/backfill';
  const parameters = new Map(
    (entries.get('schedulerparameters') ?? '')
      .split(',')
      .filter((each) => each !== '')
      .map((each) => [each.replace(/=.*/, ''), each.replace(/^[^=]*=?/, '')] as const),
  );
  const known = new Map([...parameters].filter(([name]) => name in SLURM));
  const named = NOT_SIMULATED.filter((key) => {
    const value = entries.get(key.toLowerCase());
    return value !== undefined && !/^(priority\/basic|preempt\/none|0)$/i.test(value);
  });
  const others = [...parameters.keys()].filter((name) => !(name in SLURM));
  const several = partitions.length > 1 ? [`partitions (${partitions.join(', ')})`] : [];
  const all = slurmOptions(known);
  const { 'pass-delay': delay } = all;
  const options =
    type === 'sched/builtin'
      ? { discipline: 'fcfs', ...(delay !== undefined && { 'pass-delay': delay }) }
      : all;
  return { options, ignored: [...others, ...named, ...several] };
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    throw new InputError(
      `--scheduler: expected slurm, slurm[...] or the path of a slurm.conf, found '${path}', which cannot be read`,
    );
  }
}
