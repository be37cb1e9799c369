import { expect, test } from 'vitest';
import { settingDifferences, textsIn } from '../../host/options/document.js';
import { OPTIONS, type OptionKey } from '../../host/options/options.js';

/** Two simulations differ in those settings alone that are different, however they are spelled. */

/** What an option needs to say anything. */
const NEEDED: Partial<Record<OptionKey, string>> = {
  latency: '--discipline easy --bandwidth 5',
  multiSiteOverhead: '--multi-site adaptive',
  moldableThreshold: '--moldable down',
  moldableFit: '--moldable down',
  speedup: '--moldable down',
  select: '--discipline easy',
  multiSiteFactor: '--discipline easy',
  runtimeReference: '--discipline easy',
  interval: '--discipline easy',
  bandwidth: '--discipline easy',
};

/**
 * Spellings of one value of each option, as words of a command, `''` where nothing is said; and one of another value. The
 * workload is no option of the command line.
 */
const SPELLINGS: Readonly<Record<Exclude<OptionKey, 'workload'>, readonly (readonly string[])[]>> = {
  preset: [['--preset shih2010'], ['--preset huang2007'], ['']],
  filter: [
    ['--filter status=1 --filter queue=1-5', '--filter status=1-1 --filter queue=1-5'],
    [''],
    ['--filter status=1'],
  ],
  format: [['--format swf'], ['']],
  sort: [['--sort'], ['']],
  skipBadLines: [['--skip-bad-lines'], ['']],
  arrival: [['', '--arrival eligible'], ['--arrival submit']],
  columns: [['--columns submit=queued'], [''], ['--columns submit=sent']],
  timeZone: [['--time-zone +01:00'], ['']],
  noLimit: [['--no-limit 7d', '--no-limit 604800'], [''], ['--no-limit 8d']],
  rebase: [['--rebase'], ['']],
  perturb: [
    ['--perturb shake[submit=30,runtime=0,seed=1]', '--perturb shake', '--perturb shake[seed=1]'],
    [''],
    ['--perturb shake[seed=2]'],
  ],
  replication: [['--replication 2'], [''], ['--replication 3']],
  home: [['--home queue'], ['--home user']],
  rc: [['--rc 0.5', '--rc .5'], [''], ['--rc 0.6']],
  maxWidth: [['--max-width 8', '--max-width +8'], [''], ['--max-width 9']],
  shortRuntime: [['', '--short-runtime 1h', '--short-runtime 3600'], ['--short-runtime 2h']],
  narrowWidth: [['', '--narrow-width 8'], ['--narrow-width 9']],
  oversize: [['', '--oversize error'], ['--oversize drop']],
  arrivalScale: [['', '--arrival-scale 1', '--arrival-scale 1.0'], ['--arrival-scale 2']],
  offeredLoad: [['--offered-load 0.7', '--offered-load .7', '--offered-load 7e-1'], ['']],
  runtimeScale: [['', '--runtime-scale 1'], ['--runtime-scale 2']],
  estimates: [
    ['--estimates normal:0.2', '--estimates normal:0.20:1'],
    ['', '--estimates trace'],
    ['--estimates normal:0.2:2'],
  ],
  kill: [['--kill at-estimate'], ['']],
  dependencies: [['--dependencies'], ['']],
  dataSize: [['', '--data-size 0', '--data-size 0.0'], ['--data-size 10']],
  sites: [['--sites 64,64', '--sites 64,+64'], ['--sites 64'], ['--sites 128']],
  speeds: [
    ['', '--speeds 1', '--speeds 1,1', '--speeds 1.0,1', '--heterogeneity 1,1'],
    ['--speeds 1,2', '--heterogeneity 1,0.5'],
  ],
  heterogeneity: [['--heterogeneity 0.5,0.25', '--speeds 2,4'], ['--heterogeneity 0.3,0.7'], ['']],
  policy: [
    ['--policy fastest-first', '--policy ff'],
    ['', '--policy best-fit', '--policy bf'],
    ['--policy ti[sht=0.05,slt=2]', '--policy ti[slt=2.0]'],
  ],
  load: [['', '--load 1', '--load 1,1', '--load 1,1.0,1'], ['--load 2,1'], ['--load 2', '--load 2,2']],
  warmUp: [
    ['', '--warm-up 0'],
    ['--warm-up 10', '--warm-up 1e1'],
  ],
  coolDown: [['', '--cool-down 0'], ['--cool-down 10']],
  timeResolution: [['', '--time-resolution exact'], ['--time-resolution floor']],
  instant: [['', '--instant per-event'], ['--instant batched']],
  minSpeedRatio: [['', '--min-speed-ratio 0', '--min-speed-ratio 0.0'], ['--min-speed-ratio 0.5']],
  order: [
    ['--order shortest', '--order estimate', '--discipline sjf', '--discipline fcfs --order shortest'],
    ['', '--order submit', '--order 0'],
    ['--order processors*estimate', '--order processors * estimate'],
  ],
  backfillOrder: [
    ['--discipline easy --backfill-order shortest', '--discipline easy --backfill-order estimate'],
    ['--discipline easy'],
  ],
  discipline: [
    ['', '--discipline fcfs'],
    ['--discipline easy', '--discipline easy --select greedy'],
    ['--discipline ljf'],
  ],
  queue: [['', '--queue shared'], ['--queue per-home']],
  reclaim: [['--queue per-home --reclaim'], ['--queue per-home']],
  multiSite: [['--multi-site adaptive'], ['']],
  multiSiteOverhead: [
    ['--multi-site-overhead 0', ''],
    ['--multi-site-overhead 0.5', '--multi-site-overhead .5'],
  ],
  moldable: [['--moldable down'], ['']],
  moldableThreshold: [['--moldable-threshold 2', '--moldable-threshold 2.0'], ['']],
  moldableFit: [['', '--moldable-fit demand'], ['--moldable-fit power']],
  speedup: [
    ['', '--speedup linear'],
    ['--speedup downey[A=16,sigma=1]', '--speedup downey[sigma=1,A=16.0]'],
  ],
  reservationDepth: [
    ['--discipline easy', '--discipline easy --reservation-depth 1'],
    ['--discipline easy --reservation-depth 2'],
    ['--discipline easy --reservation-depth all'],
  ],
  reservations: [
    ['--discipline conservative --reservations kept'],
    ['--discipline conservative --reservations replanned'],
  ],
  select: [['', '--select greedy'], ['--select optimal']],
  multiSiteFactor: [['--multi-site-factor 1.2', '--multi-site-factor 1.20'], ['']],
  runtimeReference: [['', '--runtime-reference speed1'], ['--runtime-reference home']],
  interval: [['--interval 600', '--interval 6e2'], ['']],
  bandwidth: [['--bandwidth 5', '--bandwidth 5,5;5,5', '--bandwidth 0,5;5,0'], ['--bandwidth 0,5;6,0'], ['']],
  latency: [['', '--latency 0', '--latency 0,0;0,0', '--latency 7,0;0,9'], ['--latency 2']],
};

function textsOf(key: OptionKey, spelling: string): Record<string, string> {
  const text = [NEEDED[key] ?? '', spelling].filter((part) => part !== '').join(' ');
  const options = text.split(/ (?=--)/).flatMap((part) => {
    const blank = part.indexOf(' ');
    return blank < 0 ? [part] : [part.slice(0, blank), part.slice(blank + 1)];
  });
  return textsIn(options);
}

test('every option has spellings', () => {
  const keys = Object.values(OPTIONS).map(({ key }) => key);
  expect(Object.keys(SPELLINGS).sort()).toEqual(keys.filter((key) => key !== 'workload').sort());
});

test.each(Object.entries(SPELLINGS))('%s', (name, values) => {
  const key = name as OptionKey;
  for (const [i, spellings] of values.entries()) {
    for (const one of spellings) {
      for (const other of spellings) {
        expect(settingDifferences(textsOf(key, one), textsOf(key, other)), `${one} | ${other}`).toEqual([]);
      }
      for (const others of values.slice(i + 1)) {
        for (const other of others) {
          expect(settingDifferences(textsOf(key, one), textsOf(key, other)), `${one} | ${other}`).not.toEqual(
            [],
          );
        }
      }
    }
  }
});

test('options without effect in a simulation are no difference', () => {
  const [first, easy] = ['', '--discipline easy --select greedy'].map((text) => textsOf('queue', text));
  expect(settingDifferences(first, easy).map(({ name }) => name)).toEqual(['discipline']);
});

test('what another core or version wrote is compared as text', () => {
  const [one, other] = ['mine[x=1]', 'mine[x=2]'].map((text) => textsOf('policy', `--policy ${text}`));
  expect(settingDifferences(one, one)).toEqual([]);
  expect(settingDifferences(one, other)).toEqual([{ name: 'policy', a: 'mine[x=1]', b: 'mine[x=2]' }]);
});

test('differences are given in texts that options take', () => {
  for (const [name, values] of Object.entries(SPELLINGS)) {
    const key = name as OptionKey;
    const [[one], [other]] = values.slice(-2);
    for (const { name: option, a, b } of settingDifferences(textsOf(key, one), textsOf(key, other))) {
      for (const text of [a, b].filter((each) => each !== '-')) {
        expect(() => OPTIONS[option].read(text, option), `${option} ${text}`).not.toThrow();
      }
    }
  }
});
