/** The conformance set: logs of a few jobs, each with the starts that the rules of backfilling give. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readTrace } from '../files/readTrace.js';
import { experimentOn, withMethod } from '../simulate/experiment.js';
import { Simulator } from '../simulate/simulator.js';
import { jobNames } from '../workload/workload.js';

/** Starts in the order of the log, in seconds; null for a job that did not run. */
export type Starts = readonly (number | null)[];

/** A rule of backfilling. */
export interface ConformanceRule {
  readonly title: string;
  /** The options of gridalloc that ask for it, by name; none has what only other simulators do. */
  readonly options?: Readonly<Record<string, string>>;
}

/** A log, and the sites that it is for: one machine, or several. */
export interface ConformanceLog {
  readonly name: string;
  /** Processors of each site. */
  readonly sites: readonly number[];
  /** What happens in it, and what that shows. */
  readonly why: string;
}

/** A log that tells rules apart. */
export interface ConformanceCase extends ConformanceLog {
  /** The two rules or families, as they are named, that it was made for; no smaller log tells them apart. */
  readonly tells: readonly [string, string];
  /** The starts of the rules, these by family: all of it, or the words behind its name. */
  readonly answers: readonly {
    readonly starts: readonly number[];
    readonly rules: Readonly<Record<string, 'all' | readonly string[]>>;
  }[];
}

/** A log that shows what is done with some records, whatever the rule. */
export interface ConformanceHabit extends ConformanceLog {
  readonly answers: readonly { readonly starts: Starts; readonly title: string }[];
}

/** The file `traces/conformance/conformance.json`. */
export interface ConformanceSet {
  /** By name: a family, or a family, a blank and what is done at an instant. */
  readonly rules: Readonly<Record<string, ConformanceRule>>;
  readonly cases: readonly ConformanceCase[];
  readonly habits: readonly ConformanceHabit[];
}

const FOLDER = new URL('../../traces/conformance/', import.meta.url);

/** Reads the set that comes with the program. */
export function readConformanceSet(): ConformanceSet {
  return JSON.parse(readFileSync(new URL('conformance.json', FOLDER), 'utf8'));
}

/** The path of a log. */
export function conformanceLog(name: string): string {
  return fileURLToPath(new URL(`${name}.swf`, FOLDER));
}

/** The names of the rules that give an answer to a case. */
export function rulesOfAnswer(
  { rules }: ConformanceSet,
  answer: ConformanceCase['answers'][number],
): string[] {
  return Object.keys(rules).filter((name) => {
    const [family, timing] = name.split(' ');
    const given = answer.rules[family];
    return given === 'all' || given?.includes(timing) === true;
  });
}

/** What a rule is to give; undefined where the case asks nothing of it. */
export function startsByRule(
  set: ConformanceSet,
  { answers }: ConformanceCase,
  rule: string,
): readonly number[] | undefined {
  return answers.find((answer) => rulesOfAnswer(set, answer).includes(rule))?.starts;
}

/**
 * The starts of gridalloc itself, for each of some options.
 * @param asked options of a simulation, by name, as texts.
 * @throws InputError for options that do not go together.
 */
export async function ownStarts(
  { name, sites }: ConformanceLog,
  asked: readonly Readonly<Record<string, string>>[],
): Promise<Starts[]> {
  const path = conformanceLog(name);
  const trace = await readTrace(path);
  return asked.map((options) => {
    const settings = withMethod({ workload: path }, { sites: sites.join(','), home: 'none', ...options });
    const { workload, configurations } = experimentOn(settings, trace, [{}]);
    const simulator = new Simulator(workload);
    simulator.begin(configurations[0]);
    simulator.run();
    const { start } = simulator.schedule();
    const names = jobNames(workload);
    return Array.from({ length: trace.count }, (_, k) => start[names.indexOf(String(k + 1))] ?? null);
  });
}
