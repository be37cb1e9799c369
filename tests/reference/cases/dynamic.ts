import type { ReferenceOptions } from '../simulator/reference.js';
import type { CandidatePolicy } from '../simulator/types.js';
import { doKeysChangeWithTime } from '../simulator/waitingQueue.js';
import { randomAllocatorCase } from './allocators.js';
import { drawPolicyText, LATE_SUBMIT_TIME_OFFSET, type RandomCase, SeededDraws } from './draws.js';
import { randomSafeCase } from './safeBackfilling.js';

/** Factors from runtime to estimate: exact, with errors (some jobs overdue), or mostly too long. */
const ESTIMATE_FACTORS: readonly (readonly number[])[] = [[1], [0.25, 0.5, 1, 1.5], [1, 2, 5], [0, 1, 1, 3]];

/**
 * Queue orders whose keys are known before the run, usable with any discipline that accepts an
 * order.
 */
const ORDER_WORDS_DRAWN = ['narrowest', 'widest', 'shortest', 'longest', 'smallest-area'] as const;

/**
 * A random case of another kind, whose policy is repeatedly chosen among candidates: with many
 * ties, jobs past their estimates, and, without estimates, futures drawn at random.
 */
export function randomDynamicCase(seed: number): RandomCase {
  const draws = new SeededDraws(seed * 5 + 1);
  const isPlanned = draws.oneIn(4);
  const { jobs, options } = isPlanned
    ? randomSharedSafeCase(seed)
    : draws.oneIn(2)
      ? makeCrowdedCase(draws, randomAllocatorCase(seed))
      : randomAllocatorCase(seed);
  const { interval: _, backfillOrder, ...kept } = options;
  const discipline = isPlanned
    ? options.discipline!
    : draws.pick(['fcfs', 'fcfs', 'first-available'] as const);
  const hasNoEstimates = !isPlanned && draws.oneIn(2);
  const order = drawOrderOfCandidate(draws, options, hasNoEstimates);
  const candidates = drawCandidates(draws, options.speeds);
  const factors = draws.pick(ESTIMATE_FACTORS);
  return {
    jobs: jobs.map((job) => ({ ...job, estimate: job.runtime * draws.pick(factors) })),
    options: {
      ...kept,
      order,
      discipline,
      policy: 'best-fit',
      parameters: {},
      withPolicy: true,
      ...(discipline === 'easy' && !doKeysChangeWithTime(backfillOrder) && { backfillOrder }),
      dynamic: {
        candidates: draws.oneIn(2)
          ? candidates
          : drawCandidateRules(draws, candidates, discipline, hasNoEstimates),
        every: draws.pick([1, 1, 2, 3, 5, 10]),
        futures: hasNoEstimates ? draws.pick([1, 1, 2, 4]) : 1,
        hysteresis: draws.pick([0, 0, 0, 0.05, 0.25]),
        smooth: draws.pick([0, 0, 0.5, 0.9]),
        seed: draws.below(1e6),
        isUnestimated: hasNoEstimates,
      },
    },
  };
}

/**
 * Sites of unequal speed with more work than they can do, from narrow jobs of varied lengths, so
 * that the placement of jobs matters.
 */
function makeCrowdedCase(draws: SeededDraws, { options }: RandomCase): RandomCase {
  const sites = draws.between(2, 4);
  const capacities = draws.times(sites, () => draws.between(2, 12));
  const widest = Math.max(...capacities);
  let submit = draws.pick([0, LATE_SUBMIT_TIME_OFFSET]);
  const jobs = Array.from({ length: draws.between(20, 80) }, () => {
    submit += draws.pick([0, 1, 2, 5]);
    const runtime = draws.pick([draws.between(1, 20), draws.between(20, 300), 50]);
    const processors = draws.oneIn(5) ? draws.between(1, widest) : draws.between(1, Math.min(4, widest));
    return { submit, runtime, estimate: runtime, processors, home: draws.below(sites) };
  });
  const speeds = draws.times(sites, () => draws.pick([0.5, 1, 1, 1.5, 2, 1 / 3]));
  const load = draws.times(sites, draws.from(draws.pick([[1], [1, 2, 1 / 3]])));
  return { jobs, options: { ...options, capacities, speeds, load, minSpeedRatio: 0 } };
}

function randomSharedSafeCase(seed: number): RandomCase {
  const { jobs, options } = randomSafeCase(seed);
  return { jobs, options: { ...options, queue: 'shared' } };
}

/** Draws candidate policies, sometimes one of them twice. */
function drawCandidates(draws: SeededDraws, speeds: number[]): CandidatePolicy[] {
  const one = () => {
    let drawn = drawPolicyText(draws, speeds);
    while (drawn.policy === 'random') drawn = drawPolicyText(draws, speeds);
    return { name: drawn.policy, parameters: drawn.parameters };
  };
  const candidates = Array.from({ length: draws.between(1, 6) }, one);
  return draws.oneIn(4) ? [...candidates, candidates[0]!] : candidates;
}

const FIXED_ORDER_WORDS_DRAWN = ['submit', ...ORDER_WORDS_DRAWN, 'largest-area'];

/**
 * Gives some candidates an order or discipline of their own, which uses no estimates if there are
 * none.
 */
function drawCandidateRules(
  draws: SeededDraws,
  candidates: CandidatePolicy[],
  ofRun: ReferenceOptions['discipline'],
  hasNoEstimates: boolean,
): CandidatePolicy[] {
  const orders = hasNoEstimates ? FIXED_ORDER_WORDS_DRAWN.slice(0, 3) : FIXED_ORDER_WORDS_DRAWN;
  const disciplines = (['fcfs', 'first-available', 'easy', 'conservative'] as const).slice(
    0,
    hasNoEstimates ? 2 : 4,
  );
  return candidates.map((candidate) => {
    if (draws.oneIn(4)) return candidate;
    const order = draws.oneIn(3) ? undefined : draws.pick(orders);
    const discipline = draws.oneIn(3) ? undefined : draws.pick(disciplines);
    const isEasyDiscipline = (discipline ?? ofRun) === 'easy';
    const rules = {
      ...(order && { order }),
      ...(discipline && { discipline }),
      ...(isEasyDiscipline && draws.oneIn(2) && { backfillOrder: draws.pick(FIXED_ORDER_WORDS_DRAWN) }),
    };
    return Object.keys(rules).length > 0 ? { ...candidate, rules } : candidate;
  });
}

/** Draws an order that uses only known attributes of jobs. */
function drawOrderOfCandidate(
  draws: SeededDraws,
  { order }: ReferenceOptions,
  hasNoEstimates: boolean,
): ReferenceOptions['order'] {
  const known = hasNoEstimates ? ORDER_WORDS_DRAWN.slice(0, 2) : ORDER_WORDS_DRAWN;
  if (draws.oneIn(4)) return draws.pick(known);
  return order === undefined || doKeysChangeWithTime(order) || hasNoEstimates ? undefined : order;
}
