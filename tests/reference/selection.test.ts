import { describe, expect, test } from 'vitest';
import { makeExampleJob, makeReferenceOptions } from './examples.js';
import { selectSites } from './simulator/selection.js';
import type { ReferenceJob, ReferenceOptions } from './simulator/types.js';

type GridOptionChanges = Partial<ReferenceOptions> & { capacities: number[] };

/**
 * A job with these processors and this estimate; its submission and runtime are NaN, since
 * selection must not read them.
 */
const makeJobToPlan = (processors: number, estimate: number, home = 0): ReferenceJob =>
  makeExampleJob(Number.NaN, Number.NaN, processors, home, estimate);

/**
 * Plan at time 0 for sites with these free processors over time, written as '2, 0 from 50'. Parts
 * are written as 'site:processors', in order.
 */
function planJobAtTimeZero(sites: string[], job: ReferenceJob, changes: GridOptionChanges) {
  const profilesOfSites = sites.map((steps) =>
    steps
      .split(', ')
      .map((step) => step.split(' from ').map(Number))
      .map(([free, time]) => ({ time: time ?? 0, free: free! })),
  );
  const {
    parts: allocatedParts,
    start,
    end,
  } = selectSites({
    job,
    now: 0,
    profile: profilesOfSites,
    options: makeReferenceOptions(changes),
  });
  return {
    parts: allocatedParts
      .map((allocatedPart) => `${allocatedPart.site}:${allocatedPart.processors}`)
      .join(' '),
    start,
    end,
  };
}

describe('earliest start on one site', () => {
  test.each([
    [2, 5, 0], // the job ends when the number of free processors drops
    [2, 6, 8],
    [1, 6, 0],
    [4, 1, 0],
    [4, 100, 8],
  ])('%i wide for %d s: from %d', (processors, estimate, start) => {
    const plan = planJobAtTimeZero(['4, 1 from 5, 4 from 8'], makeJobToPlan(processors, estimate), {
      capacities: [4],
    });
    expect(plan).toEqual({ parts: `0:${processors}`, start, end: start + estimate });
  });

  // A job of length 0 needs a second if it starts now, but only an instant later.
  test.each([
    ['1, 0 from 1, 1 from 9', 0, 0],
    ['1, 0 from 0.9, 1 from 9', 0, 9],
    ['1, 0 from 0.9, 1 from 9', 0.9, 0],
    ['0, 1 from 2, 0 from 2.5, 1 from 9', 0, 2],
    ['0, 1 from 2, 0 from 2.5, 1 from 9', 0.5, 2],
    ['0, 1 from 2, 0 from 2.5, 1 from 9', 0.6, 9],
  ])('%s; %d s: from %d', (site, estimate, start) => {
    expect(planJobAtTimeZero([site], makeJobToPlan(1, estimate), { capacities: [1] }).start).toBe(start);
  });

  test('a length that is lost in rounding counts as 0', () => {
    const start = 2 ** 53;
    const plan = planJobAtTimeZero(
      [`0, 1 from ${start}, 0 from ${start + 2}, 1 from ${2 * start}`],
      makeJobToPlan(1, 0.5),
      {
        capacities: [1],
      },
    );
    expect(plan).toMatchObject({ start, end: start });
  });
});

describe('shares', () => {
  test('fastest first, then the lowest index; the last gives what is still needed', () => {
    const grid = { capacities: [3, 3, 3], speeds: [1, 2, 1], multiSiteFactor: 2 };
    expect(planJobAtTimeZero(['3', '3', '3'], makeJobToPlan(7, 10), grid)).toEqual({
      parts: '1:3 0:3 2:1',
      start: 0,
      end: 20,
    });
  });

  // Sites of speed 4, 2, 1. Input data take 100 s to site 1 and 1 s to site 2.
  const sites = ['2, 0 from 50, 2 from 60', '0, 3 from 200', '2'];
  const grid: GridOptionChanges = {
    capacities: [2, 3, 2],
    speeds: [4, 2, 1],
    multiSiteFactor: 1,
    bandwidth: [[1, 0.1, 10]],
  };
  const wideJobWithData = { ...makeJobToPlan(4, 10), data: 10 };

  test('a set must start by its length on all of its sites, and then drops those that give nothing', () => {
    // Sites {0, 1, 2} take 10 + 100 s: not at 0 s, since site 0 is reserved from 50 s on, but at 60
    // s. Then {0, 2} suffice and take 10 + 1 s. {0, 1} could start at 200 s.
    const plan = planJobAtTimeZero(sites, wideJobWithData, { ...grid, select: 'greedy' });
    expect(plan).toEqual({ parts: '0:2 2:2', start: 60, end: 71 });
    expect(planJobAtTimeZero(sites, wideJobWithData, grid)).toEqual(plan); // the default selection
  });

  test('as a set of its own the rest can start sooner', () => {
    const plan = planJobAtTimeZero(sites, wideJobWithData, { ...grid, select: 'optimal' });
    expect(plan).toEqual({ parts: '0:2 2:2', start: 0, end: 11 });
  });

  test('shares are recomputed when the length changes', () => {
    // On all four sites the job takes 20 s, during which site 0 has one free processor; on {0, 2}
    // it takes 10 s, during which site 0 has two.
    const plan = planJobAtTimeZero(
      ['2, 1 from 15, 2 from 30', '0, 2 from 99', '2', '2'],
      makeJobToPlan(3, 10),
      {
        capacities: [2, 2, 2, 2],
        speeds: [4, 2, 1, 0.5],
        multiSiteFactor: 1,
        select: 'non-adaptive',
      },
    );
    expect(plan).toEqual({ parts: '0:2 2:1', start: 0, end: 10 });
  });

  test('a set cannot start where the rest has too little by its own length', () => {
    // The home is site 1, twice as fast. Sites {1, 0} would take the half second of the transfer
    // and use only site 1, where a job of length 0 needs a second but finds only 0.7 s.
    const networkOptionsOfTwoSites = { bandwidth: [[], [2, 2]] };
    const homeJobWithData = { ...makeJobToPlan(2, 0, 1), data: 1 };
    const plan = planJobAtTimeZero(['1', '2, 0 from 0.7, 2 from 9'], homeJobWithData, {
      capacities: [1, 2],
      speeds: [1, 2],
      multiSiteFactor: 1,
      ...networkOptionsOfTwoSites,
    });
    expect(plan).toEqual({ parts: '1:2', start: 9, end: 9 });
  });
});

describe('the best of the candidates', () => {
  test.each([
    [9, '0:1', 0, 9],
    [10, '0:1', 0, 10], // both plans end at 10 s, so the earlier start wins
    [11, '1:1', 5, 10.5],
  ])('ends first: %d s', (estimate, parts, start, end) => {
    const plan = planJobAtTimeZero(['1', '0, 1 from 5'], makeJobToPlan(1, estimate), {
      capacities: [1, 1],
      speeds: [1, 2],
    });
    expect(plan).toEqual({ parts, start, end });
  });

  test('equal ends: the earlier start, not the lower index', () => {
    const plan = planJobAtTimeZero(['0, 1 from 5', '1'], makeJobToPlan(1, 10), {
      capacities: [1, 1],
      speeds: [2, 1],
    });
    expect(plan).toEqual({ parts: '1:1', start: 0, end: 10 });
  });

  test.each([
    ['optimal', '1:2 2:2'], // fewer sites first, then lower indices than {1, 3}
    ['greedy', '0:1 1:2 2:1'], // {0, 1} has too few free processors
  ] as const)('%s: equal ends and starts', (selection, parts) => {
    const grid = { capacities: [2, 2, 2, 2], multiSiteFactor: 1, select: selection };
    expect(planJobAtTimeZero(['1, 2 from 99', '2', '2', '2'], makeJobToPlan(4, 10), grid)).toEqual({
      parts,
      start: 0,
      end: 10,
    });
  });

  // All pairs of sites end at 10 s.
  test.each([
    ['optimal', [1, 1, 2], '0:2 1:2'],
    ['greedy', [1, 1, 2], '2:2 0:2'],
    ['optimal', [1, 2, 1], '1:2 0:2'], // lower indices: {0, 1} before {0, 2}
  ] as const)('%s: lowest indices, with speeds %j', (selection, speeds, parts) => {
    const grid = { capacities: [2, 2, 2], speeds: [...speeds], multiSiteFactor: 1, select: selection };
    expect(planJobAtTimeZero(['2', '2', '2'], makeJobToPlan(4, 10), grid)).toEqual({
      parts,
      start: 0,
      end: 10,
    });
  });

  test.each([
    [undefined, ['3, 4 from 9', '3, 4 from 9'], '0:4', 9, 19],
    [1, ['3, 4 from 9', '3, 4 from 9'], '0:3 1:1', 0, 10],
    [1.5, ['3, 4 from 9', '3, 4 from 9'], '0:3 1:1', 0, 15],
    [1.5, ['3, 4 from 4', '3, 4 from 9'], '0:4', 4, 14], // one site has no multi-site factor
  ])('several sites only with a factor: %s', (multiSiteFactor, sites, parts, start, end) => {
    for (const selection of ['optimal', 'greedy'] as const) {
      const grid = { capacities: [4, 4], multiSiteFactor, select: selection };
      expect(planJobAtTimeZero(sites, makeJobToPlan(4, 10), grid)).toEqual({ parts, start, end });
    }
  });
});

describe('non-adaptive selection', () => {
  const grid: GridOptionChanges = { capacities: [1, 1, 1], speeds: [1, 2, 4], select: 'non-adaptive' };

  test.each([
    ['home, though others are faster', ['1', '1', '1'], '0:1', 0],
    ['another now, though home would end sooner', ['0, 1 from 0.1', '0, 1 from 9', '1'], '2:1', 0],
    ['of those the one that ends first', ['0, 1 from 5', '1', '1'], '2:1', 0],
    ['not one that ends first but starts later', ['0, 1 from 5', '1', '0, 1 from 1'], '1:1', 0],
    ['home, when nothing can start now', ['0, 1 from 5', '0, 1 from 3', '0, 1 from 1'], '0:1', 5],
  ])('%s', (_, sites, parts, start) => {
    expect(planJobAtTimeZero(sites, makeJobToPlan(1, 10), grid)).toMatchObject({ parts, start });
  });

  // Sites of 2, 3 and 2 processors, the last one fastest.
  const gridOptionsOfSeveralSites: GridOptionChanges = { ...grid, capacities: [2, 3, 2], multiSiteFactor: 2 };
  const ones = ['1, 2 from 4', '1, 3 from 4', '1, 2 from 4'];

  test('several sites come last of what can start now, but before home later', () => {
    // Sites {2, 1} take 2 x 10 / 2 s.
    expect(planJobAtTimeZero(ones, makeJobToPlan(2, 10), gridOptionsOfSeveralSites)).toEqual({
      parts: '2:1 1:1',
      start: 0,
      end: 10,
    });
    const gridOptionsForSingleSites = { ...gridOptionsOfSeveralSites, multiSiteFactor: undefined };
    expect(planJobAtTimeZero(ones, makeJobToPlan(2, 10), gridOptionsForSingleSites)).toEqual({
      parts: '0:2',
      start: 4,
      end: 14,
    });
  });

  test('of several sites now, those that end first', () => {
    // Sites {2, 1} could start at 4 s; all three can start now.
    expect(planJobAtTimeZero(ones, makeJobToPlan(3, 10), gridOptionsOfSeveralSites)).toEqual({
      parts: '2:1 1:1 0:1',
      start: 0,
      end: 20,
    });
  });

  test('another site now comes before several, though these would end sooner', () => {
    // Site 1 takes 40 / 0.5 s, sites {2, 0} would take 40 s.
    const grid = { ...gridOptionsOfSeveralSites, speeds: [1, 0.5, 4], multiSiteFactor: 1 };
    const plan = planJobAtTimeZero(['1, 2 from 4', '2, 3 from 4', '1, 2 from 4'], makeJobToPlan(2, 40), grid);
    expect(plan).toEqual({ parts: '1:2', start: 0, end: 80 });
  });

  test('home too narrow, nothing now: another site, though several would end sooner', () => {
    const sites = ['0, 2 from 4', '0, 2 from 4, 3 from 90', '0, 2 from 4'];
    expect(planJobAtTimeZero(sites, makeJobToPlan(3, 10), gridOptionsOfSeveralSites)).toEqual({
      parts: '1:3',
      start: 90,
      end: 95,
    });
  });

  test('too wide for any site: the best of several', () => {
    // Sites {2, 1} would end at 50 + 10 s, all three end at 4 + 20 s.
    const sites = ['0, 2 from 4', '0, 1 from 4, 3 from 50', '2'];
    expect(planJobAtTimeZero(sites, makeJobToPlan(5, 10), gridOptionsOfSeveralSites)).toEqual({
      parts: '2:2 1:1 0:2',
      start: 4,
      end: 24,
    });
  });
});
