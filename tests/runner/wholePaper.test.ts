import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { uniformOf } from '../../host/math/splitmix64.js';
import { studiesOf } from '../../host/runner/builtIn.js';
import { temporaryFolder } from '../temporaryFolder.js';
import { gridalloc, studyFile } from './childProcess.js';

/** Every table and figure of Shih et al. 2010 in one command: all parts with few jobs, thresholds and draws. */

const REDUCTIONS: readonly (readonly [RegExp, string])[] = [
  [/jobs=30000/g, 'jobs=40'],
  [/(draws: .*count:) \d+/g, '$1 1'],
  [/0\.05\|0\.1\|0\.15\|0\.2/g, '0.05|0.2'],
  [/1\|1\.5\|2\|2\.5\|3/g, '1|3'],
];

const JOBS = 80;
const WIDEST_BY_QUEUE = [8, 128, 128, 128, 50];

/** A small log with the queues of the San Diego SP2. */
function smallLog(): string {
  const lines = Array.from({ length: JOBS }, (_, i) => {
    const draw = (of: number) => uniformOf(of, i + 1);
    const queue = Math.floor(5 * draw(1));
    const processors = 1 + Math.floor((WIDEST_BY_QUEUE[queue] / 2) * draw(2) ** 2);
    const runtime = 60 + Math.floor(20_000 * draw(3));
    return `${i + 1} ${900 * i} 0 ${runtime} ${processors} -1 -1 ${processors} ${2 * runtime} -1 1 1 1 -1 ${queue + 1} -1 -1 -1`;
  });
  return `; Version: 2.2\n; MaxProcs: 128\n${lines.join('\n')}\n`;
}

test('all parts of shih2010-all run as one and share their histories', async () => {
  const folder = temporaryFolder();
  const log = join(folder, 'small.swf');
  writeFileSync(log, smallLog());
  const names = studiesOf('shih2010-all');
  const files = names.map((name) => {
    const whole = readFileSync(new URL(`../../studies/${name}.yaml`, import.meta.url), 'utf8');
    const text = REDUCTIONS.reduce((shorter, [long, short]) => shorter.replace(long, short), whole);
    return studyFile(folder, text, `${name}.yaml`);
  });
  const out = join(folder, 'all');
  const words = ['study', 'run', ...files, '--trace', log, '--out', out, '--threads', '1', '--yes', '--json'];
  const { code, stdout, stderr } = await gridalloc(words);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  const { simulations, sameSimulations, sharing, studies } = JSON.parse(stdout);
  expect(studies.map(({ name }: { name: string }) => name)).toEqual(names);
  for (const name of names) expect(existsSync(join(out, name, 'report.html')), name).toBe(true);
  expect(sameSimulations).toBeGreaterThan(0);
  // Those of a study of workloads simulate nothing.
  expect(sharing.simulations).toBeLessThanOrEqual(simulations);
  expect(sharing.simulations).toBeGreaterThan(0.9 * simulations);
  expect(sharing.forks).toBeGreaterThan(0);
  expect(sharing.joins).toBeGreaterThan(0);
  expect(sharing.simulatedJobs).toBeLessThan(sharing.jobs / 2);
});
