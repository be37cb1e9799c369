import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  findStartTimesRequiredByRule,
  type JobStartTimes,
  readConformanceSet,
} from '../../host/conformance/conformanceSet.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';
import { runProgramInProcess } from './runProgram.js';

/**
 * Tests `gridalloc conformance`: with the built-in simulator, and with commands that print the start times of
 * a scheduling rule.
 */

const conformanceSet = readConformanceSet();
const folder = makeTemporaryFolder();
/**
 * Shell command of a fake simulator that prints the start times of a scheduling rule in a given format, and
 * those of FCFS for logs outside the rule. `habitAnswer` selects one of its deliberate errors.
 */
function makeTestSimulatorCommand(
  rule: string,
  outputForm: string,
  placeholder = '{processors}',
  habitAnswer = 0,
): string {
  const knownStartsFolder = mkdtempSync(join(folder, 'known-'));
  const writeStarts = (fileName: string, startTimes: JobStartTimes) =>
    writeFileSync(join(knownStartsFolder, fileName), formatStartLines(startTimes, outputForm));
  const startTimesByFirstRule = (conformanceCase: (typeof conformanceSet.cases)[number]) =>
    findStartTimesRequiredByRule(conformanceSet, conformanceCase, 'fcfs') ??
    conformanceCase.answers[0]!.starts;
  for (const conformanceCase of conformanceSet.cases)
    writeStarts(
      conformanceCase.name,
      findStartTimesRequiredByRule(conformanceSet, conformanceCase, rule) ??
        startTimesByFirstRule(conformanceCase),
    );
  for (const { name: logName, answers } of conformanceSet.habits)
    writeStarts(logName, answers[habitAnswer]!.starts);
  return `cp ${knownStartsFolder}/$(basename {log} .swf) {out} # ${placeholder}`;
}

function formatStartLines(startTimes: JobStartTimes, outputForm: string): string {
  const lines = startTimes.flatMap((start, k) => {
    if (start === null) return [];
    if (outputForm === 'swf') return [`${k + 1} 0 ${start} 1 1 -1 -1 1 1 -1 1 1 1 -1 1 1 -1 -1`];
    return [outputForm === 'late' ? `${k + 1} ${start + 1}` : `${k + 1},${start}`];
  });
  if (outputForm === 'table') lines.unshift('job,start');
  if (outputForm === 'short') lines.pop();
  if (outputForm === 'words') lines.push('1 soon');
  if (outputForm === 'twice') lines.push('1 0');
  return `${lines.join('\n')}\n`;
}

/** Error message, joined to one line, for a simulator command that fails. */
async function findErrorMessageOf(command: string): Promise<string> {
  const { exitCode, stdout, stderr } = await runProgramInProcess([
    'conformance',
    '--against',
    command,
    '--quiet',
  ]);
  expect([exitCode, stdout, stderr.trim().split('\n').length]).toEqual([1, '', 1]);
  return stderr;
}

async function runAndReadConformanceAnswers(command: string) {
  const { exitCode, stdout } = await runProgramInProcess([
    'conformance',
    '--against',
    command,
    '--json',
    '--quiet',
  ]);
  expect(exitCode).toBe(0);
  return JSON.parse(stdout);
}

test('cases and rules, with the options that gridalloc has for them', async () => {
  const { exitCode, stdout } = await runProgramInProcess(['conformance']);
  expect(exitCode).toBe(0);
  for (const { name: logName } of [...conformanceSet.cases, ...conformanceSet.habits])
    expect(stdout).toContain(`\n${logName} `);
  expect(stdout).toContain('--reservations kept');
  const { cases, habits } = JSON.parse((await runProgramInProcess(['conformance', '--json'])).stdout);
  expect([...cases, ...habits].filter(({ log }: { log: string }) => !existsSync(log))).toEqual([]);
});

/** Each run of the command starts one shell per log. */
describe('a simulator', { timeout: 180_000 }, () => {
  test('of several sites, which writes SWF', async () => {
    const { cases, machine, sites } = await runAndReadConformanceAnswers(
      makeTestSimulatorCommand('sites-kept', 'swf', '{sites}'),
    );
    expect(cases.length).toBe(conformanceSet.cases.length);
    expect(machine.rules).toEqual(['fcfs']);
    expect(sites.rules).toEqual(['sites-kept']);
  });

  test('a simulator of one machine, described with its habits', async () => {
    const command = makeTestSimulatorCommand('easy start', 'table', '{processors}', 1);
    const { exitCode, stdout } = await runProgramInProcess(['conformance', '--against', command, '--quiet']);
    expect(exitCode).toBe(0);
    expect(stdout).toContain(
      'In all 31 cases of one machine its starts are those of\n  EASY, one pass per event, ends in order of start\n',
    );
    expect(stdout).toContain('  jobs end at their estimates\n  jobs with a runtime of 0 take a second\n');
  });

  test('a simulator that follows no rule: the nearest rules, and every case', async () => {
    const { exitCode, stdout } = await runProgramInProcess([
      'conformance',
      '--against',
      makeTestSimulatorCommand('fcfs', 'late'),
      '--quiet',
    ]);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('No rule gives its starts in all');
    expect(stdout).toMatch(/\npassing +1 2 2 +none\n/);
    expect(stdout).toContain('killed: starts 1 3, which none of the known habits gives');
  });

  test.each([
    ['short', 'what the command writes for passing has no start of job 3'],
    ['words', 'the command writes "1 soon" for passing; expected a job from 1 to 3'],
    ['twice', 'the command writes "1 0" for passing; expected a job from 1 to 3'],
  ])('whose output is wrong: %s', async (outputForm, message) => {
    expect(await findErrorMessageOf(makeTestSimulatorCommand('fcfs', outputForm))).toContain(
      `gridalloc: --against: ${message}`,
    );
  });

  test.each([
    [
      'echo first >&2; echo no such queue >&2; exit 3',
      'the command fails on passing: exit code 3, no such queue',
    ],
    ['kill -9 $$', 'the command fails on passing: ended by SIGKILL'],
    ['true', 'the command writes no {out} for passing'],
  ])('that fails: %s', async (command, message) => {
    expect(await findErrorMessageOf(`${command} # {log} {processors} {out}`)).toContain(message);
  });

  test.each([
    ['simulator {log} {processors}', 'lacks {out}'],
    ['simulator {processors} {out}', 'lacks {log}'],
    ['simulator {log} {out}', 'lacks {processors}'],
    ['simulator {log} {processors} {output}', '{output} is unknown'],
  ])('with wrong options: %s', async (command, message) => {
    const { exitCode, stderr } = await runProgramInProcess(['conformance', '--against', command]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(message);
  });

  test('an interrupted simulator ends', async () => {
    const interruptionController = new AbortController();
    const command = `sleep 600; ${makeTestSimulatorCommand('fcfs', 'table')}`;
    setTimeout(() => interruptionController.abort(new Error('stop')), 300);
    // The simulator sleeps longer than the test's timeout, so only the interruption can end it.
    const { exitCode } = await runProgramInProcess(['conformance', '--against', command], {
      signal: interruptionController.signal,
    });
    expect(exitCode).toBe(1);
  });
});
