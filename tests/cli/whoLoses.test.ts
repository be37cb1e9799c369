import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { runGridalloc } from '../runs/childProcess.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';
import { LOG } from '../ways/samples.js';
import { runProgramInProcess } from './runProgram.js';

/** Reports of which users and classes of jobs lose, between two schedules and over replications. */

const folder = makeTemporaryFolder();
const [a, b, log] = ['a', 'b', 'log.swf'].map((name) => join(folder, name)) as [string, string, string];
writeFileSync(log, LOG);

/** Rows of jobs.csv in the order of jobs. */
function readJobsCsvRows(resultFolder: string) {
  const [headerLine, ...lines] = readFileSync(join(resultFolder, 'jobs.csv'), 'utf8').trim().split('\n');
  const columnNames = headerLine!.split(',');
  return lines.map((line) => Object.fromEntries(line.split(',').map((cell, i) => [columnNames[i], cell])));
}

describe('gridalloc diff --by', () => {
  beforeAll(async () => {
    await runProgramInProcess(['simulate', log, '--discipline', 'fcfs', '--out', a, '--quiet']);
    await runProgramInProcess(['simulate', log, '--discipline', 'easy', '--out', b, '--quiet']);
  });

  test.each(['user', 'queue', 'group', 'account'])(
    '%s: mean waits, paired by job, worst first',
    async (jobClassification) => {
      const { exitCode, stdout } = await runProgramInProcess([
        'diff',
        a,
        b,
        '--by',
        jobClassification,
        '--json',
      ]);
      expect(exitCode).toBe(0);
      const { [jobClassification]: classes } = JSON.parse(stdout).classes;
      const [inA, inB] = [readJobsCsvRows(a), readJobsCsvRows(b)];
      const classField = jobClassification === 'account' ? 'group' : jobClassification;
      const column = `${classField}_name` in inA[0]! ? `${classField}_name` : classField;
      expect(classes.length).toBe(new Set(inA.map((row) => row[column])).size);
      for (const { name: className, jobs, longer, shorter, difference, ...means } of classes) {
        const jobsOfClass = inA.flatMap((row, i) => (row[column] === className ? [i] : []));
        const waitsOfClassInBothRuns = [inA, inB].map((rows) =>
          jobsOfClass.map((job) => Number(rows[job]!.waiting_time)),
        );
        const differences = jobsOfClass.map(
          (_, i) => waitsOfClassInBothRuns[1]![i]! - waitsOfClassInBothRuns[0]![i]!,
        );
        const mean = (waits: number[]) => waits.reduce((sum, value) => sum + value, 0) / waits.length;
        expect(jobs).toBe(jobsOfClass.length);
        expect(means.a).toBeCloseTo(mean(waitsOfClassInBothRuns[0]!), 9);
        expect(means.b).toBeCloseTo(mean(waitsOfClassInBothRuns[1]!), 9);
        expect(difference.mean).toBeCloseTo(mean(differences), 9);
        expect(difference.low).toBeLessThan(difference.mean);
        expect(difference.high).toBeGreaterThan(difference.mean);
        expect([longer, shorter]).toEqual([
          differences.filter((difference) => difference > 0).length,
          differences.filter((difference) => difference < 0).length,
        ]);
      }
      const meanWaitDifferenceByClass = classes.map(
        ({ difference }: { difference: { mean: number } }) => difference.mean,
      );
      expect(meanWaitDifferenceByClass).toEqual(
        meanWaitDifferenceByClass.toSorted((x: number, y: number) => y - x),
      );
      const { stdout: text } = await runProgramInProcess(['diff', a, b, '--by', jobClassification]);
      expect(text).toContain(`Mean wait by ${jobClassification}`);
      expect(text.replaceAll(/\s+/g, ' ')).not.toContain('undefined');
    },
  );

  test('a field that the log does not have, and another word', async () => {
    const { stdout } = await runProgramInProcess(['diff', a, b, '--by', 'partition', '--json']);
    expect(JSON.parse(stdout).classes.partition).toMatchObject([{ name: 'unknown', jobs: 60 }]);
    expect(await runProgramInProcess(['diff', a, b, '--by', 'class'])).toMatchObject({ exitCode: 2 });
  });
});

describe('gridalloc compare --by', () => {
  const METHODS = ['easy', 'fcfs, order=widest', 'more: easy, sites=10'].flatMap((method) => [
    '--method',
    method,
  ]);
  const commandWords = [
    'compare',
    log,
    ...METHODS,
    '--metric',
    'meanWait',
    '--by',
    'user,class',
    '--threads',
    '1',
  ];

  async function runAndReadOutput(...extraWords: string[]): Promise<string> {
    const { exitCode, stdout, stderr } = await runGridalloc([...commandWords, ...extraWords]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    return stdout;
  }

  test('differences of each class to the first method, with joint limits and verdicts', async () => {
    const { classes } = JSON.parse(await runAndReadOutput('--replications', '20', '--json'));
    const verdicts = new Set<string>();
    for (const jobClass of [...classes.user, ...classes.class]) {
      const [firstDifference, ...otherDifferences] = jobClass.differences.meanWait;
      expect(firstDifference).toBeNull();
      for (const [i, { mean, low, high, verdict, replications }] of otherDifferences.entries()) {
        verdicts.add(verdict);
        expect(replications).toBe(20);
        expect(mean).toBeCloseTo(jobClass.meanWait[i + 1].mean - jobClass.meanWait[0].mean, 6);
        if (verdict === 'skewed') expect([low, high]).toEqual([null, null]);
        else {
          expect(low).toBeLessThanOrEqual(mean);
          expect(high).toBeGreaterThanOrEqual(mean);
        }
        if (verdict === 'worse') expect(low).toBeGreaterThan(0);
        if (verdict === 'better') expect(high).toBeLessThan(0);
      }
    }
    expect([...verdicts]).toEqual(expect.arrayContaining(['worse', 'better']));
    const outputText = await runAndReadOutput('--replications', '20');
    const [, table = ''] = outputText.split('Mean wait [s] by user: difference to easy');
    const [rows = ''] = table.split('Mean wait [s] by user\n');
    expect(rows.replaceAll(/\s+/g, ' ')).toContain(
      'The limits of all 3 classes hold together with 95 % confidence.',
    );
    expect(rows).toContain('worse off ✗');
    expect(outputText).not.toContain('differences are not tested');
    expect(await runAndReadOutput('--replications', '5')).toContain('differences are not tested');
  });

  test('with --until-decided, limits hold at all interim analyses together', async () => {
    const documentOfFixedReplications = JSON.parse(await runAndReadOutput('--replications', '20', '--json'));
    const documentUntilDecided = JSON.parse(
      await runAndReadOutput('--replications', '20', '--until-decided', '--json'),
    );
    expect(documentUntilDecided.looks).toEqual([20]);
    const intervalWidthsOf = ({ classes }: typeof documentOfFixedReplications) =>
      classes.user.flatMap(
        ({ differences }: { differences: { meanWait: { low: number; high: number }[] } }) =>
          differences.meanWait.slice(1).map(({ low, high }) => high - low),
      );
    const [narrowWidths, wideWidths] = [
      intervalWidthsOf(documentOfFixedReplications),
      intervalWidthsOf(documentUntilDecided),
    ];
    expect(wideWidths.every((width: number, i: number) => width >= narrowWidths[i])).toBe(true);
    expect(wideWidths.some((width: number, i: number) => width > narrowWidths[i])).toBe(true);
  });

  test('a folder has the table', async () => {
    const resultFolder = join(folder, 'out');
    await runAndReadOutput('--replications', '20', '--out', resultFolder, '--quiet');
    const lines = readFileSync(join(resultFolder, 'tables/meanWait-by-user-difference.csv'), 'utf8')
      .trim()
      .split('\n');
    expect(lines).toHaveLength(4);
    expect(lines[0]).toContain('verdict');
  });
});
