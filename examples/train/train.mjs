/**
 * Trains a small allocation policy by an evolution strategy, and judges it beside eight methods on other jobs:
 *
 *     node examples/train/train.mjs [--generations 150] [--population 16] [--episodes 6] [--jobs 1000] [--replications 400] [--seed 1]
 *
 * The policy gives every site on which a job can start a score, a weighted sum of eight features, and takes the one with the
 * highest. The strategy draws a population of weights around a mean, lets each play the same episodes, and moves the mean to
 * the best quarter. What is learned from is replications 1 to 64 of the model, what is judged by comes after the thousandth.
 */
import { parseArgs } from 'node:util';
import {
  Environment,
  estimateMean,
  judgeMethods,
  makeGrid,
  makeModelTrace,
  makeWorkload,
  parseSpeeds,
  simulate,
} from 'gridalloc';

const usual = {
  generations: '150',
  population: '16',
  episodes: '6',
  jobs: '1000',
  replications: '400',
  seed: '1',
};
const { values } = parseArgs({
  options: Object.fromEntries(
    Object.entries(usual).map(([name, value]) => [name, { type: 'string', default: value }]),
  ),
});
const given = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, Number(value)]));

const METHODS = ['best-fit', 'fastest-first', 'si', 'ti', 'ai', 'ai2', 'tai', 'tai2'];
/** Replications that are learned from, and the one before the first that is judged by. */
const TRAINED_ON = 64;
const BEFORE_TESTS = 1000;

// The sites of Shih et al. 2010 with the speeds of `gridalloc compare`.
const capacities = [8, 128, 128, 128, 50];
const grid = makeGrid({ capacities, speeds: parseSpeeds('draw[sh=0.12,seed=1]', capacities) });
const simulation = { timeResolution: 'nearest' };
const largest = Math.max(...capacities);
const fastest = Math.max(...grid.speeds);

const kept = new Map();
/** The jobs of a replication; those that are learned from are made once. */
function jobs(replication) {
  const known = kept.get(replication);
  if (known !== undefined) return known;
  const trace = makeModelTrace(`lublin99[aarr=9,jobs=${given.jobs},seed=${replication}]`);
  const made = makeWorkload(trace, { siteCount: capacities.length, capacities });
  if (replication <= TRAINED_ON) kept.set(replication, made);
  return made;
}

const FEATURES = 8;
/**
 * Observation of a decision: for each site, feasibility and four features, and the same multiplied by the
 * utilization of the grid, from 0 to 1.
 */
const observation = {
  size: capacities.length * (1 + FEATURES),
  write(view, numbers) {
    const loading = view.queuedProcessors / Math.max(1, view.freeProcessors);
    const busy = loading / (1 + loading);
    let at = 0;
    for (let site = 1; site <= capacities.length; site++) {
      numbers[at++] = Number(view.isFeasible(site));
      const first = at;
      numbers[at++] = (view.free(site) - view.processors) / largest;
      numbers[at++] = view.speed(site) / fastest;
      numbers[at++] = Number(view.bestFit === site);
      numbers[at++] = Number(view.fastestFirst === site);
      for (let i = first; i < first + 4; i++) numbers[at++] = busy * numbers[i];
    }
  },
};
const environment = new Environment({ jobs, grid, observation, simulation });

/** The feasible site with the highest score, of equal ones the first. */
function choose(numbers, weights) {
  let best = 0;
  let highest = -Infinity;
  for (let site = 0; site < capacities.length; site++) {
    const first = site * (1 + FEATURES);
    if (numbers[first] === 0) continue;
    let score = 0;
    for (let i = 0; i < FEATURES; i++) score += weights[i] * numbers[first + 1 + i];
    if (score <= highest) continue;
    highest = score;
    best = site + 1;
  }
  return best;
}

let episodes = 0;
let decisions = 0;
/** The average response time of an episode. */
function play(weights, replication) {
  environment.reset(replication);
  const { last } = environment;
  let total = last.reward;
  while (!last.terminated) {
    total += environment.step(choose(last.observation, weights)).reward;
    decisions++;
  }
  episodes++;
  return -total / given.jobs;
}

const responseOf = (policy, replication) =>
  simulate(jobs(replication), grid, { ...simulation, policy }).summary.averageResponseTime;

/** mulberry32 */
let state = given.seed;
function uniform() {
  state = (state + 0x6d2b79f5) | 0;
  let bits = Math.imul(state ^ (state >>> 15), 1 | state);
  bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
  return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
}

/** Draws an approximately normal number by plain arithmetic, so that every machine learns the same. */
function normal() {
  let sum = -6;
  for (let i = 0; i < 12; i++) sum += uniform();
  return sum;
}

const bestFit = new Map();
/** Mean response time of the jobs relative to best-fit, averaged over some replications. */
function costOf(weights, replications) {
  let sum = 0;
  for (const replication of replications) {
    if (!bestFit.has(replication)) bestFit.set(replication, responseOf('best-fit', replication));
    sum += play(weights, replication) / bestFit.get(replication);
  }
  return sum / replications.length;
}

const began = performance.now();
let mean = new Array(FEATURES).fill(0);
let spread = 1;
let next = 0;
for (let generation = 0; generation < given.generations; generation++) {
  const replications = Array.from({ length: given.episodes }, () => (next++ % TRAINED_ON) + 1);
  const population = Array.from({ length: given.population }, () => {
    const weights = mean.map((weight) => weight + spread * normal());
    return { weights, cost: costOf(weights, replications) };
  });
  population.sort((a, b) => a.cost - b.cost);
  const parents = population.slice(0, Math.ceil(given.population / 4));
  mean = mean.map((_, i) => parents.reduce((sum, { weights }) => sum + weights[i], 0) / parents.length);
  spread *= 0.98;
  if (generation % 25 === 0)
    console.log(`generation ${generation}: ${parents[0].cost.toFixed(4)} of best-fit's response time`);
}
const seconds = (performance.now() - began) / 1000;
console.log(`${episodes} episodes, ${decisions} decisions, ${seconds.toFixed(0)} s`);
console.log(`weights: ${mean.map((weight) => weight.toFixed(3)).join(' ')}\n`);

const names = ['trained', ...METHODS];
const tests = Array.from({ length: given.replications }, (_, i) => BEFORE_TESTS + 1 + i);
const samples = names.map(() => []);
for (const replication of tests) {
  samples[0].push(play(mean, replication));
  for (const [i, policy] of METHODS.entries()) samples[i + 1].push(responseOf(policy, replication));
}
const text = (value) => value.toFixed(0).padStart(7);
console.log(`average response time over ${tests.length} other replications, with 95 % intervals`);
const judged = judgeMethods(samples, { better: 'less', fewest: 20 });
for (const [i, { verdict, behind }] of judged.methods.entries()) {
  const { mean: response, low, high } = estimateMean(samples[i]);
  const bounds = behind === null ? '' : `  ${text(behind.low)} .. ${text(behind.high)}  ${verdict}`;
  console.log(`${names[i].padEnd(14)}${text(response)}  ${text(low)} .. ${text(high)}${bounds}`);
}
console.log('bounds of how far each is behind the best of the others; with 95 % all of them hold');
