import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { shortNames } from '../../host/cli/comparedLogs.js';
import { gridalloc } from '../runs/childProcess.js';
import { smallLog } from '../smallStudies.js';
import { temporaryFolder } from '../temporaryFolder.js';
import { LOG } from '../ways/samples.js';
import { run } from './runProgram.js';

/** Several logs: each is one value of each method, and verdicts are over logs. */

const folder = temporaryFolder();

/** A log whose runtimes are longer by some seconds, so that no two are the same. */
function logFile(name: string, text: string, longer = 0): string {
  const path = join(folder, name);
  const changed = text.replace(
    /^(\d+ \d+ \S+) (\d+)/gm,
    (_, before, runtime) => `${before} ${Number(runtime) + longer}`,
  );
  writeFileSync(path, changed);
  return path;
}

const [one, two] = [logFile('one.swf', LOG), logFile('two.swf', smallLog())];
const TWO = ['--discipline', 'fcfs,first-available'];

test('each method has on each log the value that simulate has, and its ratio to the best', async () => {
  const metrics = ['averageResponseTime', 'meanWait'];
  const { code, out, err } = await run([
    'compare',
    one,
    two,
    ...TWO,
    '--metric',
    metrics.join(),
    '--json',
    '--quiet',
  ]);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  const document = JSON.parse(out);
  for (const [log, path] of [one, two].entries()) {
    for (const [method, discipline] of ['fcfs', 'first-available'].entries()) {
      const single = await run(['simulate', path, '--discipline', discipline, '--json', '--quiet']);
      for (const [i, metric] of metrics.entries()) {
        const values: number[] = document.logs[log].values[metric];
        expect(values[method]).toBe(JSON.parse(single.out)[metric]);
        expect(document.metrics[i].rows[method].values[log]).toBe(values[method] / Math.min(...values));
      }
    }
  }
  expect(document.metrics[0]).toMatchObject({ logs: 2, judged: false });
});

test('ten logs are judged, fewer are not, and the text says logs', async () => {
  const ten = Array.from({ length: 10 }, (_, i) => logFile(`log${i}.swf`, LOG, 3 * i + 1));
  const { code, out } = await run(['compare', ...ten, ...TWO]);
  expect(code).toBe(0);
  expect(out).toMatch(/Among these 10\s+logs,/);
  expect(out).not.toMatch(/replications? show/);
  const few = await run(['compare', ...ten.slice(1), ...TWO]);
  expect(few.out.replaceAll('\n', ' ')).toContain(
    'Nothing is judged by these 9 logs: that takes 10 logs or more.',
  );
  // Ratios on a few logs have no interval that would say something of others.
  expect(out).toContain('95 % interval');
  expect(few.out).not.toContain('95 % interval');
});

test('a folder has the verdicts, a table of the values on each log, the values as CSV, and sentences that say logs', async () => {
  const out = join(folder, 'compared');
  const asked = ['compare', one, two, ...TWO, '--load', '1.2', '--metric', 'meanWait,averageResponseTime'];
  const { stdout } = await gridalloc([...asked, '--out', out]);
  const screen = await run(asked);
  expect(stdout).toBe(`${screen.out}\nThe report is ${join(out, 'report.html')}\n`);
  const read = (name: string) => readFileSync(join(out, name), 'utf8');
  const { logs } = JSON.parse((await run([...asked, '--json', '--quiet'])).out);
  const lines = ['fcfs', 'first-available'].flatMap((name, method) =>
    ['one.swf', 'two.swf'].map((log, i) => {
      const { meanWait, averageResponseTime } = logs[i].values;
      return `${name},${log},${meanWait[method]},${averageResponseTime[method]}`;
    }),
  );
  expect(read('values.csv').trim().split('\n')).toEqual([
    'method,log,meanWait,averageResponseTime',
    ...lines,
  ]);
  const [, ...rows] = read('tables/meanWait-by-log.csv').trim().split('\n');
  expect(rows.map((row) => row.split(',')[0])).toEqual(['one.swf', 'two.swf']);
  expect(read('methods.md')).toMatch(
    /2 logs on their own machines, each once[\s\S]*load 1\.2[\s\S]*each of the same 2 logs/,
  );
  expect(read('report.html')).toContain('fcfs, first-available on 2 logs');
});

test('logs of the same name are distinguished by their folders', () => {
  expect(shortNames(['a/log.swf', 'b/log.swf'])).toEqual(['a/log.swf', 'b/log.swf']);
  expect(shortNames(['a/kth.swf', 'b/ctc.swf'])).toEqual(['kth.swf', 'ctc.swf']);
});

test('files given in one argument are one log', async () => {
  const parts = [
    logFile('a.swf', LOG),
    logFile(
      'b.swf',
      LOG.replace(/^(\d+) (\d+)/gm, (_, n, t) => `${Number(n) + 60} ${Number(t) + 9000}`),
    ),
  ];
  const { code, out } = await run(['compare', `{${parts.join()}}`, ...TWO, '--json', '--quiet']);
  expect(code).toBe(0);
  expect(JSON.parse(out).runs).toHaveLength(2);
});

test.each([
  [['--until-decided'], '--until-decided cannot make more logs'],
  [['--select-best'], '--select-best cannot make more logs'],
  [['--by', 'class'], '--by shows the classes of one log'],
  [['--bench'], '--bench times one log'],
  [['--npir'], '--npir is of one log'],
])('%j is refused', async (words, sentence) => {
  const { code, out, err } = await run(['compare', one, two, ...TWO, ...words]);
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err).toContain(sentence);
});

test('a log and its copy, and a model among logs, are refused', async () => {
  const copy = await run(['compare', one, logFile('copy.swf', LOG), ...TWO]);
  expect(copy).toMatchObject({
    code: 2,
    err: expect.stringContaining('have the same jobs; a log counts once'),
  });
  const model = await run(['compare', one, 'lublin99[aarr=9,jobs=10,seed=1]', ...TWO]);
  expect(model).toMatchObject({
    code: 2,
    err: expect.stringContaining('is a model, and several logs are compared'),
  });
});
