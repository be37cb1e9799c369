/** A value of every option of a simulation, with the other options it needs, for tests that walk all of them. */

/** Options of a simulation as texts by name; a switch is `true`. */
export type OptionTexts = Readonly<Record<string, string>>;

/** Jobs that wait for each other, of three users and two queues, some longer than they request, some behind others. */
export const LOG = `; MaxProcs: 8\n; Queue: 1 one\n; Queue: 2 two\n${Array.from({ length: 60 }, (_, i) => {
  const runtime = 40 + ((i * 53) % 170);
  const requested = i % 5 === 0 ? runtime - 20 : runtime + ((i * 31) % 200);
  const before = i % 4 === 3 ? `${i - 1} 15` : '-1 -1';
  return `${i + 1} ${31 * i} -1 ${runtime} ${1 + ((i * 5) % 6)} -1 -1 ${1 + ((i * 5) % 6)} ${requested} -1 1 ${1 + (i % 3)} ${1 + (i % 2)} -1 ${1 + (i % 2)} -1 ${before}`;
}).join('\n')}\n`;

const TWO_SITES = { sites: '8,6', speeds: '1,2' };

/** By option: settings in which it says something. */
export const SAMPLES: Readonly<Record<string, readonly OptionTexts[]>> = {
  preset: [{ preset: 'huang2007', sites: '128,32,64,128,64', home: 'queue' }],
  filter: [{ filter: 'first=40' }],
  format: [{ format: 'swf' }],
  sort: [{ sort: 'true' }],
  'skip-bad-lines': [{ 'skip-bad-lines': 'true' }],
  arrival: [{ arrival: 'submit' }],
  columns: [{ columns: 'submit=queued,runtime=duration' }],
  'time-zone': [{ 'time-zone': '+01:00' }],
  'no-limit': [{ 'no-limit': '100', discipline: 'easy' }],
  rebase: [{ rebase: 'true' }],
  perturb: [
    { perturb: 'shake[submit=20,runtime=0.2,seed=4]' },
    { perturb: 'resample[by=user,block=600,seed=2]' },
  ],
  replication: [{ replication: '2' }],
  home: [{ ...TWO_SITES, home: 'queue', queue: 'per-home' }],
  rc: [{ rc: '0.5' }],
  'max-width': [{ 'max-width': '3' }],
  'short-runtime': [{ 'short-runtime': '5' }],
  'narrow-width': [{ 'narrow-width': '2' }],
  oversize: [
    { sites: '5', oversize: 'drop' },
    { sites: '5', oversize: 'split' },
  ],
  'arrival-scale': [{ 'arrival-scale': '0.7' }],
  'offered-load': [{ 'offered-load': '0.9' }],
  'runtime-scale': [{ 'runtime-scale': '1.5' }],
  estimates: [
    { estimates: 'exact', order: 'shortest' },
    { estimates: 'uniform:0.3:5', discipline: 'sjf' },
    { estimates: 'recent[n=2]', discipline: 'easy' },
    { estimates: 'recent[n=1]', order: 'f2', discipline: 'conservative' },
    { estimates: 'recent[n=2]', order: 'f1', discipline: 'easy', 'backfill-order': '-estimate / processors' },
    { estimates: 'none', policy: 'dynamic[every=5,candidates=best-fit+ti,futures=2]', ...TWO_SITES },
  ],
  kill: [{ kill: 'at-estimate' }],
  dependencies: [{ dependencies: 'true' }],
  'data-size': [
    { 'data-size': 'exponential[mean=1e3,seed=1]', ...TWO_SITES, discipline: 'easy', bandwidth: '100' },
  ],
  sites: [{ sites: '8,8,4' }],
  speeds: [{ sites: '8,8,4', speeds: 'draw[sh=0.2,seed=3]' }],
  heterogeneity: [{ sites: '8,6', heterogeneity: '1,0.5' }],
  policy: [{ ...TWO_SITES, policy: 'ai2' }],
  load: [{ load: '1.4' }],
  'warm-up': [{ 'warm-up': '500' }],
  'cool-down': [{ 'cool-down': '300' }],
  'time-resolution': [{ 'time-resolution': 'floor', load: '1.3' }],
  instant: [{ instant: 'batched' }],
  'min-speed-ratio': [{ ...TWO_SITES, 'min-speed-ratio': '1', home: 'queue' }],
  order: [
    { order: 'widest' },
    { order: 'wfp3', discipline: 'easy' },
    { order: 'estimate * sqrt(processors)' },
    { order: 'f2', discipline: 'conservative' },
  ],
  'backfill-order': [{ 'backfill-order': 'shortest', discipline: 'easy' }],
  discipline: [
    { discipline: 'easy' },
    { discipline: 'conservative' },
    { discipline: 'sjf' },
    { discipline: 'first-available' },
  ],
  queue: [{ ...TWO_SITES, queue: 'independent', oversize: 'split' }],
  reclaim: [{ ...TWO_SITES, queue: 'per-home', reclaim: 'true' }],
  'multi-site': [{ ...TWO_SITES, 'multi-site': 'larger-first' }],
  'multi-site-overhead': [{ ...TWO_SITES, 'multi-site': 'adaptive', 'multi-site-overhead': '0.5' }],
  moldable: [{ moldable: 'down' }, { moldable: 'up-down', sites: '8' }],
  'moldable-threshold': [{ moldable: 'down', 'moldable-threshold': '1.5' }],
  'moldable-fit': [{ ...TWO_SITES, moldable: 'down', 'moldable-fit': 'power' }],
  speedup: [{ moldable: 'down', speedup: 'downey[A=6,sigma=0.5]' }],
  'reservation-depth': [
    { 'reservation-depth': '2', discipline: 'easy' },
    { ...TWO_SITES, 'reservation-depth': 'all', discipline: 'easy', policy: 'fastest-first' },
  ],
  reservations: [
    { reservations: 'replanned', discipline: 'conservative' },
    { ...TWO_SITES, reservations: 'kept', discipline: 'conservative', policy: 'ai2' },
  ],
  select: [{ ...TWO_SITES, discipline: 'easy', select: 'optimal' }],
  'multi-site-factor': [{ ...TWO_SITES, discipline: 'easy', 'multi-site-factor': '1.3' }],
  'runtime-reference': [{ ...TWO_SITES, discipline: 'easy', 'runtime-reference': 'home' }],
  interval: [{ discipline: 'easy', interval: '50' }],
  bandwidth: [{ ...TWO_SITES, discipline: 'easy', bandwidth: '100', 'data-size': '500' }],
  latency: [{ ...TWO_SITES, discipline: 'conservative', bandwidth: '100', latency: '3', 'data-size': '500' }],
};

/** The options as words of a command line. */
export function wordsOf(options: OptionTexts): string[] {
  return Object.entries(options).flatMap(([name, text]) =>
    text === 'true' ? [`--${name}`] : [`--${name}=${text}`],
  );
}
