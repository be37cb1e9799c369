import { expect, test } from 'vitest';
import { InputError } from '../../host/errors.js';
import { makeGrid } from '../../host/grid/grid.js';
import type { LiveOptions } from '../../host/live/liveOptions.js';
import type { LiveRules } from '../../host/live/liveRules.js';
import { LiveSimulation } from '../../host/live/liveSimulation.js';
import { TIME_INDEPENDENT_ORDER_WORDS } from '../../host/options/order.js';
import { doesRunCoverRareCases, listCaseSeeds, RANDOM_TEST_TIMEOUT_MILLISECONDS } from '../cases.js';
import { SeededDraws } from '../reference/cases/draws.js';

/** Tests live simulations whose discipline and orders change. */

const grid = makeGrid({ capacities: [6, 9, 4], speeds: [1, 2, 1.5] });

function drawRules(random: SeededDraws): Required<LiveRules> {
  const discipline = random.pick(['fcfs', 'first-available', 'easy', 'conservative'] as const);
  const drawOrder = () => random.pick(TIME_INDEPENDENT_ORDER_WORDS) as 'submit';
  const hasBackfillOrder = discipline === 'easy' && random.oneIn(3);
  return { discipline, order: drawOrder(), backfillOrder: hasBackfillOrder ? drawOrder() : 'none' };
}

test(
  'changed rules give the starts of a fork with these rules, and of a fork afterwards',
  () => {
    let [waiting, moved] = [0, 0];
    for (const seed of listCaseSeeds(200)) {
      const random = new SeededDraws(6000 + seed);
      const [rulesBefore, rulesAfter] = [drawRules(random), drawRules(random)];
      const options: LiveOptions = {
        policy: random.pick(['best-fit', 'fastest-first', 'ai2']),
        ...(random.oneIn(3) && { instant: 'batched' }),
        ...(random.oneIn(3) && { partitionSites: 'p2=1+2' }),
        capacity: 100,
      };
      const live = new LiveSimulation(grid, { ...options, ...rulesBefore, mayChangeRules: true });
      const drawJob = () => ({
        ...{
          submit: live.time + random.below(9),
          runtime: random.below(60),
          processors: 1 + random.below(9),
        },
        ...{ requestedTime: 30 + random.below(60), partition: random.pick(['p1', 'p2']) },
      });
      for (let job = random.between(5, 50); job > 0; job--)
        live.advance(live.resultOf(live.submit(drawJob())).submit);
      const forkWithFixedRules = live.fork({
        ...{ ...rulesAfter, mayChangeRules: false },
        ...(rulesAfter.discipline === 'conservative' && { reservations: 'replanned' }),
      });
      const active = [...live.waiting, ...live.running];
      waiting += live.waiting.length;
      const unchangedSimulation = live.fork();
      live.changeRules(rulesAfter);
      const copy = live.fork();
      const laterJob = drawJob();
      const allRuns = [
        ...active,
        ...[live, forkWithFixedRules, copy, unchangedSimulation].map((liveSimulation) =>
          liveSimulation.submit({ ...laterJob, job: 'later' }),
        ),
      ];
      for (const liveSimulation of [live, forkWithFixedRules, copy, unchangedSimulation])
        liveSimulation.finish();
      const readResultsOfJobs = (liveSimulation: LiveSimulation) =>
        allRuns.map((job) => liveSimulation.resultOf(job)).map(({ job, start, site }) => [job, start, site]);
      const context = `seed ${seed}: ${JSON.stringify([options, rulesBefore, rulesAfter])}`;
      expect(readResultsOfJobs(live), context).toEqual(readResultsOfJobs(forkWithFixedRules));
      expect(readResultsOfJobs(copy), context).toEqual(readResultsOfJobs(live));
      expect(copy.summary(), context).toEqual(live.summary());
      expect(live.summary().method, context).toBe(forkWithFixedRules.summary().method);
      moved += Number(
        JSON.stringify(readResultsOfJobs(unchangedSimulation)) !== JSON.stringify(readResultsOfJobs(live)),
      );
    }
    if (!doesRunCoverRareCases) return;
    expect(waiting).toBeGreaterThan(listCaseSeeds(200).length);
    expect(moved).toBeGreaterThan(listCaseSeeds(200).length / 4);
  },
  RANDOM_TEST_TIMEOUT_MILLISECONDS,
);

const makeSimulationWithRules = (options: LiveOptions = {}) =>
  new LiveSimulation(grid, { mayChangeRules: true, ...options });

const KNOWN_ORDERS_TEXT = TIME_INDEPENDENT_ORDER_WORDS.join(', ');
const WITHOUT_RULES =
  'LiveSimulation, mayChangeRules: rules cannot change with an order that changes with time, kept reservations, another depth of reservations, passes at their own times, moldable jobs, and jobs on several sites; omit one of them';

test.each<[string, () => unknown, string]>([
  [
    'without the option',
    () => new LiveSimulation(grid).changeRules({ order: 'shortest' }),
    'changeRules: the simulation began without the option mayChangeRules; begin it with mayChangeRules: true, or fork it with other rules',
  ],
  [
    'misspelt',
    () => makeSimulationWithRules().changeRules({ oder: 'shortest' } as never),
    "unknown option of changeRules 'oder'; did you mean 'order'? Known: discipline, order, backfillOrder",
  ],
  [
    'of another kind',
    () => makeSimulationWithRules().changeRules({ policy: 'ai2' } as never),
    "changeRules has no option 'policy'; policy is an option of simulate, LiveSimulation, fork",
  ],
  [
    'unknown discipline',
    () => makeSimulationWithRules().changeRules({ discipline: 'fifo' } as never),
    "unknown value of discipline 'fifo'. Known: fcfs, njf, wjf, sjf, ljf, first-available, easy, conservative",
  ],
  [
    'backfill order of another discipline',
    () => makeSimulationWithRules().changeRules({ backfillOrder: 'shortest' }),
    "backfillOrder: 'shortest' needs discipline: 'easy', since it orders the jobs behind the one reservation",
  ],
  [
    'computed order',
    () => makeSimulationWithRules().changeRules({ order: 'processors * estimate' }),
    `changeRules, order: expected ${KNOWN_ORDERS_TEXT}, or the one with which the simulation began; the keys of others are computed when jobs are submitted`,
  ],
  [
    'no truth value',
    () => makeSimulationWithRules({ mayChangeRules: 1 as never }),
    'LiveSimulation, mayChangeRules: expected true or false, found 1',
  ],
  ['order that changes', () => makeSimulationWithRules({ order: 'wfp3' }), WITHOUT_RULES],
  [
    'kept reservations',
    () => makeSimulationWithRules({ discipline: 'conservative', reservations: 'kept' }),
    WITHOUT_RULES,
  ],
  ['passes', () => makeSimulationWithRules({ discipline: 'easy', backfillInterval: 30 }), WITHOUT_RULES],
  ['moldable jobs', () => makeSimulationWithRules({ moldable: 'down' }), WITHOUT_RULES],
  ['depth', () => makeSimulationWithRules({ discipline: 'easy', reservationDepth: 3 }), WITHOUT_RULES],
])('refused: %s', (_, call, message) => {
  expect(call).toThrow(InputError);
  expect(call).toThrow(message);
});

test('an order of expressions with which a simulation begins can come back', () => {
  const live = makeSimulationWithRules({ order: 'processors * estimate' });
  live.changeRules({ order: 'shortest' });
  live.changeRules({ order: 'processors * estimate', discipline: 'easy' });
  expect(live.fork().waiting).toEqual([]);
});

test('words that join a discipline and an order are rules, too', () => {
  const startsAfterRuleChange = (rules: LiveRules) => {
    const live = new LiveSimulation(makeGrid({ capacities: [4] }), { mayChangeRules: true });
    for (const runtime of [50, 40, 20, 30]) live.submit({ submit: 0, runtime, processors: 4 });
    live.advance(10);
    live.changeRules(rules);
    live.finish();
    return [2, 3, 4].map((job) => live.resultOf(job).start);
  };
  expect(startsAfterRuleChange({ discipline: 'sjf' })).toEqual([100, 50, 70]);
  expect(startsAfterRuleChange({ order: 'shortest' })).toEqual([100, 50, 70]);
});
