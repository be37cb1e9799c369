/** Studies of the program with fewer jobs, thresholds and draws, and a small log for them. */
import { readFileSync } from 'node:fs';
import { computeUniformNumberOfSeed } from '../host/math/random.js';

const STUDY_REDUCTION_REPLACEMENTS: readonly (readonly [RegExp, string])[] = [
  [/0\.05\|0\.1\|0\.15\|0\.2/g, '0.05|0.2'],
  [/1\|1\.5\|2\|2\.5\|3/g, '1|3'],
  // Reduces slices of a long log to 40 jobs.
  [/job=\d+-1000000;first=400/g, 'first=40'],
];

/** Text of a study with this many replications and jobs per model, and with fewer thresholds. */
export function reduceStudy(studyName: string, { draws, jobs }: { draws: number; jobs: number }): string {
  const studyText = readFileSync(new URL(`../studies/${studyName}.yaml`, import.meta.url), 'utf8');
  return STUDY_REDUCTION_REPLACEMENTS.reduce(
    (shorter, [longStudyPattern, shortText]) => shorter.replace(longStudyPattern, shortText),
    studyText,
  )
    .replace(/jobs=\d+/g, `jobs=${jobs}`)
    .replace(/((?:draws|replications): .*count:) \d+/g, `$1 ${draws}`);
}

const SMALL_LOG_JOB_COUNT = 80;
const MAX_PROCESSORS_BY_QUEUE = [8, 128, 128, 128, 50];

/** A small log with the queues of the San Diego SP2. */
export function makeSmallLogText(): string {
  const lines = Array.from({ length: SMALL_LOG_JOB_COUNT }, (_, i) => {
    const drawNumber = (upperBound: number) => computeUniformNumberOfSeed(upperBound, i + 1);
    const queue = Math.floor(5 * drawNumber(1));
    const processors = 1 + Math.floor((MAX_PROCESSORS_BY_QUEUE[queue] / 2) * drawNumber(2) ** 2);
    const runtime = 60 + Math.floor(20_000 * drawNumber(3));
    return `${i + 1} ${900 * i} 0 ${runtime} ${processors} -1 -1 ${processors} ${2 * runtime} -1 1 1 1 -1 ${queue + 1} -1 -1 -1`;
  });
  return `; Version: 2.2\n; MaxProcs: 128\n${lines.join('\n')}\n`;
}
