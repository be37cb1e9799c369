import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { drawSpeeds, parseSpeeds, ROOTS } from '../../host/grid/grid.js';

const capacities = [8, 128, 128, 128, 50];

function computeMeanSpeedRatio(heterogeneity: number, rootOfSpeeds: (typeof ROOTS)[number]): number {
  let sum = 0;
  for (let seed = 1; seed <= 600; seed++) {
    const speeds = drawSpeeds({ capacities, heterogeneity, seed, root: rootOfSpeeds });
    sum += Math.max(...speeds) / Math.min(...speeds);
  }
  return sum / 600;
}

describe('drawSpeeds', () => {
  it('keeps total power and heterogeneity (Shih et al. 2010, eqs. 18, 19) and the floor', () => {
    const grids = fc.array(fc.integer({ min: 8, max: 512 }), { minLength: 3, maxLength: 8 });
    fc.assert(
      fc.property(
        grids,
        fc.double({ min: 0.01, max: 0.1, noNaN: true }),
        fc.nat(),
        fc.constantFrom(...ROOTS),
        (sites, heterogeneity, seed, rootOfSpeeds) => {
          const speeds = drawSpeeds({ capacities: sites, heterogeneity, seed, root: rootOfSpeeds });
          const totalProcessors = sites.reduce((sum, capacity) => sum + capacity, 0);
          const totalSpeed = speeds.reduce((sum, speed, j) => sum + speed * sites[j], 0);
          const variance = speeds.reduce((sum, speed) => sum + (speed - 1) ** 2, 0) / speeds.length;
          expect(Math.abs(totalSpeed / totalProcessors - 1)).toBeLessThan(1e-9);
          expect(Math.abs(variance - heterogeneity)).toBeLessThan(1e-9);
          expect(Math.min(...speeds)).toBeGreaterThanOrEqual(0.1);
        },
      ),
    );
  });

  it.each([
    ['lower', 0.06, 1.9],
    ['lower', 0.12, 2.6],
    ['lower', 0.18, 3.3],
    ['lower', 0.24, 4.7],
    ['random', 0.06, 2.0],
    ['random', 0.12, 2.9],
    ['random', 0.18, 4.3],
    ['random', 0.24, 5.4],
  ] as const)(
    '%s root, SH %d: fastest to slowest about %d on average',
    (rootOfSpeeds, heterogeneity, ratio) => {
      const mean = computeMeanSpeedRatio(heterogeneity, rootOfSpeeds);
      expect(mean).toBeGreaterThan(0.92 * ratio);
      expect(mean).toBeLessThan(1.08 * ratio);
    },
  );

  it('orders the roots by the second last speed', () => {
    for (let seed = 0; seed < 50; seed++) {
      const drawSpeedsOfRoot = (rootOfSpeeds: (typeof ROOTS)[number]) =>
        drawSpeeds({ capacities, heterogeneity: 0.02, seed, root: rootOfSpeeds });
      const [lowerSpeeds, upper, random] = [
        drawSpeedsOfRoot('lower'),
        drawSpeedsOfRoot('upper'),
        drawSpeedsOfRoot('random'),
      ];
      if (lowerSpeeds[0] !== upper[0]) continue;
      expect(lowerSpeeds[3]).toBeLessThan(upper[3]);
      if (random[0] === lowerSpeeds[0]) expect([lowerSpeeds, upper]).toContainEqual(random);
    }
  });

  it('gives the same bits on every machine', () => {
    expect(drawSpeeds({ capacities, heterogeneity: 0.12, seed: 1 })).toEqual([
      1.243650908223362, 1.2119160267297304, 1.39265248488784, 0.42919169359403675, 0.8745897293425474,
    ]);
  });

  it('is all ones without heterogeneity', () => {
    expect(drawSpeeds({ capacities, heterogeneity: 0, seed: 1 })).toEqual([1, 1, 1, 1, 1]);
  });

  it('says why it cannot draw', () => {
    expect(() => drawSpeeds({ capacities: [8, 8], heterogeneity: 0.1, seed: 1 })).toThrow(
      'three sites or more',
    );
    expect(() => drawSpeeds({ capacities, heterogeneity: -1, seed: 1 })).toThrow('at least 0');
    expect(() => drawSpeeds({ capacities: [1, 1, 1], heterogeneity: 50, seed: 1 })).toThrow(
      'no speed vector of heterogeneity 50 with every speed at least 0.1',
    );
  });
});

describe('parseSpeeds', () => {
  it('reads lists and draws', () => {
    expect(parseSpeeds('1,3,4,4,8', capacities)).toEqual([1, 3, 4, 4, 8]);
    expect(parseSpeeds('draw[sh=0.12,seed=7,root=upper]', capacities)).toEqual(
      drawSpeeds({ capacities, heterogeneity: 0.12, seed: 7, root: 'upper' }),
    );
    expect(parseSpeeds('draw[sh=0.12]', capacities)).toEqual(
      drawSpeeds({ capacities, heterogeneity: 0.12, seed: 1, root: 'lower' }),
    );
    expect(Math.min(...parseSpeeds('draw[sh=0.12,floor=0.6]', capacities))).toBeGreaterThanOrEqual(0.6);
  });

  it.each([
    ['1,x', 'speeds, entry 2: expected a number above 0'],
    ['1,0', 'speeds, entry 2'],
    ['drow[sh=1]', "did you mean 'draw'?"],
    ['draw[she=1]', "unknown parameter of draw 'she'; did you mean 'sh'?"],
    ['draw[sh=1,root=low]', "unknown root of draw 'low'"],
    ['draw', 'need the heterogeneity'],
    ['draw[sh=-1]', 'sh of draw: expected a number of at least 0'],
  ])('refuses %s', (text, message) => {
    expect(() => parseSpeeds(text, capacities)).toThrow(message);
  });
});
