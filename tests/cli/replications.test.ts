import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { record, run } from './runProgram.js';

const MODEL = 'lublin99[aarr=9,jobs=400,seed=2]';
const root = fileURLToPath(new URL('../../', import.meta.url));

/** In this thread, of which a test need not wait for others to start. */
const inside = (...words: string[]) => run([...words, '--threads', '1', '--quiet']);
const documentOf = async (...words: string[]) => JSON.parse((await inside(...words, '--json')).out);

interface Row {
  policy: string;
  discipline: string;
  order: string;
  mean: number;
  low: number;
  high: number;
  bestIn: number;
  best: boolean;
  distinguishable: boolean | null;
  difference: number;
  differenceLow: number;
  differenceHigh: number;
}

describe('compare --replications', () => {
  test('a row for each method, with intervals and differences to the best', async () => {
    const { replications, perturb, metric, rows } = await documentOf(
      'compare',
      MODEL,
      '--replications',
      '12',
    );
    expect({ replications, perturb, metric }).toEqual({
      replications: 12,
      perturb: 'seeds',
      metric: 'averageResponseTime',
    });
    expect(rows).toHaveLength(8);
    expect(rows.filter(({ best }: Row) => best)).toHaveLength(1);
    expect(rows.reduce((sum: number, { bestIn }: Row) => sum + bestIn, 0)).toBeCloseTo(1, 12);
    const best = rows.find((row: Row) => row.best);
    for (const row of rows as Row[]) {
      expect(row.low).toBeLessThanOrEqual(row.mean);
      expect(row.high).toBeGreaterThanOrEqual(row.mean);
      expect(row.difference).toBeCloseTo(row.mean - best.mean, 6);
      expect(row.distinguishable === null).toBe(row.best);
    }
    expect(best).toMatchObject({ difference: 0, differenceLow: 0, differenceHigh: 0 });
  });

  test('the replications are those that simulate --replication makes one by one', async () => {
    const { rows } = await documentOf('compare', MODEL, '--policy', 'ff,ai2', '--replications', '3');
    const single = await Promise.all(
      ['1', '2', '3'].map(async (r) => {
        const setting = [
          '--sites',
          '8,128,128,128,50',
          '--speeds',
          'draw[sh=0.12,seed=1]',
          '--policy',
          'ai2',
        ];
        const words = ['simulate', MODEL, ...setting, '--time-resolution', 'nearest', '--replication', r];
        return JSON.parse((await run([...words, '--json'])).out).averageResponseTime;
      }),
    );
    expect(rows[1].mean).toBeCloseTo((single[0] + single[1] + single[2]) / 3, 9);
  });

  test('a policy and its twin have no difference at all', async () => {
    const { rows } = await documentOf(
      'compare',
      MODEL,
      '--policy',
      'ai2,tai2[slt=0]',
      '--replications',
      '10',
    );
    const other = rows.find(({ best }: Row) => !best);
    expect(other).toMatchObject({
      difference: 0,
      differenceLow: 0,
      differenceHigh: 0,
      distinguishable: false,
    });
  });

  test('several metrics, and what is better when it is more', async () => {
    const { metrics, replications } = await documentOf(
      ...['compare', MODEL, '--policy', 'bf,ff', '--replications', '5', '--metric', 'meanWait,utilization'],
    );
    expect(replications).toBe(5);
    expect(metrics.map(({ metric }: { metric: string }) => metric)).toEqual(['meanWait', 'utilization']);
    const [, { rows }] = metrics;
    const most = Math.max(...rows.map(({ mean }: Row) => mean));
    expect(rows.find(({ best }: Row) => best).mean).toBe(most);
  });

  test('--until-decided stops when all are told apart, or goes on to the end', async () => {
    const words = ['compare', MODEL, '--load', '1.5', '--until-decided', '--replications', '50'];
    const decided = await documentOf(...words, '--policy', 'bf,random', '--speeds', '1,1,1,1,4');
    expect(decided.replications).toBe(20);
    expect(decided.rows.filter(({ distinguishable }: Row) => distinguishable === false)).toEqual([]);
    const open = await documentOf(...words, '--policy', 'ai2,tai2[slt=0]');
    expect(open.replications).toBe(50);
    expect(open.looks.map(({ replications }: { replications: number }) => replications)).toEqual([
      20, 40, 50,
    ]);
  });

  const LOG = `; MaxProcs: 8\n${Array.from({ length: 80 }, (_, i) =>
    record(i + 1, 20 * i, 50 + ((i * 37) % 90), 1 + (i % 7), 1, 200),
  ).join('\n')}`;

  test('a log is shaken on its own machine, and the text says what that asks', async () => {
    const { code, out } = await run(['compare', '-', '--replications', '12', '--threads', '1', '--quiet'], {
      input: LOG,
    });
    expect(code).toBe(0);
    expect(out).toContain('12 replications (shake[submit=30,runtime=0,seed=1])');
    expect(out).toContain('not for other logs');
    for (const name of ['fcfs', 'first-available', 'sjf', 'easy', 'conservative']) {
      expect(out).toMatch(new RegExp(`^${name} +[\\d,.]+ +[\\d,.]+ \\.\\. [\\d,.]+`, 'm'));
    }
    expect(out).toMatch(/ is the best/);
  });

  test.each([
    [['compare', MODEL, '--replications', '1'], 'an interval needs 2 replications or more'],
    [['simulate', MODEL, '--replications', '1'], 'an interval needs 2 replications or more'],
    [['compare', MODEL, '--replications', '5', '--replication', '2'], 'give one of the two'],
    [['compare', MODEL, '--replications', '5', '--metric', 'meanwait'], "did you mean 'meanWait'?"],
    [['compare', MODEL, '--replications', '5', '--metric', 'jobs'], 'nothing by which one method is better'],
    [['compare', MODEL, '--metric', 'meanWait'], 'give --replications too'],
    [['simulate', MODEL, '--replications', '5', '--policy', 'bf,ff'], 'compared by gridalloc compare'],
    [['simulate', MODEL, '--replications', '5', '--out', 'x'], 'no files'],
    [['compare', MODEL, '--replications', 'many'], '--replications'],
  ])('%j is refused in one sentence', async (words, sentence) => {
    const { code, err, out } = await run(words);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(sentence);
    expect(err.trim().split('\n')).toHaveLength(1);
  });
});

test('simulate --replications: every metric with its interval', async () => {
  const words = ['simulate', MODEL, '--sites', '128,128,128', '--replications', '10'];
  const { metrics, policy, perturb } = await documentOf(...words);
  expect({ policy, perturb }).toEqual({ policy: 'best-fit', perturb: 'seeds' });
  const response = metrics.find(({ metric }: { metric: string }) => metric === 'averageResponseTime');
  expect(response.low).toBeLessThan(response.mean);
  expect(response.standardDeviation).toBeGreaterThan(0);
  expect((await inside(...words)).out).toMatch(
    /^average response time \[s\] +[\d,.]+ +[\d,.]+ \.\. [\d,.]+/m,
  );
});

/** The program itself, whose threads are those of its package. */
function program(words: readonly string[]) {
  return spawn(process.execPath, ['dist/cli/main.js', ...words], { cwd: root });
}

test('any number of threads gives the same bytes', async () => {
  const texts = await Promise.all(
    ['1', '3'].map(async (threads) => {
      const child = program(['compare', MODEL, '--replications', '11', '--json', '--threads', threads]);
      let out = '';
      child.stdout.on('data', (chunk) => {
        out += chunk;
      });
      const [code] = await once(child, 'close');
      expect(code).toBe(0);
      return out;
    }),
  );
  expect(texts[0]).toContain('"rows"');
  expect(texts[1]).toBe(texts[0]);
});

test.each(['1', '2'])('an interruption ends it with %s threads', async (threads) => {
  const child = program([
    ...['compare', 'lublin99[jobs=20000]', '--replications', '20000', '--threads', threads],
  ]);
  child.stderr.once('data', () => child.kill('SIGINT'));
  setTimeout(() => child.kill('SIGINT'), 4000).unref();
  const [code] = await once(child, 'close');
  expect(code).toBe(130);
});
