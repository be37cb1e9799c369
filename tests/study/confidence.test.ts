import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Report } from '../../host/view/report.js';
import { type DetailedCell, toDetailedCell } from '../../host/view/table.js';
import { doesRunAllCases } from '../cases.js';
import { runGridalloc, writeStudyFile } from '../runs/childProcess.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';
import { findTraceFilePath } from '../traces.js';

/**
 * Runs the studies of docs/confidence.md with few replications or short logs, and fewer settings if
 * cases are sampled.
 */

/**
 * Replacements of lists of settings if cases are sampled: extreme speeds and gaps, and one order of
 * speeds.
 */
const STUDY_REDUCTION_REPLACEMENTS: readonly (readonly [RegExp, string])[] = [
  [/^ {2}aarr: .*/m, '  aarr: [10.5, 8.5]'],
  [/^ {2}sh: .*/m, '  sh: [0, 0.12, 0.24]'],
  [/&s \[("[\d,]+").*/, '&s [$1]'],
];

/** Text of a study of the program, reduced for tests. */
function studyOf(studyName: string): string {
  const studyText = readFileSync(new URL(`../../studies/${studyName}.yaml`, import.meta.url), 'utf8');
  const text = doesRunAllCases
    ? studyText
    : STUDY_REDUCTION_REPLACEMENTS.reduce(
        (shorter, [longStudyPattern, shortText]) => shorter.replace(longStudyPattern, shortText),
        studyText,
      );
  return writeStudyFile(makeTemporaryFolder(), text);
}

async function report(...commandWords: string[]): Promise<Report> {
  const resultFolder = makeTemporaryFolder();
  const { exitCode, stderr } = await runGridalloc([
    'study',
    'run',
    ...commandWords,
    '--out',
    resultFolder,
    '--threads',
    '1',
    '--quiet',
  ]);
  expect(stderr).toBe('');
  expect(exitCode).toBe(0);
  return JSON.parse(readFileSync(join(resultFolder, 'report.json'), 'utf8')) as Report;
}

test('thresholds chosen on half of the replications gain less than the best of each by hindsight', async () => {
  const shortWorkloadLine = 'workload=lublin99[aarr={aarr},jobs=150,seed={replication}]';
  const commandWords = [
    studyOf('confidence-shih2010-thresholds'),
    '--replications',
    '6',
    '--set',
    shortWorkloadLine,
  ];
  const { tables } = await report(...commandWords);
  const [{ rows: tableRows, bounds }] = tables;
  expect(bounds).toBe('interval');
  for (const [policy, hindsight, chosenCell, selection] of tableRows) {
    const valuesOfHindsightAndChoice = [hindsight, chosenCell].map(
      (cell) => toDetailedCell(cell) as DetailedCell & { value: number },
    );
    for (const { value: cellValue, low, high } of valuesOfHindsightAndChoice) {
      expect(low as number).toBeLessThanOrEqual(cellValue + 1e-12);
      expect(high as number).toBeGreaterThanOrEqual(cellValue - 1e-12);
    }
    // On the replications used for judging, choosing with hindsight cannot be worse.
    if (String(policy).endsWith('*'))
      expect((toDetailedCell(selection) as DetailedCell & { value: number }).value).toBeGreaterThan(0);
  }
});

const huangLogFilePath = findTraceFilePath('sdsc-sp2-56490-reconstructed.swf.gz');

describe.skipIf(huangLogFilePath === undefined)('on the log of Huang et al. 2007', () => {
  test('the effect of load sharing is far greater than chance in the details', async () => {
    const { checks, tables } = await report(
      studyOf('confidence-huang2007'),
      '--replications',
      '10',
      '--trace',
      huangLogFilePath as string,
    );
    const [wholeCheck, five, feasible] = checks;
    expect([wholeCheck, five, feasible].map(({ verdict }) => verdict)).toEqual([
      'confirmed',
      'confirmed',
      'confirmed',
    ]);
    expect(wholeCheck.evidence).toMatch(
      /^distance to the bound .* in 10 of 10 copies of this log, shaken by ±30 s$/,
    );
    const response = tables[0].rows.map((cellRow) => toDetailedCell(cellRow[1]).value as number);
    expect(response[0] / 9260).toBeCloseTo(1, 2);
    expect(response[1] / 4135).toBeCloseTo(1, 2);
    expect(response[2] / 4152).toBeCloseTo(1, 2);
  });
});
