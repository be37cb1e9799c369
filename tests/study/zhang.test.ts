import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Report } from '../../host/view/report.js';
import { sampleTestCases } from '../cases.js';
import { runGridalloc } from '../runs/childProcess.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';
import { findTraceFilePath } from '../traces.js';

/**
 * Checks of the statements of Zhang et al. 2006 on slices of real logs, and of backfilling on one
 * machine.
 */

const kthLogFilePath = findTraceFilePath('KTH-SP2-1996-2.1-cln.swf.gz');
const sanDiegoLogFile = findTraceFilePath('sdsc-sp2-54041.swf.gz');
const folder = makeTemporaryFolder();
const TEST_TIMEOUT = 120_000;
/** Names of the tests to run; one of them if cases are sampled. */
const namesOfTestsToRun = sampleTestCases(['Fig. 3, San Diego', 'Fig. 3, KTH', 'Fig. 2', 'backfilling'], 4);

/** Verdict on each check of a study, by its sentence. */
async function verdicts(
  studyName: string,
  logFile: string,
  ...extraWords: string[]
): Promise<Record<string, string>> {
  const resultFolder = join(
    folder,
    `${studyName}-${extraWords.join('')}-${logFile === kthLogFilePath ? 'kth' : 'sdsc'}`,
  );
  const commandWords = [
    'study',
    'run',
    studyName,
    '--trace',
    logFile,
    ...extraWords,
    '--out',
    resultFolder,
    '--quiet',
  ];
  const { exitCode, stderr } = await runGridalloc(commandWords);
  expect(stderr).toBe('');
  expect(exitCode).toBe(0);
  const { checks } = JSON.parse(readFileSync(join(resultFolder, 'report.json'), 'utf8')) as Report;
  return Object.fromEntries(
    checks.map(({ sentence: checkSentence, verdict, evidence }) => [
      checkSentence,
      `${verdict}: ${evidence}`,
    ]),
  );
}

const makeBelowCheckSentence = (metric: string) =>
  `${metric} of optimal and greedy selection is below that of non-adaptive selection at every factor`;
const makeGrowthCheckSentence = (metric: string) =>
  `the distance in ${metric} is greater at factor 1.6 than at 1.0`;

describe.skipIf(kthLogFilePath === undefined || sanDiegoLogFile === undefined)('selections of sites', () => {
  test.runIf(namesOfTestsToRun.includes('Fig. 3, San Diego'))(
    'Fig. 3, sites of different speed: every claim but those of single steps on the San Diego log',
    async () => {
      const actualResult = await verdicts('zhang2006-figure3', sanDiegoLogFile as string);
      expect(actualResult[makeBelowCheckSentence('AWRT')]).toBe('confirmed: confirmed in 14 of 14 settings');
      expect(actualResult[makeBelowCheckSentence('AWWT')]).toBe('confirmed: confirmed in 14 of 14 settings');
      expect(actualResult[makeGrowthCheckSentence('AWRT')]).toBe('confirmed: confirmed in 2 of 2 settings');
      expect(actualResult[makeGrowthCheckSentence('AWWT')]).toBe('confirmed: confirmed in 2 of 2 settings');
    },
    TEST_TIMEOUT,
  );

  test.runIf(namesOfTestsToRun.includes('Fig. 3, KTH'))(
    'Fig. 3 on the KTH log: AWRT as claimed, AWWT only above some factor',
    async () => {
      const actualResult = await verdicts('zhang2006-figure3', kthLogFilePath as string);
      expect(actualResult[makeBelowCheckSentence('AWRT')]).toBe('confirmed: confirmed in 14 of 14 settings');
      expect(actualResult[makeBelowCheckSentence('AWWT')]).toContain(
        'contradicted: confirmed in 8 of 14 settings',
      );
      expect(actualResult[makeGrowthCheckSentence('AWRT')]).toBe('confirmed: confirmed in 2 of 2 settings');
    },
    TEST_TIMEOUT,
  );

  test.runIf(namesOfTestsToRun.includes('Fig. 2'))(
    'Fig. 2, equal sites: contradicted where several sites cost nothing',
    async () => {
      const actualResult = await verdicts('zhang2006-figure2', kthLogFilePath as string);
      expect(actualResult[makeBelowCheckSentence('AWRT')]).toContain(
        'contradicted: confirmed in 9 of 14 settings, not in optimal, 1; greedy, 1',
      );
      expect(actualResult[makeGrowthCheckSentence('AWRT')]).toBe('confirmed: confirmed in 2 of 2 settings');
      expect(actualResult[makeGrowthCheckSentence('AWWT')]).toBe('confirmed: confirmed in 2 of 2 settings');
    },
    TEST_TIMEOUT,
  );
});

test.runIf(kthLogFilePath !== undefined && namesOfTestsToRun.includes('backfilling'))(
  'EASY++ waits less than EASY, and so do its two changes',
  async () => {
    const actualResult = await verdicts(
      'easy-plus-plus',
      kthLogFilePath as string,
      '--draws',
      '10',
      '--set',
      'sites=100',
    );
    expect(Object.keys(actualResult)[0]).toBe('EASY++ waits less than EASY');
    expect(Object.values(actualResult).map((text) => text.replace(/:.*/, ''))).toEqual(
      Array(5).fill('confirmed'),
    );
  },
  TEST_TIMEOUT,
);

test.runIf(kthLogFilePath !== undefined && namesOfTestsToRun.includes('backfilling'))(
  'what reservations are worth on one machine: EASY waits least, but where estimates are recent and the load is low',
  async () => {
    const actualResult = await verdicts(
      'backfilling',
      kthLogFilePath as string,
      '--draws',
      '1',
      '--set',
      'sites=100',
    );
    const CONFIRMED_IN_9_OF_9 = 'confirmed: confirmed in 9 of 9 settings';
    const CONFIRMED_IN_3_OF_3 = 'confirmed: confirmed in 3 of 3 settings';
    const CONTRADICTED_IN_1_OF_9 = 'contradicted: confirmed in 8 of 9 settings';
    const expectedVerdicts = [
      CONFIRMED_IN_9_OF_9,
      CONFIRMED_IN_9_OF_9,
      CONTRADICTED_IN_1_OF_9,
      CONFIRMED_IN_3_OF_3,
      CONFIRMED_IN_3_OF_3,
      CONFIRMED_IN_9_OF_9,
      CONFIRMED_IN_9_OF_9,
      CONFIRMED_IN_9_OF_9,
      CONFIRMED_IN_3_OF_3,
      CONFIRMED_IN_3_OF_3,
    ];
    expect(Object.values(actualResult)).toEqual(expectedVerdicts);
  },
  TEST_TIMEOUT,
);
