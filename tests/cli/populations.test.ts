import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readPlanFile } from '../../host/runs/planFile.js';
import { parametersOfPlannedRun } from '../../host/study/plan.js';
import { runGridalloc } from '../runs/childProcess.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';
import { writeLogFile } from './runProgram.js';

/**
 * Checks every sentence, caption and page about replications against the plan: it must name what
 * varies between them (jobs, speeds, or nothing).
 */

/** Thirty days of jobs of three users. */
const LOG = writeLogFile(
  `; MaxProcs: 8\n${Array.from({ length: 240 }, (_, i) => {
    const runtime = 4000 + ((i * 5309) % 17_000);
    return `${i + 1} ${10_800 * i} -1 ${runtime} ${1 + ((i * 5) % 6)} -1 -1 -1 ${2 * runtime} -1 1 ${1 + (i % 3)} 1 -1 1 -1 -1 -1`;
  }).join('\n')}\n`,
);
const MODEL = 'lublin99[jobs=80,processors=64,seed=1]';
const SITES = ['--sites', '8,8,8'];
const DRAWN_SPEEDS_WORDS = [...SITES, '--speeds', 'draw[sh=0.1,seed=1]'];
const REDRAWN_SPEEDS = ['--perturb', 'speeds'];
const METHODS = ['--policy', 'best-fit,fastest-first'];

const COMMAND_CASES: readonly (readonly string[])[] = [
  ['simulate', LOG],
  ['simulate', LOG, '--perturb', 'resample[by=user,block=1d]'],
  ['simulate', LOG, '--perturb', 'resample[by=user,block=7d]'],
  ['simulate', LOG, ...DRAWN_SPEEDS_WORDS, ...REDRAWN_SPEEDS],
  ['simulate', MODEL, '--sites', '64'],
  ['compare', LOG, '--discipline', 'fcfs,easy'],
  ['compare', LOG, '--discipline', 'fcfs,easy', '--perturb', 'resample[by=user,block=1d]'],
  ['compare', LOG, ...DRAWN_SPEEDS_WORDS, ...METHODS],
  ['compare', LOG, ...DRAWN_SPEEDS_WORDS, ...METHODS, ...REDRAWN_SPEEDS],
  ['compare', MODEL, '--sites', '64,64,64', ...METHODS],
  ['compare', MODEL, '--sites', '64,64,64', '--speeds', 'draw[sh=0.1,seed=1]', ...METHODS, ...REDRAWN_SPEEDS],
];

/** Reads from plan.json what varies between the replications of a method: jobs or speeds. */
function changesInPlan(folder: string) {
  const { points: studyPoints, runs, workloads } = readPlanFile(join(folder, 'plan.json'));
  const [firstPoint] = studyPoints;
  const pointsOfFirstLog = studyPoints
    .filter(({ labels: pointLabels }) => pointLabels[0] === firstPoint!.labels[0])
    .map(({ run: runIndex }) => runs[runIndex]!);
  const countDistinct = (texts: readonly string[]) => new Set(texts).size;
  return {
    jobs:
      countDistinct(pointsOfFirstLog.map(({ workload: workloadIndex }) => workloads[workloadIndex]!.sha256)) >
      1,
    speeds: countDistinct(pointsOfFirstLog.map((run) => String(parametersOfPlannedRun(run).speeds))) > 1,
  };
}

const REMARK_PATTERNS = {
  shaken: /shaken/,
  resampled: /weeks|days|blocks/,
  seeds: /other seeds|different seeds/,
  speeds: /speeds drawn anew|other speeds|different speeds|new speeds|speed vectors|with speeds/,
};

describe.each(COMMAND_CASES)('%s %s %s %s %s %s %s %s', (...commandWords) => {
  const folder = join(makeTemporaryFolder(), 'out');
  const args = commandWords.filter((commandWord) => commandWord !== undefined);
  const [, source] = args;

  test('sentences on replications name what the plan varies', async () => {
    const { exitCode, stdout, stderr } = await runGridalloc([
      ...args,
      ...['--replications', '10', '--threads', '1', '--out', folder],
    ]);
    expect(exitCode, stderr).toBe(0);
    const variedChanges = changesInPlan(folder);
    const isModelWorkload = source === MODEL;
    const isResampled = args.some((word) => word.startsWith('resample'));
    const variesSpeedsOnly = variedChanges.speeds && !variedChanges.jobs;
    const page = readFileSync(join(folder, 'report.html'), 'utf8').replaceAll(/<[^>]+>/g, ' ');
    const report = readFileSync(join(folder, 'report.json'), 'utf8');
    const methods = readFileSync(join(folder, 'methods.md'), 'utf8');
    const table = readFileSync(join(folder, 'tables/metrics.tex'), 'utf8');
    // With a block of one day, the output must not speak of weeks.
    if (args.some((word) => word.includes('block=1d')))
      expect(stdout).not.toMatch(/different weeks|of the weeks/);
    for (const [name, text] of Object.entries({ stdout, page, report, methods })) {
      const flat = text.replaceAll(/\s+/g, ' ');
      expect({ name, shaken: REMARK_PATTERNS.shaken.test(flat) }).toEqual({
        name,
        shaken: !isModelWorkload && !isResampled && !variesSpeedsOnly,
      });
      expect({ name, seeds: REMARK_PATTERNS.seeds.test(flat) }).toEqual({ name, seeds: isModelWorkload });
      if (variedChanges.speeds)
        expect({ name, speeds: REMARK_PATTERNS.speeds.test(flat) }).toEqual({ name, speeds: true });
      if (isResampled)
        expect({ name, resampled: REMARK_PATTERNS.resampled.test(flat) }).toEqual({ name, resampled: true });
    }
    expect(REMARK_PATTERNS.shaken.test(table)).toBe(
      !isModelWorkload && !isResampled && !variesSpeedsOnly && table.includes('cop'),
    );
    // If all replications share one draw of speeds, the verdict must say so.
    if (args.includes('--speeds') && !variedChanges.speeds && commandWords[0] === 'compare')
      expect(stdout.replaceAll(/\s+/g, ' ')).toContain('on this grid');
  });
});
