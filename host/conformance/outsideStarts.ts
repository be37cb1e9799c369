/** Another simulator on the conformance set: a command of the user's, run for each log, and the starts that it writes. */
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { FunctionError, InputError } from '../errors.js';
import { quoteText, shellWord } from '../trace/quote.js';
import { conformanceLog, type Starts } from './conformanceSet.js';

/** What stands for something else in the command; it names its log and its output, and one of the others. */
const PLACES = ['log', 'processors', 'sites', 'out'] as const;

/** Fields of a record in the Standard Workload Format. */
const SWF_FIELDS = 18;

/** Characters of what a command complains of that are kept. */
const COMPLAINT = 2000;

/** Whether a command takes several sites too. */
export function takesSites(command: string): boolean {
  return command.includes('{sites}');
}

/**
 * Checks a command before it is run.
 * @throws InputError if it does not say where a log, its processors or the output go, or has an unknown place.
 */
export function checkCommand(command: string): void {
  const unknown = [...command.matchAll(/\{(\w+)\}/g)].find(
    ([, name]) => !PLACES.some((each) => each === name),
  );
  if (unknown !== undefined) {
    throw new InputError(
      `--against: ${unknown[0]} is unknown; known are {log}, {processors}, {sites} and {out}`,
    );
  }
  const lacking = ['{log}', '{out}'].find((place) => !command.includes(place));
  if (lacking !== undefined)
    throw new InputError(`--against: the command lacks ${lacking}; see gridalloc conformance --help`);
  if (!takesSites(command) && !command.includes('{processors}')) {
    throw new InputError(
      '--against: the command lacks {processors} (or {sites}, such as 4,2); see gridalloc conformance --help',
    );
  }
}

/**
 * Runs a command for a log, through the shell, and reads the starts that it writes.
 * @param folder for the output.
 * @param log its name, its sites and how many jobs it has.
 * @param mayLack whether jobs may be left out.
 * @throws FunctionError for a command that fails, and for output that is not there, cannot be read or lacks jobs.
 */
export async function outsideStarts(
  command: string,
  log: { readonly name: string; readonly sites: readonly number[]; readonly jobs: number },
  folder: string,
  mayLack: boolean,
  signal: AbortSignal,
): Promise<Starts> {
  const out = join(folder, `${log.name}.out`);
  const words: Record<(typeof PLACES)[number], string> = {
    log: conformanceLog(log.name),
    processors: String(log.sites.reduce((sum, each) => sum + each, 0)),
    sites: log.sites.join(','),
    out,
  };
  const line = command.replaceAll(/\{(\w+)\}/g, (_, name: keyof typeof words) => shellWord(words[name]));
  const fault = await runInShell(line, signal);
  signal.throwIfAborted();
  if (fault !== undefined) throw new FunctionError(`--against: the command fails on ${log.name}: ${fault}`);
  const text = await readFile(out, 'utf8').catch(() => undefined);
  if (text === undefined) throw new FunctionError(`--against: the command writes no {out} for ${log.name}`);
  const starts = readStarts(text, log.name, log.jobs);
  const lacking = starts.indexOf(null);
  if (lacking >= 0 && !mayLack) {
    throw new FunctionError(
      `--against: what the command writes for ${log.name} has no start of job ${lacking + 1}`,
    );
  }
  return starts;
}

/** Runs a line to its end; why it failed, if it did. What it prints is not shown. */
function runInShell(line: string, signal: AbortSignal): Promise<string | undefined> {
  return new Promise((resolve) => {
    // A group of its own, so that all that the shell has started ends with it.
    const child = spawn(line, { shell: true, detached: true, stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    const stop = () => {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
    };
    signal.addEventListener('abort', stop, { once: true });
    child.stderr.on('data', (chunk) => {
      said = `${said}${chunk}`.slice(-COMPLAINT);
    });
    child.on('error', ({ message }) => resolve(message));
    child.on('close', (code, ended) => {
      signal.removeEventListener('abort', stop);
      const last = said.trim().split('\n').at(-1) ?? '';
      const how = code === null ? `ended by ${ended}` : `exit code ${code}`;
      resolve(code === 0 ? undefined : last === '' ? how : `${how}, ${last}`);
    });
  });
}

/** The starts in a text: records of SWF, which have a wait, or lines of a job number and a start; below 0 is none. */
function readStarts(text: string, name: string, jobs: number): Starts {
  const starts: (number | null)[] = Array.from({ length: jobs }, () => null);
  const seen = new Set<number>();
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  const meant = lines.filter((line) => line !== '' && !/^[;#]/.test(line));
  // A heading.
  if (Number.isNaN(Number(meant[0]?.split(/[\s,;]+/)[0]))) meant.shift();
  for (const line of meant) {
    const fields = line.split(/[\s,;]+/).map(Number);
    const [job = Number.NaN, second = Number.NaN, wait = Number.NaN] = fields;
    const isRecord = fields.length === SWF_FIELDS;
    const isKnown = Number.isInteger(job) && job >= 1 && job <= jobs && !seen.has(job);
    if (!(isRecord || fields.length === 2) || !isKnown || fields.slice(0, 3).some(Number.isNaN)) {
      throw new FunctionError(
        `--against: the command writes ${quoteText(line)} for ${name}; expected a job from 1 to ${jobs}, each once, and its start, or a record of SWF`,
      );
    }
    seen.add(job);
    const isRun = isRecord ? wait >= 0 : second >= 0;
    if (isRun) starts[job - 1] = isRecord ? second + wait : second;
  }
  return starts;
}
