import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { makeGrid, makeWorkload, parseTrace, type SimulationOptions, simulate } from '../../host/index.js';
import { parseExpression } from '../../host/options/expression.js';
import { makeMultifactorExpression, parsePriorityFactors } from '../../host/options/multifactor.js';

/**
 * Priorities that `sprio` and `sshare` of Slurm 22.05.8 printed, of jobs of four users on eight nodes of two
 * processors; PriorityWeightAge=1000, PriorityWeightFairshare=10000, PriorityWeightJobSize=500,
 * PriorityCalcPeriod=1, PriorityMaxAge=1:0:0, PriorityFlags=NO_FAIR_TREE. `factors`: seconds from the start
 * of slurmctld to the time of printing and to the submission, processors, limit in minutes, effective usage;
 * then factors of age, fair share and size, and the priority. `sizes`: with PriorityFavorSmall (small),
 * SMALL_RELATIVE_TO_TIME (timelarge), both (timesmall), and with NO_NORMAL_PART: partition, processors, limit
 * in minutes; factors of size and partition, and the priority of an unused machine.
 */
interface SlurmPriorityRecording {
  readonly factors: readonly (readonly number[])[];
  readonly sizes: Readonly<Record<string, readonly (readonly [string, ...number[]])[]>>;
}
const slurmPriorityRecording: SlurmPriorityRecording = JSON.parse(
  readFileSync(new URL('recorded/slurmPriorities.json', import.meta.url), 'utf8'),
);

const COLUMNS = [
  ...['submit', 'firstSubmit', 'estimate', 'processors', 'siteProcessors'],
  ...['queue', 'user', 'wait', 'now', 'usage', 'share', 'usageStep', 'usageOffset'],
];

/** Value of an expression for one job on sixteen processors. */
function computePriorityOfJob(
  orderText: string,
  job: Readonly<Record<string, number>>,
  queue = 'main',
): number {
  const columns = {
    ...{ submit: 0, firstSubmit: 0, estimate: 60, processors: 1, siteProcessors: 16 },
    ...{ queue: 0, user: 0, wait: 0, now: 0, usage: 0, share: 0.2, usageStep: 60, usageOffset: 0, ...job },
  };
  const row = Object.fromEntries(
    Object.entries(columns).map(([columnName, columnValue]) => [columnName, [columnValue]]),
  );
  return parseExpression(orderText, COLUMNS, 'order', (_, name) => () => name === queue).valueAt(row, 0);
}

const WEIGHTS_IN_ORDER_OPTION = 'age=1000,maxAge=1h,fairshare=10000,size=500,nodes=8';

describe('priorities recorded from Slurm', () => {
  test('have our factors in the precision printed, and our whole numbers', () => {
    expect(slurmPriorityRecording.factors.length).toBe(59);
    const order = `multifactor[${WEIGHTS_IN_ORDER_OPTION}]`;
    const differences = slurmPriorityRecording.factors.map(
      ([time, submit, processors, timeLimit, usage, ...printedFactors]) => {
        const job = {
          ...{ submit: submit!, firstSubmit: 0, now: time!, wait: time! - submit!, processors: processors! },
          ...{ estimate: 60 * timeLimit!, usage: usage! },
        };
        const [age, fairshare, size] = parsePriorityFactors(order).map(({ value: factorValue }) =>
          computePriorityOfJob(factorValue, job),
        );
        expect(age).toBeCloseTo(printedFactors[0]!, 7);
        // Usage is printed with six digits.
        expect(Math.abs(fairshare! - printedFactors[1]!)).toBeLessThan(2e-6);
        expect(size).toBeCloseTo(printedFactors[2]!, 7);
        return -computePriorityOfJob(makeMultifactorExpression(order), job) - printedFactors[3]!;
      },
    );
    expect(new Set(differences)).toEqual(new Set([0]));
  });

  const PARTITION_POINTS_IN_ORDER_OPTION =
    'partition.main=83.33333333333333,partition.slow=250,partition.fast=1000';
  test.each([
    ['small', `size=500,nodes=8,favorSmall=yes,${PARTITION_POINTS_IN_ORDER_OPTION}`],
    ['timelarge', `size=500,nodes=8,perTime=yes,${PARTITION_POINTS_IN_ORDER_OPTION}`],
    ['timesmall', `size=500,nodes=8,perTime=yes,favorSmall=yes,${PARTITION_POINTS_IN_ORDER_OPTION}`],
    ['nonormal', 'size=500,nodes=8,partition.main=1000,partition.slow=3000,partition.fast=12000'],
  ])('%s: sizes and partitions', (name, parameters) => {
    const order = `multifactor[fairshare=10000,${parameters}]`;
    for (const [queue, processors, minutes, size, partition, priority] of slurmPriorityRecording.sizes[
      name
    ]!) {
      const job = { processors: processors!, estimate: 60 * minutes! };
      const [, ownSize, points] = parsePriorityFactors(order).map(({ value: factorValue }) =>
        computePriorityOfJob(factorValue, job, queue),
      );
      expect(ownSize).toBeCloseTo(size!, 7);
      expect(points! / 1000).toBeCloseTo(partition!, 7);
      expect(-computePriorityOfJob(makeMultifactorExpression(order), job, queue)).toBe(priority);
    }
  });
});

describe('a multifactor order', () => {
  test.each([
    [
      'age=2',
      '-max(1, floor(2 * min(1, max(0, floor((now - usageOffset) / usageStep) * usageStep + usageOffset - (submit - firstSubmit)) / 604800)))',
    ],
    ['fairshare=3', '-max(1, floor(3 * 2^(-usage / share)))'],
    [
      'fairshare=3,share=0.25,share.ann=0.5,damp=2',
      "-max(1, floor(3 * 2^(-usage / (0.25 + (user == 'ann') * (0.5 - 0.25)) / 2)))",
    ],
    ['size=5', '-max(1, floor(5 * min(1, processors / siteProcessors)))'],
    ['partition.3=7', '-max(1, floor((queue == 3) * 7))'],
  ])('[%s] is %s', (parameters, expression) => {
    expect(makeMultifactorExpression(`multifactor[${parameters}]`)).toBe(expression);
  });

  test.each([
    [
      'multifactor',
      'order: multifactor needs a weight above 0, such as multifactor[age=1000,fairshare=10000]',
    ],
    ['multifactor[maxAge=1d]', 'order: multifactor needs a weight above 0'],
    [
      'multifactor[age=-5]',
      "order, multifactor, age: expected a number of at least 0 and at most 4294967295, found '-5'",
    ],
    ['multifactor[ages=5]', "unknown parameter of multifactor 'ages'; did you mean 'age'?"],
    ['multifactor[size=5,favorSmall=true]', "unknown value of order, multifactor, favorSmall 'true'"],
    ['multifactor[qos=5]', 'order, multifactor: qos is unknown, since logs name no quality of service'],
    [
      'multifactor[partition=5]',
      'give the points of each partition by its name, such as partition.short=500',
    ],
    [
      'multifactor[fairshare=5,share=0]',
      'order, multifactor, share: expected a number above 0 and at most 1',
    ],
    ['multifactr', "unknown value of order 'multifactr'; did you mean 'multifactor'?"],
    [
      'multifactor[age=5,partition.short=1]',
      "order, multifactor[age=5,partition.short=1]: the log names no queue 'short'; its queues have numbers alone",
    ],
  ])('%s is refused', (order, sentence) => {
    expect(() => simulateStartTimes({ order })).toThrow(sentence);
  });

  test('by hand: usage, then age, then size decide', () => {
    // At 100 s user 2 has used nothing, so job 3 has more than 1000 points. At 130 s user 1 has 100 / (100 +
    // 30) of the usage, and job 4 has waited for 100 s of 200, job 2 for 120 s.
    const order = 'multifactor[fairshare=1000,age=100,maxAge=200]';
    expect(simulateStartTimes({ order, usageStep: 10 })).toEqual([0, 130, 100, 180]);
    // Without ages the tie is broken by submission; the size of job 4 is twice as large.
    expect(simulateStartTimes({ order: 'multifactor[size=100]' }, [4, 2, 4, 4])).toEqual([0, 150, 100, 130]);
    expect(simulateStartTimes({ order: 'multifactor[size=100,favorSmall=yes]' }, [4, 4, 4, 2])).toEqual([
      0, 120, 170, 100,
    ]);
    // Priorities are whole numbers: 1.5 and 1 points are a tie.
    expect(simulateStartTimes({ order: 'multifactor[size=1.5]' }, [4, 3, 4, 4])).toEqual([0, 100, 150, 180]);
    expect(simulateStartTimes({ order: 'multifactor[partition.1=5]' })).toEqual([0, 100, 150, 180]);
  });
});

/**
 * Start times on one machine of 4 processors where user 1 runs a job until 100 s; then jobs of users 1 and 2
 * wait.
 */
function simulateStartTimes(options: SimulationOptions, widths: readonly number[] = [4, 4, 4, 4]): number[] {
  const lines = [
    ...[`1 0 -1 100 ${widths[0]} -1 -1 ${widths[0]} 100`, `2 10 -1 50 ${widths[1]} -1 -1 ${widths[1]} 50`],
    ...[`3 20 -1 30 ${widths[2]} -1 -1 ${widths[2]} 30`, `4 30 -1 20 ${widths[3]} -1 -1 ${widths[3]} 20`],
  ].map((line, i) => `${line} -1 1 ${i === 2 ? 2 : 1} 1 -1 1 -1 -1 -1`);
  const workload = makeWorkload(parseTrace(lines.join('\n')), { siteCount: 1, capacities: [4] });
  return [...simulate(workload, makeGrid({ capacities: [4] }), options).schedule.start];
}
