import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { durationNotation } from '../../host/notation.js';
import { isDefaultText } from '../../host/options/document.js';
import { OPTIONS } from '../../host/options/options.js';
import { sweepStudy } from '../../host/study/sweep.js';
import { isFull, PATIENCE, sampleOf } from '../cases.js';
import { run } from '../cli/runProgram.js';
import { temporaryFolder } from '../temporaryFolder.js';
import { commandArguments, LOG, type OptionTexts, SAMPLES } from './samples.js';

/** Screens, reports and sentences for papers state all settings, for every kind of request. */

const folder = temporaryFolder();
const [path, other] = ['log.swf', 'other.swf'].map((name) => join(folder, name));
writeFileSync(path, LOG);
writeFileSync(
  other,
  LOG.replaceAll(/^(\d+ \d+ -1) (\d+)/gm, (_, before, time) => `${before} ${+time + 1}`),
);

/** Options that say how a log is read, which no heading repeats, and the grid, which is told as such. */
const OF_READING = ['format', 'sort', 'skip-bad-lines', 'rebase'];
const OF_GRID = ['sites', 'speeds', 'heterogeneity', 'preset'];

/** Options with one value for all methods, so that a heading has to name them. */
const isTold = (name: string, text: string) =>
  ![...OF_READING, ...OF_GRID].includes(name) && !isDefaultText(name, text);

/** The ways to ask with a screen, each with what it is asked by; replications have their own perturbation. */
const WAYS: Readonly<Record<string, (setting: OptionTexts) => string[]>> = {
  simulate: (setting) => ['simulate', path, ...commandArguments(setting)],
  'simulate --replications': (setting) => [
    'simulate',
    path,
    ...commandArguments(setting),
    '--replications',
    '2',
    '--threads',
    '1',
  ],
  compare: (setting) => ['compare', path, ...commandArguments(methodsOf(setting))],
  'compare --replications': (setting) => [
    'compare',
    path,
    ...commandArguments(methodsOf(setting)),
    ...['--replications', '2', '--threads', '1'],
  ],
  'compare of logs': (setting) => ['compare', path, other, ...commandArguments(methodsOf(setting))],
};

/** The setting with two methods, where it says none. */
function methodsOf(setting: OptionTexts): OptionTexts {
  const isOpen = ['discipline', 'order', 'policy'].every((name) => setting[name] === undefined);
  return isOpen ? { discipline: 'fcfs,easy', ...setting } : setting;
}

const folded = (text: string) => text.replaceAll(/\s+/g, ' ');

/** Value as headings print it: times with units. */
function toldAs(name: string, value: string): string {
  const { isSwitch, isTime } = OPTIONS[name];
  if (isSwitch) return name.replaceAll('-', ' ');
  return isTime ? durationNotation(Number(value)) : value;
}

/** Settings that a text omits. */
function missingIn(text: string, setting: OptionTexts): string[] {
  return Object.entries(setting).flatMap(([name, value]) => {
    if (!isTold(name, value)) return [];
    const { read, print } = OPTIONS[name];
    return folded(text).includes(toldAs(name, print(read(value, name)))) ? [] : [`${name} ${value}`];
  });
}

const settings = Object.values(SAMPLES).flatMap((samples) => samples.settings);

test.each(Object.entries(WAYS))('%s says every setting', { timeout: PATIENCE }, async (way, words) => {
  const missing: string[] = [];
  let tried = 0;
  for (const setting of sampleOf(settings)) {
    if (way.includes('replications') && setting.replication !== undefined) continue;
    const { code, out } = await run(words(setting));
    if (code === 2) continue;
    expect(code).toBe(0);
    tried++;
    // A column of the table of sites tells whose home they are.
    const { home, ...others } = setting;
    missing.push(...missingIn(out, way === 'simulate' ? others : setting));
  }
  expect(tried).toBeGreaterThan(isFull ? 30 : 10);
  expect(missing).toEqual([]);
});

test('a sweep says every setting', async () => {
  const study = (texts: OptionTexts) =>
    sweepStudy({
      ...{ workload: path, texts, metrics: [], replications: undefined, locate: (at) => at.join('.') },
      varied: [{ name: 'runtime-scale', values: [1, 2] }],
    });
  for (const setting of settings) {
    const { 'runtime-scale': _, ...texts } = setting;
    const { description } = await study(texts);
    const words = Object.entries(texts).filter(([name, text]) => !isDefaultText(name, text));
    for (const [name, text] of words) expect(description).toContain(toldAs(name, text));
  }
});
