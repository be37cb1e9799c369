import { expect, test } from 'vitest';
import { sampleTestCases } from '../cases.js';
import { runProgramInProcess, splitShellWords } from '../cli/runProgram.js';
import { readTextOfPage } from '../docs/examples.js';
import { findTraceFilePath } from '../traces.js';

/** Repeats the commands of docs/recorded-waits.md on real logs: one row in nine unless all cases run. */

const FILE_NAME_BY_LOG: Readonly<Record<string, string>> = {
  'KTH SP2': 'KTH-SP2-1996-2.1-cln.swf.gz',
  'San Diego SP2': 'SDSC-SP2-1998-4.2-cln.swf.gz',
};

/** Numbers that validate prints as JSON about all jobs. */
interface WaitAgreementOfAllJobs {
  readonly within: Readonly<Record<string, number>>;
  readonly meanError: number;
  readonly simulatedWait: number;
  readonly rankCorrelation: number;
}

const percent = (agreementShare: number | undefined) => `${(100 * agreementShare!).toFixed(1)} %`;
const seconds = (waitSeconds: number) => Math.round(waitSeconds).toLocaleString('en-US');

/** Cells of a row of the page. */
function formatAgreementCells({
  within,
  meanError,
  simulatedWait,
  rankCorrelation,
}: WaitAgreementOfAllJobs): string[] {
  return [
    percent(within['60']),
    percent(within['3600']),
    seconds(meanError),
    seconds(simulatedWait),
    rankCorrelation.toFixed(2).replace('-', '−'),
  ];
}

const page = readTextOfPage('docs/recorded-waits.md');
const rows = Object.entries(FILE_NAME_BY_LOG).flatMap(([heading, log]) =>
  page
    .split(`## ${heading}\n`)[1]!
    .split('\n## ')[0]!
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => {
      const [, setting = '', ...cells] = line.split('|').map((cell) => cell.trim());
      return { log, setting: setting.slice(1, -1), cells: cells.slice(0, -1) };
    }),
);

test('the page has its tables', () => {
  expect(rows.length).toBeGreaterThan(30);
});

test.each(sampleTestCases(rows, 9))(
  '$log $setting',
  async ({ log, setting, cells }) => {
    const path = findTraceFilePath(log);
    if (path === undefined) return;
    const commandWords = ['validate', path, '--free-only', '--json', '--quiet', ...splitShellWords(setting)];
    const { exitCode, stdout } = await runProgramInProcess(commandWords);
    expect(exitCode).toBe(0);
    expect(formatAgreementCells(JSON.parse(stdout).ways[0].all)).toEqual(cells);
  },
  120_000,
);
