import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkLoad, makeGrid, parseCapacities, speedHeterogeneity } from '../../host/grid/grid.js';

describe('makeGrid', () => {
  it('takes speeds, factors, or neither', () => {
    const capacities = [64, 64, 128];
    expect(makeGrid({ capacities })).toEqual({ capacities, speeds: [1, 1, 1] });
    expect(makeGrid({ capacities, speeds: [1, 3, 0.5] }).speeds).toEqual([1, 3, 0.5]);
    expect(makeGrid({ capacities, heterogeneity: [1.4, 0.6, 1] }).speeds).toEqual([1 / 1.4, 1 / 0.6, 1]);
  });

  it.each([
    [{ capacities: [] }, 'at least one site'],
    [{ capacities: [8, 0] }, 'capacity of site 2: expected a whole number above 0, found 0'],
    [{ capacities: [8, 1.5] }, 'capacity of site 2'],
    [{ capacities: [2 ** 31] }, 'capacity of site 1'],
    [
      { capacities: [8, 8], speeds: [1] },
      'speed: found 1 value for a grid of 2 sites; give one value per site',
    ],
    [{ capacities: [8, 8], speeds: [1, 0] }, 'speed of site 2: expected a number above 0, found 0'],
    [{ capacities: [8], speeds: [Number.POSITIVE_INFINITY] }, 'speed of site 1'],
    [{ capacities: [8], heterogeneity: [-1] }, 'heterogeneity factor of site 1'],
    [
      { capacities: [8], heterogeneity: [1e-309] },
      'heterogeneity factor of site 1: expected a number from 1e-100 to 1e+100',
    ],
    [{ capacities: [8, 8], speeds: [1, 1e308] }, 'speed of site 2: expected a number from 1e-100 to 1e+100'],
    [{ capacities: [8], speeds: [1], heterogeneity: [1] }, 'give only one of them'],
  ])('refuses %j', (options, message) => {
    expect(() => makeGrid(options)).toThrow(message);
  });

  it('reads capacities', () => {
    expect(parseCapacities('8,128,128,128,50')).toEqual([8, 128, 128, 128, 50]);
    expect(() => parseCapacities('8,-1')).toThrow('sites, entry 2: expected a whole number of at least 1');
  });
});

describe('checkLoad', () => {
  const grid = makeGrid({ capacities: [8, 128, 50] });

  it('spreads one value over all sites', () => {
    expect(checkLoad([2], grid)).toEqual([2, 2, 2]);
    expect(checkLoad([5, 4, 1], grid)).toEqual([5, 4, 1]);
  });

  it.each([[[]], [[1, 2]], [[1, 2, 3, 4]], [[1, 0, 1]], [[Number.NaN]]])('refuses %j', (load) => {
    expect(() => checkLoad(load, grid)).toThrow('load');
  });
});

describe('speedHeterogeneity', () => {
  it('is the population variance around the plain mean', () => {
    expect(speedHeterogeneity([1, 3, 4, 4, 8])).toBe(5.2);
    expect(speedHeterogeneity([0.7])).toBe(0);
  });

  it('is zero for equal sites and grows with the square of the spread', () => {
    const speeds = fc.array(fc.integer({ min: 1, max: 1000 }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(speeds, (values) => {
        const doubledSpeeds = values.map((value) => 2 * value);
        expect(speedHeterogeneity(doubledSpeeds)).toBe(4 * speedHeterogeneity(values));
        expect(speedHeterogeneity(values.map(() => 3))).toBe(0);
      }),
    );
  });
});
