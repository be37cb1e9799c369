import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { areaColors } from '../../host/draw/palette.js';
import { figureSpec } from '../../host/draw/spec.js';
import type { Figure } from '../../host/draw/types.js';
import { logFile, run, TINY_OPTIONS, temporaryFolder } from '../cli/runProgram.js';

async function simulated(words: readonly string[], out = temporaryFolder()) {
  const { code, err } = await run(['simulate', logFile(), ...words, '--out', out]);
  expect(code).toBe(0);
  return { out, err };
}

const plot = (out: string, name: string) => readFileSync(join(out, 'plots', `${name}.svg`), 'utf8');

test('a colour of a home means the same in every drawing', async () => {
  const { out } = await simulated([...TINY_OPTIONS, '--home', 'queue']);
  expect((await run(['report', out])).code).toBe(0);
  const homes = areaColors(2).map(({ fill }) => fill);
  for (const fill of homes) {
    expect(plot(out, 'gantt')).toContain(fill);
    expect(plot(out, 'waits')).toContain(fill);
    for (const name of ['queue', 'utilization', 'occupancy']) expect(plot(out, name)).not.toContain(fill);
  }
});

test('jobs of one home have shades that tell them apart', async () => {
  const { out } = await simulated([]);
  expect((await run(['report', out])).code).toBe(0);
  const fills = [...plot(out, 'gantt').matchAll(/<path fill="(#[0-9a-f]{6})"/g)].map(([, fill]) => fill);
  expect(new Set(fills).size).toBe(3);
  expect(readFileSync(join(out, 'report.html'), 'utf8')).not.toContain('coloured by its home site');
});

test('new results take the report of the earlier ones away, and say so', async () => {
  const { out, err } = await simulated([]);
  expect(err).not.toContain('replaced');
  await run(['report', out]);
  const second = await simulated(['--policy', 'fastest-first'], out);
  expect(second.err).toContain(`the earlier results in ${out} are replaced, their report is gone`);
  expect(existsSync(join(out, 'report.html'))).toBe(false);
  expect(existsSync(join(out, 'plots'))).toBe(false);
  expect(existsSync(join(out, 'jobs.csv'))).toBe(true);
});

test('sums are folded away, and say of which build they are', async () => {
  const { out } = await simulated([]);
  await run(['report', out]);
  const page = readFileSync(join(out, 'report.html'), 'utf8');
  const [, folded] = /<details><summary>SHA-256 sums<\/summary>(.*?)<\/details>/s.exec(page) ?? [];
  expect(folded).toContain('SHA-256 of the core, release build');
  expect(page.replace(folded, '')).not.toMatch(/[0-9a-f]{64}/);
});

test('an axis of percentages has as many decimals as tell its ticks apart', () => {
  const figure = (values: number[]): Figure => ({
    ...{ id: 'f', title: 'F', caption: '', kind: 'line', x: { title: 'x' } },
    y: { title: 'y', format: { style: 'percent' } },
    panels: [{ title: '', series: [{ name: 's', points: values.map((y, x) => ({ x, y })) }] }],
  });
  expect(JSON.stringify(figureSpec(figure([0.165, 0.185])))).toContain('"format":",.1%"');
  expect(JSON.stringify(figureSpec(figure([0, 1])))).toContain('"format":",.0%"');
});
