/** From a setup to jobs, a grid and configurations, by the rules and with the sentences of the command line. */
import { InputError } from '../../../host/errors.js';
import { optionWords } from '../../../host/options/document.js';
import { OPTIONS } from '../../../host/options/options.js';
import { leftOutSentences } from '../../../host/show/traceText.js';
import { experimentOn, type Experiment as Prepared, withMethod } from '../../../host/simulate/experiment.js';
import type { FormatName } from '../../../host/trace/formats.js';
import { shellWord } from '../../../host/trace/quote.js';
import { parseTrace } from '../../../host/trace/readText.js';
import type { Trace } from '../../../host/trace/trace.js';
import { isModelText, makeModelTrace } from '../../../host/workload/models.js';
import type { Setup, Texts } from '../protocol.js';

/** A log as it was given. */
export interface GivenLog {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** A setup made ready. */
export interface Experiment extends Prepared {
  readonly setup: Setup;
}

/** Logs that have been read, so that another policy costs no second reading. */
let last: { readonly key: string; readonly log: GivenLog | null; readonly trace: Trace } | undefined;

function traceOf(options: Texts, log: GivenLog | null): Trace {
  const { workload, format, sort, 'skip-bad-lines': skip } = options;
  const key = JSON.stringify([workload, format, sort, skip]);
  if (last?.key === key && last.log === log) return last.trace;
  last = { key, log, trace: readTrace(options, log) };
  return last.trace;
}

function readTrace({ workload, format, sort, 'skip-bad-lines': skip }: Texts, log: GivenLog | null): Trace {
  if (isModelText(workload) || /^\w+\[.*\]$/.test(workload)) return makeModelTrace(workload);
  if (log === null || log.name !== workload) {
    throw new InputError(`${workload} is not here; drop the log on this page, or choose a model of jobs`);
  }
  return parseTrace(log.bytes, {
    source: log.name,
    format: format as FormatName | undefined,
    sort: sort === 'true',
    skipBadLines: skip === 'true',
  });
}

function checkNames(texts: Texts): void {
  for (const name of Object.keys(texts)) {
    if (!Object.hasOwn(OPTIONS, name)) throw new InputError(`there is no option --${name}`);
  }
}

/** The option that is not offered, since it would give every run submits of its own. */
export const LEFT_OUT = 'dependencies';

/**
 * Reads everything that a setup names and checks it, before anything runs.
 * @throws InputError as the command line prints it.
 */
export function prepare(setup: Setup, log: GivenLog | null): Experiment {
  const { workload: source, ...others } = setup.options;
  if (LEFT_OUT in others) {
    throw new InputError(
      `--${LEFT_OUT} is for the command line: runs beside each other have the same submits here`,
    );
  }
  for (const texts of [others, ...setup.methods]) checkNames(texts);
  const settings = withMethod({ workload: source }, others);
  const trace = traceOf(setup.options, log);
  const experiment = experimentOn(settings, trace, setup.methods, { processorSets: true });
  return { ...experiment, setup, remarks: [...leftOutSentences(trace), ...experiment.remarks] };
}

/** The command that does the same with one method. */
export function simulateCommand({ setup, loaded }: Experiment, method: Texts): string {
  const { workload: _, ...options } = setup.options;
  const source = isModelText(setup.options.workload) ? loaded.source : setup.options.workload;
  const words = [source, ...optionWords({ ...options, ...method }), '--json'];
  return `gridalloc simulate ${words.map(shellWord).join(' ')}`;
}

/** How people call a method: what of it is not usual. */
export function labelOf({ policy, discipline, order, ...others }: Texts): string {
  const rest = Object.entries(others).map(([name, text]) => `${name} ${text}`);
  const parts = [policy, discipline, order && `order ${order}`, ...rest];
  const said = parts.filter((part) => part !== undefined && part !== '' && part !== 'fcfs');
  return said.length === 0 ? 'fcfs' : said.join(', ');
}
