/** What is needed to run a simulation again, as config.json keeps it, and reading it back. */

import { basename, dirname, join } from 'node:path';
import { copyName, readCode } from '../code/read.js';
import { InputError } from '../errors.js';
import { coreSha256, useCoreFile } from '../files/coreFile.js';
import { hashJobs } from '../files/hash.js';
import type { Grid } from '../grid/grid.js';
import { isCodeName, TAKING_CODE } from '../options/code.js';
import type { Configuration } from '../options/configuration.js';
import { codeOf, printRun, runDocument, usualTexts } from '../options/document.js';
import { JOB_KEYS, OPTIONS, type Settings } from '../options/options.js';
import { printPerturb } from '../options/perturb.js';
import { optionWords } from '../options/words.js';
import { CONFIG_FILE, readDocument } from '../results/folder.js';
import { readProvenance } from '../results/provenance.js';
import { homeRuleOf, perturbationOf } from '../simulate/prepare.js';
import { sourceWord } from '../trace/quote.js';
import { Arguments } from './arguments.js';
import { checkBroughtCode } from './code.js';
import type { CommandExperiment } from './experiment.js';
import { coreWords } from './options.js';
import { optionTexts } from './workload.js';

/** Every option that decides the results, with defaults filled in: numbers in full, drawn speeds as numbers. */
function decidingWords(
  args: Arguments,
  { settings, trace, grid }: CommandExperiment,
  configuration: Configuration,
  out: string,
): string[] {
  const { speeds: _, heterogeneity: __, perturb: ___, ...given } = optionTexts(args);
  const texts: Record<string, string> = {
    ...usualTexts(JOB_KEYS),
    ...given,
    ...perturbTexts(settings),
    home: homeRuleOf(settings, trace),
    sites: grid.capacities.join(','),
    ...speedTexts(grid),
    ...printRun(configuration),
  };
  for (const file of codeOf(configuration)) {
    for (const name in texts) if (texts[name] === file.name) texts[name] = join(out, copyName(file));
  }
  return optionWords(texts);
}

/** How the jobs are changed, seeds as in the first replication. Drawn speeds are numbers, which stay. */
function perturbTexts(settings: Settings): Record<string, string> {
  const jobs = perturbationOf(settings);
  return jobs === undefined ? {} : { perturb: printPerturb({ jobs, speeds: false }) };
}

/** Speeds, or the time factors from which they come. */
function speedTexts({ speeds, timeFactors }: Grid): Record<string, string> {
  return timeFactors === undefined ? { speeds: speeds.join(',') } : { heterogeneity: timeFactors.join(',') };
}

/**
 * The document config.json: versions, the command to run again, and the same in parts.
 * @param out the folder that it is for, with copies of files with functions.
 */
export function configDocument(
  args: Arguments,
  experiment: CommandExperiment,
  configuration: Configuration,
  out: string,
): object {
  const { workload, grid, source, trace } = experiment;
  const command = [
    'simulate',
    source,
    ...coreWords(args),
    ...decidingWords(args, experiment, configuration, out),
  ];
  const code = codeOf(configuration).map((file) => ({ file: copyName(file), sha256: file.sha256 }));
  return {
    ...readProvenance(),
    command: ['gridalloc', ...command],
    shell: ['gridalloc', ...command.map(sourceWord)].join(' '),
    workload: {
      source,
      jobs: workload.count,
      jobsSha256: hashJobs(workload),
      machine: trace.header.maxProcessors,
      accounting: workload.accounting,
    },
    grid,
    ...runDocument(configuration),
    ...(code.length === 0 ? {} : { code }),
  };
}

/** A simulation to be run again. */
export interface Rerun {
  /** The log or model; `-` for standard input. */
  readonly source: string;
  /** Its options, with the log or model as a word. */
  readonly args: Arguments;
  readonly jobsSha256: string;
}

/**
 * Reads what `configDocument` has written, with the functions of the folder, and has the core run that ran then.
 * @param path of the document, or the folder that holds it.
 * @param given may name another core, and functions in the place of the folder's.
 * @param use what is shown only takes no leave to run functions.
 * @throws InputError for another document, for functions that may not run or were changed since, and where a core of the
 * user's own is gone or was built anew.
 */
export async function readRerun(path: string, given: Arguments, use: 'run' | 'show'): Promise<Rerun> {
  const folder = path.endsWith('.json') ? dirname(path) : path;
  const file = path.endsWith('.json') ? path : join(path, CONFIG_FILE);
  const document = await readDocument(file);
  if (document === undefined) {
    throw new InputError(
      `${folder} holds no ${basename(file)}; give a folder that gridalloc simulate --out has written`,
    );
  }
  const {
    command,
    coreSha256: hash,
    workload,
    code = [],
  } = (document ?? {}) as {
    command?: unknown;
    code?: readonly CodeCopy[];
    coreSha256?: unknown;
    workload?: { jobsSha256?: unknown };
  };
  const [, verb, source, ...words] = Array.isArray(command) ? command.map(String) : [];
  const jobsSha256 = workload?.jobsSha256;
  if (verb !== 'simulate' || source === undefined || typeof jobsSha256 !== 'string') {
    throw new InputError(
      `${file} does not say how to run a simulation again; give a folder that gridalloc simulate --out has written`,
    );
  }
  const args = new Arguments(optionsIn(await withCopies(words, code, folder, file)), [source]);
  if (use === 'run') {
    const named = TAKING_CODE.filter((name) => given.has(name));
    const brought = named.reduce((left, name) => left.without(name), args);
    checkBroughtCode(folder, brought, given.has('allow-code'));
  }
  const core = args.text('core');
  if (core !== undefined && !given.has('core')) useEarlierCore(core, hash, file);
  return { source, args, jobsSha256 };
}

/** A file with functions as config.json names it. */
interface CodeCopy {
  readonly file: string;
  readonly sha256: string;
}

/** The words of a command with the files of the folder where it is now, which are read. */
async function withCopies(
  words: readonly string[],
  code: readonly CodeCopy[],
  folder: string,
  config: string,
): Promise<string[]> {
  const paths = new Map<string, string>();
  for (const { file, sha256 } of code) {
    const path = join(folder, file);
    const found = await readCode(path);
    if (found.sha256 !== sha256)
      throw new InputError(
        `${path} has been changed since ${config} was written; put it back, or run the simulation again`,
      );
    paths.set(basename(file), path);
  }
  return words.map((word) => (isCodeName(word) ? (paths.get(basename(word)) ?? word) : word));
}

function useEarlierCore(core: string, hash: unknown, file: string): void {
  useCoreFile(core);
  if (coreSha256('release') === hash) return;
  throw new InputError(
    `${core} is not the core that ${file} names, it has changed; build it again from the same policies, or name one with --core`,
  );
}

/** Options and values as `decidingWords` writes them. */
function optionsIn(words: readonly string[]): Map<string, string[]> {
  const options = new Map<string, string[]>();
  for (let place = 0; place < words.length; place++) {
    const name = words[place].slice('--'.length);
    const values = options.get(name) ?? [];
    options.set(name, OPTIONS[name]?.isSwitch ? values : [...values, words[++place]]);
  }
  return options;
}
