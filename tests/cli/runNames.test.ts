import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { listAllocatorDeclarations } from '../../host/core/policies.js';
import { RUN_OPTIONS } from '../../host/options/runOptions.js';
import { drawFolder } from '../../host/reports/savedReport.js';
import { makeTestSampler } from '../cases.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';
import { makeSwfRecord, runProgramInProcess, writeLogFile } from './runProgram.js';

/**
 * Output, report and replications must name the settings of a run in the same words, for every kind
 * of run.
 */

const logFile = writeLogFile(
  [
    '; MaxProcs: 8',
    ...Array.from({ length: 6 }, (_, i) => makeSwfRecord(i + 1, i, 50 + i, 4, 1 + (i % 2), 60)),
  ].join('\n'),
);

/**
 * Kinds of run: their command-line words, and the displayed name of what chooses the sites of jobs (undefined
 * without a choice).
 */
const METHOD_KINDS: Readonly<
  Record<string, readonly [words: readonly string[], chooser: string | undefined]>
> = {
  'one site': [[], undefined],
  'one site with a policy': [['--policy', 'ti'], undefined],
  'one site with a policy that tries others': [['--policy', 'dynamic[candidates=best-fit]'], 'dynamic'],
  'two sites': [['--sites', '8,8'], 'best-fit'],
  'two sites with a policy': [['--sites', '8,8', '--policy', 'fastest-first'], 'fastest-first'],
  'two sites by themselves': [['--sites', '8,8', '--home', 'queue', '--queue', 'independent'], undefined],
  'jobs on several sites': [['--sites', '8,8', '--multi-site', 'adaptive'], 'best-fit'],
  'jobs that are made narrower': [['--moldable', 'down'], 'moldable jobs (down)'],
};

/** Disciplines that choose sites themselves unless a policy is set. */
const SITE_CHOOSING_DISCIPLINES = ['easy', 'conservative'];

const isSampledForTesting = makeTestSampler(3);

describe.each(RUN_OPTIONS.discipline.choices ?? [])('%s', (discipline) => {
  const kinds = Object.entries(METHOD_KINDS).filter(isSampledForTesting);
  test.each(kinds)('%s', async (_, [words, chooser]) => {
    const commandWords = ['simulate', logFile, '--discipline', discipline, ...words];
    const { exitCode, stdout, stderr } = await runProgramInProcess(commandWords);
    // Invalid combinations of options are tested elsewhere.
    if (exitCode === 2) {
      expect(stderr).toMatch(/--(?:moldable|multi-site|policy|queue|discipline) /);
      return;
    }
    const [name] = stdout.split(' on ');
    const policiesInRunName = listAllocatorDeclarations().filter((policyDeclaration) =>
      name.split(/[\s,]+/).includes(policyDeclaration.name),
    );
    if (words.includes('--sites')) expect(policiesInRunName.length).toBeLessThan(2);
    else expect(policiesInRunName).toEqual([]);
    const usesCustomPolicy = SITE_CHOOSING_DISCIPLINES.includes(discipline) && !words.includes('--policy');
    if (chooser !== undefined && !usesCustomPolicy) expect(name).toContain(chooser);
    const isDisciplineInName = discipline !== 'fcfs' || chooser === undefined;
    if (isDisciplineInName && !words.includes('--moldable')) expect(name).toContain(discipline);
    // The line of settings lists every non-default setting that the method's name does not contain.
    const changedSettingsLine = /^set: .*$/m.exec(stdout)?.[0] ?? '';
    expect(changedSettingsLine.includes(`discipline ${discipline}`)).toBe(
      discipline !== 'fcfs' && !name.startsWith(discipline),
    );
    const folder = join(makeTemporaryFolder(), 'results');
    expect((await runProgramInProcess([...commandWords, '--out', folder])).exitCode).toBe(0);
    expect((await drawFolder(folder)).report.title).toContain(`${name} on `);
    const resultOfReplications = await runProgramInProcess([
      ...commandWords,
      '--replications',
      '2',
      '--threads',
      '1',
    ]);
    // Long lines are wrapped, so breaks are replaced by blanks.
    expect(resultOfReplications.stdout.replaceAll('\n', ' ')).toContain(` ${name}: 2 `);
  });
});

test('the default discipline is named too', async () => {
  expect((await runProgramInProcess(['simulate', logFile])).stdout).toMatch(/^fcfs on /);
});
