import { expect, test } from 'vitest';
import { makeGrid } from '../../host/grid/grid.js';
import { makeConfiguration, type SimulationOptions } from '../../host/options/configuration.js';
import type { Settings } from '../../host/options/options.js';
import {
  formatBibtexEntry,
  makeBibtexEntriesOfLog,
  makeBibtexEntriesOfSettings,
} from '../../host/reports/references.js';

const ONE = makeGrid({ capacities: [100] });
const TWO_SITE_GRID = makeGrid({ capacities: [8, 16], speeds: [1, 2] });

/** Citation keys of the publications on one method. */
function keys(
  options: SimulationOptions,
  settings: Partial<Settings> = {},
  perturb = '',
  grid = ONE,
): string[] {
  const settingWithCitedWorks = {
    settings: { workload: 'a.swf', ...settings } as Settings,
    configurations: [makeConfiguration(grid, options)],
    perturb,
  };
  return makeBibtexEntriesOfSettings([settingWithCitedWorks]).map(
    (bibtexEntry) => /^@\w+\{([^,]+),/.exec(bibtexEntry)![1]!,
  );
}

test('each rule that is used has its papers, and no other', () => {
  expect(keys({})).toEqual([]);
  expect(keys({ discipline: 'easy' })).toEqual(['lifka1995', 'mualem2001']);
  expect(keys({ discipline: 'conservative' })).toEqual(['mualem2001']);
  expect(keys({ order: 'f1' })).toEqual(['carastan2017']);
  expect(keys({ discipline: 'easy', backfillOrder: 'wfp3' })).toEqual([
    'lifka1995',
    'mualem2001',
    'tang2009',
  ]);
  expect(keys({ discipline: 'easy', backfillOrder: 'shortest' })).toContain('tsafrir2007');
  expect(keys({ policy: 'tai2' }, {}, '', TWO_SITE_GRID)).toEqual(['shih2010']);
  expect(keys({ policy: 'fastest-first' }, {}, '', TWO_SITE_GRID)).toEqual([]);
  expect(keys({ discipline: 'easy' }, {}, '', TWO_SITE_GRID)).toContain('zhang2006');
  expect(keys({ moldable: 'down' }, {}, '', TWO_SITE_GRID)).toContain('huang2009');
});

test('models and perturbations have theirs', () => {
  expect(keys({}, { workload: 'lublin99[jobs=10]' })).toEqual(['lublin2003']);
  expect(keys({}, {}, 'shake[submit=30,runtime=0,seed=1]')).toEqual(['shaking2007']);
  expect(keys({}, {}, 'resample[by=user,block=604800,seed=1]')).toEqual(['zakay2014']);
});

test('a log is cited by its header, and its archive where that names it', () => {
  const headerValues = (headerKey: string) =>
    ({ Computer: ['IBM SP2'], Acknowledge: ['A & B'] })[headerKey] ?? [];
  const lines = ['; Information: http://www.cs.huji.ac.il/labs/parallel/workload/'];
  const bibtexEntries = makeBibtexEntriesOfLog({
    name: 'dir/kth_1.swf',
    header: { lines } as never,
    sha256: 'a'.repeat(64),
    valuesOf: headerValues,
  });
  expect(bibtexEntries).toHaveLength(2);
  expect(bibtexEntries[0]).toContain('@misc{log-kth-1-swf,');
  expect(bibtexEntries[0]).toContain('title = {{Job log of IBM SP2}}');
  expect(bibtexEntries[0]).toContain(
    'kth\\_1.swf, SHA-256 of the jobs aaaaaaaaaaaa; its header acknowledges A \\& B',
  );
  expect(bibtexEntries[1]).toContain('@article{archive2014,');
  expect(
    makeBibtexEntriesOfLog({
      name: 'lublin99[jobs=10]',
      header: { lines } as never,
      sha256: '',
      valuesOf: headerValues,
    }),
  ).toEqual([]);
});

test('an entry has its fields in order', () => {
  expect(formatBibtexEntry('misc', 'a', { b: 'c', d: 'e' })).toBe('@misc{a,\n  b = {c},\n  d = {e}\n}');
});
