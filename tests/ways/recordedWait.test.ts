import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { OPTIONS } from '../../host/options/options.js';
import { drawFolder } from '../../host/show/fromFolder.js';
import { sampleOf } from '../cases.js';
import { run } from '../cli/runProgram.js';
import { temporaryFolder } from '../temporaryFolder.js';
import { LOG, type OptionTexts, SAMPLES, wordsOf } from './samples.js';

/** The wait that a log records is beside the simulated one only where load, arrivals and machine are those of the log. */

/** By option: whether it may, with the sample of that option on the machine of the log; a preset whose filters leave nothing out does. */
const KEEPS: Readonly<Record<string, boolean>> = {
  ...{ arrival: true, columns: true, 'time-zone': true, 'no-limit': true },
  ...{ format: true, sort: true, 'skip-bad-lines': true, rebase: true, home: true, estimates: true },
  ...{
    reservations: true,
    'reservation-depth': true,
    'warm-up': true,
    'cool-down': true,
    'time-resolution': true,
    instant: true,
    order: true,
  },
  ...{ 'backfill-order': true, discipline: true, queue: true, select: true, interval: true, policy: true },
  ...{ sites: true, speeds: false, heterogeneity: false, preset: true, oversize: false, 'data-size': false },
  ...{ 'min-speed-ratio': true, 'runtime-reference': true, 'multi-site': true },
  ...{
    filter: false,
    'short-runtime': true,
    'narrow-width': true,
    'max-width': false,
    rc: false,
    perturb: false,
    replication: false,
    dependencies: false,
  },
  ...{ 'arrival-scale': false, 'offered-load': false, 'runtime-scale': false, load: false, kill: false },
  ...{ moldable: false, 'moldable-threshold': false, 'moldable-fit': false, speedup: false, reclaim: false },
  ...{ 'multi-site-overhead': false, 'multi-site-factor': false, bandwidth: false, latency: false },
};

/** The log with a machine of this many processors, and waits. */
function logOf(machine: number): string {
  return LOG.replace('MaxProcs: 8', `MaxProcs: ${machine}`).replace(/^(\d+ \d+) -1 /gm, '$1 7 ');
}

/** Sites of equal speeds and the load of the log: what is different about them is another option's. */
function alike(sample: OptionTexts, name: string): OptionTexts {
  const { speeds, load, ...others } = sample;
  return name === 'speeds' || name === 'load' ? sample : others;
}

function processorsOf({ sites = '8' }: OptionTexts): number {
  return sites.split(',').reduce((sum, each) => sum + Number(each), 0);
}

const NAMES = Object.keys(OPTIONS).filter((name) => name !== 'workload' && name !== 'policy-timeout');

test('every option is tried', () => {
  expect(Object.keys(KEEPS).sort()).toEqual(NAMES.toSorted());
});

test.each(sampleOf(NAMES))('%s', async (name) => {
  for (const [i, given] of SAMPLES[name].entries()) {
    const sample = alike(given, name);
    const folder = temporaryFolder();
    for (const [machine, isSame] of [
      [processorsOf(sample), true],
      [processorsOf(sample) + 1, false],
    ] as const) {
      const path = join(folder, 'log.swf');
      writeFileSync(path, logOf(machine));
      // Without --sites the machine of the log is simulated, whatever it is.
      const isShown = KEEPS[name] && (isSame || sample.sites === undefined);
      const out = join(folder, 'results');
      const words = ['simulate', path, ...wordsOf(sample)];
      const printed = await run(words);
      expect(printed.err, words.join(' ')).not.toMatch(/^gridalloc: /);
      expect(printed.out.includes('in the log'), `${name} ${i}, text, ${words.join(' ')}`).toBe(isShown);
      expect((await run([...words, '--out', out, '--quiet'])).code).toBe(0);
      const { report } = await drawFolder(out);
      expect(
        report.tables.some(({ id }) => id === 'recorded'),
        `${name} ${i}, report`,
      ).toBe(isShown);
      rmSync(out, { recursive: true });
    }
  }
});
