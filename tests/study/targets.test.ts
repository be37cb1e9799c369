import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Report } from '../../host/view/report.js';
import { type FinishedProcessResult, runGridalloc, writeStudyFile } from '../runs/childProcess.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';
import { findTraceFilePath } from '../traces.js';

/** Published numbers and conclusions, from the study files. */

const sanDiegoLogFile = findTraceFilePath('sdsc-sp2-54041.swf.gz');
const folder = makeTemporaryFolder();

async function report(commandWords: readonly string[], resultFolder: string): Promise<Report> {
  const resultOfFinishedRun: FinishedProcessResult = await runGridalloc([
    'study',
    'run',
    ...commandWords,
    '--out',
    join(folder, resultFolder),
    '--quiet',
  ]);
  expect(resultOfFinishedRun.stderr).toBe('');
  expect(resultOfFinishedRun.exitCode).toBe(0);
  return JSON.parse(readFileSync(join(folder, resultFolder, 'report.json'), 'utf8')) as Report;
}

describe.skipIf(sanDiegoLogFile === undefined)('on the San Diego log', () => {
  test.each([
    ['shih2010-table5', '26 of 26 published cells'],
    ['shih2010-table8', '12 of 12 published cells'],
    ['shih2010-queue-lengths', '8 of 8 published cells'],
  ])('%s: every published number', async (name, evidence) => {
    const { checks } = await report([name, '--trace', sanDiegoLogFile as string], name);
    expect(checks).toEqual([expect.objectContaining({ verdict: 'confirmed', evidence })]);
  });

  test('fastest-first wins with unequal sites and low load; equal sites, whose speed vectors are all the same, are one sample', async () => {
    const studyText = `
title: The two ends
simulate:
  workload: $TRACE
  preset: shih2010
  speeds: draw[sh={sh},seed={draw}]
  load: '{load}'
  policy: '{policy}'
  time-resolution: nearest
axes:
  load: [1, 1.5, 2, 2.5, 3, 3.5, 4]
  sh: [0, 0.24]
  policy: { BF: best-fit, FF: fastest-first }
draws: { axis: draw, count: 10 }
measures:
  art: { metric: averageResponseTime }
checks:
  - { sentence: low high, measure: art, where: { sh: 0, load: [3, 3.5, 4] }, axis: policy, ascending: [BF, FF] }
  - { sentence: high low, measure: art, where: { sh: 0.24, load: [1, 1.5, 2, 2.5] }, axis: policy, ascending: [FF, BF] }
  - { sentence: false, measure: art, where: { sh: 0, load: [3, 3.5, 4] }, axis: policy, descending: [BF, FF] }
`.replace('sentence: false', 'sentence: the contrary');
    const { checks } = await report(
      [writeStudyFile(folder, studyText), '--trace', sanDiegoLogFile as string],
      'ends',
    );
    const makeExpectedConclusion = (
      confirmedCount: number,
      settings: number,
      against: number,
      undecidedCount: number,
      totalCount: number,
    ) =>
      `confirmed in ${confirmedCount} of ${settings} settings by simultaneous 95 % confidence intervals, contradicted in ${against}, open in ` +
      `${undecidedCount}; holds in every setting at once in ${totalCount} of 10 speed vectors`;
    expect(checks.map(({ verdict, evidence }) => [verdict, evidence])).toEqual([
      // All speed vectors without heterogeneity are equal.
      ['open', 'not judged: the values are the same in all 10 speed vectors, so they are one sample'],
      ['confirmed', makeExpectedConclusion(4, 4, 0, 0, 10)],
      ['open', 'not judged: the values are the same in all 10 speed vectors, so they are one sample'],
    ]);
  });

  test('a study of the San Diego log runs on another log', async () => {
    const otherLogFilePath = findTraceFilePath('synthetic-1000.swf') as string;
    const sets = ['preset=none', 'sites=64,128,32', 'home=none'].flatMap((option) => ['--set', option]);
    const { tables } = await report(
      ['shih2010-queue-lengths', '--trace', otherLogFilePath, ...sets],
      'other',
    );
    expect(tables[0].rows.length).toBe(8);
  });
});

test('a sweep has one row for each combination, in order', async () => {
  const resultFolder = join(folder, 'sweep');
  const commandWords = [
    'sweep',
    'lublin99[jobs=500,seed={seed}]',
    '--sites',
    '64,128,128',
    '--speeds',
    '1,1.5,0.8',
  ];
  const variedOptions = [
    '--vary',
    'seed=1..2',
    '--vary',
    'policy=best-fit,ti[slt=1|2]',
    '--vary',
    'load=1,3',
  ];
  const { exitCode, stderr } = await runGridalloc([
    ...commandWords,
    ...variedOptions,
    '--out',
    resultFolder,
    '--quiet',
  ]);
  expect(stderr).toBe('');
  expect(exitCode).toBe(0);
  const [headerLine, ...rows] = readFileSync(join(resultFolder, 'results.csv'), 'utf8').trimEnd().split('\n');
  expect(headerLine.split(',').slice(0, 4)).toEqual(['seed', 'policy', 'load', 'variant']);
  const policies = rows.map((row) =>
    row.replace(/"([^"]*)"/g, (quotedWord) => quotedWord.replaceAll(',', ';')).split(','),
  );
  expect(policies.map(([seed, , load, variantName]) => `${seed} ${load} ${variantName}`)).toEqual(
    ['1', '2']
      .flatMap((seed) => [
        `${seed} 1 `,
        `${seed} 3 `,
        ...['1', '3'].flatMap((load) => [`${seed} ${load} "ti[slt=1]"`, `${seed} ${load} "ti[slt=2]"`]),
      ])
      .map((text) => text.replaceAll('"', '')),
  );
});
