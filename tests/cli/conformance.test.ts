import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  type JobStartTimes,
  readConformanceSet,
  startTimesRequiredByRule,
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
function testSimulatorCommand(
  rule: string,
  outputForm: string,
  placeholder = '{processors}',
  habitAnswer = 0,
): string {
  const knownStartsFolder = mkdtempSync(join(folder, 'known-'));
  const write = (name: string, starts: JobStartTimes) =>
    writeFileSync(join(knownStartsFolder, name), startLinesInForm(starts, outputForm));
  const startsOfFirstRule = (conformanceCase: (typeof conformanceSet.cases)[number]) =>
    startTimesRequiredByRule(conformanceSet, conformanceCase, 'fcfs') ?? conformanceCase.answers[0]!.starts;
  for (const conformanceCase of conformanceSet.cases)
    write(
      conformanceCase.name,
      startTimesRequiredByRule(conformanceSet, conformanceCase, rule) ?? startsOfFirstRule(conformanceCase),
    );
  for (const { name, answers } of conformanceSet.habits) write(name, answers[habitAnswer]!.starts);
  return `cp ${knownStartsFolder}/$(basename {log} .swf) {out} # ${placeholder}`;
}

function startLinesInForm(starts: JobStartTimes, outputForm: string): string {
  const lines = starts.flatMap((start, k) => {
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
async function errorMessageOf(command: string): Promise<string> {
  const { code, out, err } = await runProgramInProcess(['conformance', '--against', command, '--quiet']);
  expect([code, out, err.trim().split('\n').length]).toEqual([1, '', 1]);
  return err;
}

async function conformanceAnswersOf(command: string) {
  const { code, out } = await runProgramInProcess(['conformance', '--against', command, '--json', '--quiet']);
  expect(code).toBe(0);
  return JSON.parse(out);
}

test('cases and rules, with the options that gridalloc has for them', async () => {
  const { code, out } = await runProgramInProcess(['conformance']);
  expect(code).toBe(0);
  for (const { name } of [...conformanceSet.cases, ...conformanceSet.habits])
    expect(out).toContain(`\n${name} `);
  expect(out).toContain('--reservations kept');
  const { cases, habits } = JSON.parse((await runProgramInProcess(['conformance', '--json'])).out);
  expect([...cases, ...habits].filter(({ log }: { log: string }) => !existsSync(log))).toEqual([]);
});

/** Each run of the command starts one shell per log. */
describe('a simulator', { timeout: 180_000 }, () => {
  test('of several sites, which writes SWF', async () => {
    const { cases, machine, sites } = await conformanceAnswersOf(
      testSimulatorCommand('sites-kept', 'swf', '{sites}'),
    );
    expect(cases.length).toBe(conformanceSet.cases.length);
    expect(machine.rules).toEqual(['fcfs']);
    expect(sites.rules).toEqual(['sites-kept']);
  });

  test('a simulator of one machine, described with its habits', async () => {
    const command = testSimulatorCommand('easy start', 'table', '{processors}', 1);
    const { code, out } = await runProgramInProcess(['conformance', '--against', command, '--quiet']);
    expect(code).toBe(0);
    expect(out).toContain(
      'In all 31 cases of one machine its starts are those of\n  EASY, one pass per event, ends in order of start\n',
    );
    expect(out).toContain('  jobs end at their estimates\n  jobs with a runtime of 0 take a second\n');
  });

  test('a simulator that follows no rule: the nearest rules, and every case', async () => {
    const { code, out } = await runProgramInProcess([
      'conformance',
      '--against',
      testSimulatorCommand('fcfs', 'late'),
      '--quiet',
    ]);
    expect(code).toBe(0);
    expect(out).toContain('No rule gives its starts in all');
    expect(out).toMatch(/\npassing +1 2 2 +none\n/);
    expect(out).toContain('killed: starts 1 3, which none of the known habits gives');
  });

  test.each([
    ['short', 'what the command writes for passing has no start of job 3'],
    ['words', 'the command writes "1 soon" for passing; expected a job from 1 to 3'],
    ['twice', 'the command writes "1 0" for passing; expected a job from 1 to 3'],
  ])('whose output is wrong: %s', async (outputForm, message) => {
    expect(await errorMessageOf(testSimulatorCommand('fcfs', outputForm))).toContain(
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
    expect(await errorMessageOf(`${command} # {log} {processors} {out}`)).toContain(message);
  });

  test.each([
    ['simulator {log} {processors}', 'lacks {out}'],
    ['simulator {processors} {out}', 'lacks {log}'],
    ['simulator {log} {out}', 'lacks {processors}'],
    ['simulator {log} {processors} {output}', '{output} is unknown'],
  ])('with wrong options: %s', async (command, message) => {
    const { code, err } = await runProgramInProcess(['conformance', '--against', command]);
    expect(code).toBe(2);
    expect(err).toContain(message);
  });

  test('an interrupted simulator ends', async () => {
    const interruption = new AbortController();
    const command = `sleep 600; ${testSimulatorCommand('fcfs', 'table')}`;
    setTimeout(() => interruption.abort(new Error('stop')), 300);
    // The simulator sleeps longer than the test's timeout, so only the interruption can end it.
    const { code } = await runProgramInProcess(['conformance', '--against', command], {
      signal: interruption.signal,
    });
    expect(code).toBe(1);
  });
});
