import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type WidthRules, widestSiteByHome } from '../../host/workload/pieces.js';

/** Width of the widest site that a job may use, found by checking every site for every home. */
function findWidestSiteWidths({
  capacities,
  speeds = [],
  minSpeedRatio = 0,
  placement,
}: WidthRules): number[] {
  return capacities.map((capacity, home) => {
    if (placement === 'home') return capacity;
    if (placement === 'multi-site') return Math.max(...capacities);
    const candidates = capacities.filter((_, site) => speeds[site] >= minSpeedRatio * speeds[home]);
    return Math.max(0, placement === 'reclaim' ? capacity : 0, ...candidates);
  });
}

test('the widest site of each home is that of a search of all sites', () => {
  const sites = fc.array(fc.tuple(fc.integer({ min: 1, max: 9 }), fc.constantFrom(0.5, 1, 1.5, 2, 3)), {
    minLength: 1,
    maxLength: 9,
  });
  const placementArbitrary = fc.constantFrom(
    ...(['single-site', 'home', 'reclaim', 'multi-site', 'moldable'] as const),
  );
  fc.assert(
    fc.property(
      sites,
      fc.constantFrom(0, 0.5, 1, 1.5, 4),
      placementArbitrary,
      (list, minSpeedRatio, placement) => {
        const [capacities, speeds] = [0, 1].map((field) => list.map((site) => site[field]));
        const rules = { capacities, speeds, minSpeedRatio, placement };
        expect(widestSiteByHome(rules)).toEqual(findWidestSiteWidths(rules));
      },
    ),
  );
});

test('of 20,000 sites at once', () => {
  const capacities = Array.from({ length: 20_000 }, (_, site) => 1 + (site % 100));
  const speeds = capacities.map((_, site) => 1 + site / 1000);
  const cpuUsageAtStart = process.cpuUsage();
  expect(Math.max(...widestSiteByHome({ capacities, speeds, minSpeedRatio: 0.5 }))).toBe(100);
  expect(process.cpuUsage(cpuUsageAtStart).user).toBeLessThan(2_000_000);
});
