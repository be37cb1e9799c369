/** What the help says of the commands around job logs. */
import type { Command } from './command.js';
import { COMMON_OPTIONS, SETTING_OPTIONS } from './options.js';

const FILE = { name: 'FILE', meaning: 'a FILE: a job log (FILE.swf, FILE.swf.gz, or - for standard input)' };
const OUT = {
  name: 'OUT',
  meaning: 'OUT: the file to write (OUT.swf, OUT.swf.gz, or - for standard output)',
};
const load = () => import('./commands/trace.js');

const info: Command = {
  name: 'trace info',
  summary: 'what a job log holds',
  description:
    'Shows machine, time span, jobs, runtimes, widths, offered load and queues of a job log in Standard Workload ' +
    'Format, or of a model. Times are seconds.',
  positionals: [{ ...FILE, meaning: `${FILE.meaning} or a model` }],
  options: { sort: SETTING_OPTIONS.sort, ...COMMON_OPTIONS },
  examples: [
    ['gridalloc trace info log.swf.gz', 'a log'],
    ["gridalloc trace info 'lublin99[jobs=1000]'", 'a model'],
  ],
  load: async () => ({ run: (await load()).info }),
};

const check: Command = {
  name: 'trace check',
  summary: 'find all that is wrong with a job log',
  description:
    'Lists every kind of problem of a job log, how often and where. Exit code 2 if the log cannot be read because of ' +
    'one (an error), 0 if it can (warnings only).',
  positionals: [FILE],
  options: {
    sort: { ...SETTING_OPTIONS.sort, describe: 'count submit times out of order as a warning' },
    ...COMMON_OPTIONS,
  },
  examples: [['gridalloc trace check log.swf.gz', 'all problems with line numbers']],
  load: async () => ({ run: (await load()).check }),
};

/** What changes a log, but for the sites. */
const RESHAPING = Object.fromEntries(
  ['preset', 'filter', 'sort', 'home', 'rc', 'max-width', 'oversize', 'arrival-scale', 'runtime-scale'].map(
    (name) => [name, SETTING_OPTIONS[name]],
  ),
);

const convert: Command = {
  name: 'trace convert',
  summary: 'filter, sort, split or scale a job log',
  description:
    'Reads a job log or a model and writes a log. Filters and sorting keep all fields of the records. With --home, ' +
    '--sites, --rc, --max-width, --oversize or a scale the jobs are written as a simulation would take them: times, processors, estimates, ' +
    'and the home site as queue number; other fields become -1.',
  positionals: [{ name: 'IN', meaning: 'IN: the log to read (IN.swf, IN.swf.gz, -) or a model' }, OUT],
  options: {
    ...RESHAPING,
    sites: { ...SETTING_OPTIONS.sites, default: 'those of the preset, else any that hold the jobs' },
    ...COMMON_OPTIONS,
  },
  examples: [
    ['gridalloc trace convert log.swf.gz first.swf --filter first=1000', 'a piece of a log'],
    ['gridalloc trace convert log.swf sorted.swf.gz --sort', 'sorted by submit time, compressed'],
    ['gridalloc trace convert log.swf.gz narrow.swf --preset shih2010 --rc 0.5', 'wide jobs cut into pieces'],
  ],
  load: async () => ({ run: (await load()).convert }),
};

const generate: Command = {
  name: 'trace generate',
  summary: 'write the jobs of a workload model as a log',
  description:
    'Writes the jobs of a model as a job log. The same parameters give the same jobs on every machine. The models and ' +
    'their parameters are listed by gridalloc trace models.',
  positionals: [{ name: 'MODEL', meaning: 'a MODEL, such as lublin99[jobs=1000]' }, OUT],
  options: COMMON_OPTIONS,
  examples: [
    ["gridalloc trace generate 'lublin99[aarr=9.5,jobs=30000,seed=2]' jobs.swf.gz", 'a compressed log'],
    ['gridalloc trace generate feitelson96 - | head', 'to standard output'],
  ],
  load: async () => ({ run: (await load()).generate }),
};

const models: Command = {
  name: 'trace models',
  summary: 'list the workload models and their parameters',
  description: 'Lists the workload models, their parameters, defaults and ranges.',
  positionals: [],
  options: COMMON_OPTIONS,
  examples: [['gridalloc trace models', 'a table']],
  load: async () => ({ run: (await load()).models }),
};

const presets: Command = {
  name: 'trace presets',
  summary: 'list the presets: job selections and sites of papers',
  description:
    'Lists what --preset takes: which records it keeps, where jobs are at home, how large the sites are.',
  positionals: [],
  options: COMMON_OPTIONS,
  examples: [['gridalloc trace presets', 'a table']],
  load: async () => ({ run: (await load()).presets }),
};

/** The commands `gridalloc trace ...`. */
export const TRACE_COMMANDS: readonly Command[] = [info, check, convert, generate, models, presets];
