import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findStudyFile } from '../../host/runs/planStudy.js';
import type { Report } from '../../host/view/report.js';
import { makeTestSampler, sampleTestCases } from '../cases.js';
import { runGridalloc, writeStudyFile } from '../runs/childProcess.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';
import { findTraceFilePath } from '../traces.js';

/**
 * Load sharing and moldable jobs: published numbers and conclusions of Huang et al. 2007 and 2009,
 * from the study files.
 */

const logFile = findTraceFilePath('sdsc-sp2-56490-reconstructed.swf.gz');
const folder = makeTemporaryFolder();
const TEST_TIMEOUT = 120_000;
/** Studies over all 120 orders of five speeds; one of them if cases are sampled. */
const namesOfSlowStudiesToRun = sampleTestCases(['Fig. 2', 'Fig. 3', 'Table 7']);
/** Returns true if the next of the remaining studies runs: one in four if cases are sampled. */
const isStudySampled = makeTestSampler(4);

async function runStudyAndReadReport(
  studyFile: string,
  resultFolder: string,
  extraWords: readonly string[] = [],
): Promise<Report> {
  const path = join(folder, resultFolder);
  const commandWords = [
    'study',
    'run',
    studyFile,
    '--trace',
    logFile as string,
    ...extraWords,
    '--out',
    path,
    '--quiet',
  ];
  const { exitCode, stderr } = await runGridalloc(commandWords);
  expect(stderr).toBe('');
  expect(exitCode).toBe(0);
  return JSON.parse(readFileSync(join(path, 'report.json'), 'utf8')) as Report;
}

/** Text of a study with replacements that make it run in seconds. */
function writeReducedStudy(
  studyName: string,
  ...textReplacements: readonly (readonly [string, string])[]
): string {
  let studyText = readFileSync(findStudyFile(studyName), 'utf8');
  for (const [textBefore, textAfter] of textReplacements) {
    expect(studyText).toContain(textBefore);
    studyText = studyText.replace(textBefore, textAfter);
  }
  return writeStudyFile(folder, studyText, `${studyName}.yaml`);
}

const ERROR_RATES_LINE_BEGIN = 'error: [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9';
const ERROR_RATE_REPLACEMENTS = [
  [`${ERROR_RATES_LINE_BEGIN}]`, 'error: [0.9]'],
  [`${ERROR_RATES_LINE_BEGIN}, 1]`, 'error: [1]'],
] as const;

/** Numbers of a table by row label. */
function tableNumbersByRow({ tables }: Report, id: string): Record<string, (number | null)[]> {
  const cellRows = tables.find((table) => table.id === id)?.rows ?? [];
  const valuesOfRow = (cellRow: (typeof cellRows)[number]) =>
    cellRow.flatMap((cell) =>
      typeof cell === 'object' && cell !== null ? [cell.value as number | null] : [],
    );
  return Object.fromEntries(cellRows.map((cellRow) => [String(cellRow[0]), valuesOfRow(cellRow)]));
}

const formatWithTwoDecimals = (values: readonly (number | null)[]) =>
  values.map((value) => value?.toFixed(2));

describe.skipIf(logFile === undefined)('on the San Diego log of 56,490 jobs', () => {
  test('Table 3 of 2007: all 18 published numbers, and which site loses', async () => {
    const studyReport = await runStudyAndReadReport('huang2007-table3', 'table3');
    const rowsOfTruncatedValues = Object.values(tableNumbersByRow(studyReport, 'table-3')).map((row) =>
      row.map((value) => Math.trunc(Number(value))),
    );
    expect(rowsOfTruncatedValues).toEqual([
      [9260, 14216, 10964, 10199, 6448, 57],
      [4135, 191, 4758, 4799, 3881, 559],
      [4152, 193, 4750, 4798, 3939, 57],
    ]);
    expect(studyReport.checks.map(({ verdict, evidence }) => [verdict, evidence])).toEqual([
      ['confirmed', '18 of 18 published cells'],
      ['confirmed', 'confirmed in 1 of 1 settings'],
      ['confirmed', 'confirmed in 6 of 6 settings'],
    ]);
  });

  test.runIf(isStudySampled())('Fig. 1: a speed ratio turns a loss into a gain', async () => {
    const studyReport = await runStudyAndReadReport('huang2007-figure1', 'figure1');
    expect(studyReport.checks).toEqual([expect.objectContaining({ verdict: 'confirmed' })]);
    const grid = studyReport.tables[0].rows
      .filter(([discipline]) => discipline === 'FCFS')
      .map(([, partName, cell]) => [partName, Math.round(Number((cell as { value: number }).value))]);
    expect(grid).toEqual([
      ['independent sites', 3492],
      ['best-fit, ratio 0', 4476],
      ['best-fit, ratio 1', 1257],
    ]);
  });

  test.runIf(namesOfSlowStudiesToRun.includes('Fig. 2'))(
    'Fig. 2: over 120 speed vectors the adaptive policy is never the last of three',
    async () => {
      const studyFile = writeReducedStudy(
        'huang2007-figure2',
        ['load: [1, 2, 3]', 'load: [1]'],
        ['[2, 3]', '1'],
      );
      const studyReport = await runStudyAndReadReport(studyFile, 'figure2');
      expect(studyReport.checks.map(({ verdict }) => verdict)).toEqual([
        'confirmed',
        'confirmed',
        'confirmed',
      ]);
      const lastStandingShares = studyReport.tables[0].rows.map(
        (cellRow) => (cellRow[3] as { value: number }).value,
      );
      expect(lastStandingShares).toEqual([0, 0, 0, 0]);
    },
    TEST_TIMEOUT,
  );

  test.runIf(namesOfSlowStudiesToRun.includes('Fig. 3'))(
    'Fig. 3: over 120 speed vectors adaptive splitting beats larger-first and faster-first',
    async () => {
      const studyFile = writeReducedStudy(
        'huang2007-figure3',
        ['load: [1, 2]', 'load: [1]'],
        ['    FCFS: fcfs\n', ''],
        ['where: { load: 2 }', 'where: { load: 1 }'],
      );
      const studyReport = await runStudyAndReadReport(studyFile, 'figure3');
      expect(studyReport.checks.map(({ verdict }) => verdict)).toEqual(['confirmed', 'confirmed']);
      expect((studyReport.tables[0].rows[0][2] as { value: number }).value).toBe(120);
    },
    TEST_TIMEOUT,
  );

  test.runIf(isStudySampled())('feasibility: words say which site loses', async () => {
    const sets = ['preset=huang2007', 'speeds=1,3,4,4,8', 'load=5,4,5,4,1', 'time-resolution=floor'];
    const studyReport = await runStudyAndReadReport(
      'feasibility',
      'feasibility',
      sets.flatMap((option) => ['--set', option]),
    );
    expect(studyReport.checks.map(({ verdict, evidence }) => [verdict, evidence])).toEqual([
      ['contradicted', 'confirmed in 5 of 6 settings, not in site 5'],
      ['confirmed', 'confirmed in 6 of 6 settings'],
    ]);
    const markedCells = studyReport.tables[1].rows
      .flat()
      .filter((cell) => typeof cell === 'object' && cell?.isEmphasized);
    expect(markedCells.length).toBe(1);
  });

  test.runIf(isStudySampled())('Table 3 of 2009: moldable jobs on one machine', async () => {
    const studyReport = await runStudyAndReadReport('huang2009-table3', 'moldable3');
    const turnaroundTimes = Object.values(tableNumbersByRow(studyReport, 'table-3')).map(([value]) => value);
    expect(formatWithTwoDecimals(turnaroundTimes)).toEqual([
      '51677.83',
      '17821.19',
      '14022.16',
      '18113.23',
      '12126.39',
    ]);
    expect(studyReport.checks.every(({ verdict }) => verdict === 'confirmed')).toBe(true);
  });

  test.runIf(isStudySampled())('Table 6 of 2009: moldable jobs on five sites', async () => {
    const studyReport = await runStudyAndReadReport(
      writeReducedStudy('huang2009-table6', ...ERROR_RATE_REPLACEMENTS),
      'moldable6',
    );
    const [separateValues, plainValues, exact] = Object.values(tableNumbersByRow(studyReport, 'table-6')).map(
      formatWithTwoDecimals,
    );
    expect(separateValues).toEqual(['148085.09', '51165.93']);
    expect(plainValues[1]).toBe('16910.24');
    expect(exact[1]).toBe('15718.58');
  });

  test.runIf(namesOfSlowStudiesToRun.includes('Table 7'))(
    'Table 7 of 2009: the mean over 120 speed vectors',
    async () => {
      const studyFile = writeReducedStudy('huang2009-table7', ...ERROR_RATE_REPLACEMENTS);
      const studyReport = await runStudyAndReadReport(studyFile, 'moldable7');
      const meanValues = Object.values(tableNumbersByRow(studyReport, 'table-7')).map(([value]) => value);
      expect(formatWithTwoDecimals(meanValues.slice(0, 3))).toEqual(['8562728.01', '22184.92', '19633.10']);
    },
    TEST_TIMEOUT,
  );

  test.each(sampleTestCases(['huang2009-table4', 'huang2009-table5']))(
    '%s: estimates with errors',
    async (name) => {
      const studyReport = await runStudyAndReadReport(name, name, ['--draws', '1']);
      const meansByRow = tableNumbersByRow(studyReport, `table-${name.slice(-1)}`);
      expect(formatWithTwoDecimals(meansByRow['0%'])).toEqual(['14022.16', '12126.39']);
      expect(studyReport.checks.every(({ verdict }) => verdict === 'confirmed')).toBe(true);
    },
  );
});
