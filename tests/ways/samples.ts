/**
 * Sample values of every option of a simulation, with other required options, for tests over all
 * options.
 */

/** Options of a simulation as texts by name; a switch is `true`. */
export type OptionTexts = Readonly<Record<string, string>>;

/**
 * A log of jobs that wait for each other, of three users and two queues, some longer than
 * requested, some dependent, and of others that were cancelled while they waited.
 */
export const LOG = `; MaxProcs: 8\n; Queue: 1 one\n; Queue: 2 two\n${Array.from({ length: 60 }, (_, i) => {
  const cancelledJobLine = `${101 + i} ${31 * i} 90 0 -1 -1 -1 5 100 -1 5 1 1 -1 1 -1 -1 -1\n`;
  const runtime = 40 + ((i * 53) % 170);
  const requestedTime = i % 5 === 0 ? runtime - 20 : runtime + ((i * 31) % 200);
  const precedingJobFields = i % 4 === 3 ? `${i - 1} 15` : '-1 -1';
  return `${i % 20 === 7 ? cancelledJobLine : ''}${i + 1} ${31 * i} ${(i * 7) % 20} ${runtime} ${1 + ((i * 5) % 6)} -1 -1 ${1 + ((i * 5) % 6)} ${requestedTime} -1 1 ${1 + (i % 3)} ${1 + (i % 2)} -1 ${1 + (i % 2)} -1 ${precedingJobFields}`;
}).join('\n')}\n`;

const TWO_SITE_OPTIONS = { sites: '8,6', speeds: '1,2' };

/** Sample values of an option. */
interface OptionSamples {
  /** Settings in which the option has an effect. */
  readonly settings: readonly OptionTexts[];
  /** Values for the library, if they differ from the words of the command line. */
  readonly values?: readonly unknown[];
  /** Different values, each in all of its spellings on the command line; `''` is the default. */
  readonly spellings: readonly (readonly string[])[];
  /** Other options without which the spellings have no effect. */
  readonly companionOptions?: string;
  /**
   * True if recorded waits stay comparable with simulated ones: load, submissions and machine are
   * those of the log.
   */
  readonly keepsRecordedWait: boolean;
}

/**
 * Sample values by option name on the command line, for every option of a simulation except
 * `workload`.
 */
export const OPTION_SAMPLES: Readonly<Record<string, OptionSamples>> = {
  preset: {
    settings: [{ preset: 'huang2007', sites: '128,32,64,128,64', home: 'queue' }],
    spellings: [['--preset shih2010'], ['--preset huang2007'], ['']],
    keepsRecordedWait: false,
  },
  filter: {
    settings: [{ filter: 'first=40' }],
    spellings: [
      ['--filter status=1 --filter queue=1-5', '--filter status=1-1 --filter queue=1-5'],
      [''],
      ['--filter status=1'],
    ],
    keepsRecordedWait: false,
  },
  format: {
    settings: [{ format: 'swf' }],
    spellings: [['--format swf'], ['']],
    keepsRecordedWait: true,
  },
  sort: {
    settings: [{ sort: 'true' }],
    spellings: [['--sort'], ['']],
    keepsRecordedWait: true,
  },
  'skip-bad-lines': {
    settings: [{ 'skip-bad-lines': 'true' }],
    spellings: [['--skip-bad-lines'], ['']],
    keepsRecordedWait: true,
  },
  arrival: {
    settings: [{ arrival: 'submit' }],
    spellings: [['', '--arrival eligible'], ['--arrival submit']],
    keepsRecordedWait: true,
  },
  columns: {
    settings: [{ columns: 'submit=queued,runtime=duration' }],
    spellings: [['--columns submit=queued'], [''], ['--columns submit=sent']],
    keepsRecordedWait: true,
  },
  'time-zone': {
    settings: [{ 'time-zone': '+01:00' }],
    spellings: [['--time-zone +01:00'], ['']],
    keepsRecordedWait: true,
  },
  'no-limit': {
    settings: [{ 'no-limit': '100', discipline: 'easy' }],
    spellings: [['--no-limit 7d', '--no-limit 604800'], [''], ['--no-limit 8d']],
    keepsRecordedWait: true,
  },
  rebase: {
    settings: [{ rebase: 'true' }],
    spellings: [['--rebase'], ['']],
    keepsRecordedWait: true,
  },
  perturb: {
    settings: [
      { perturb: 'shake[submit=20,runtime=0.2,seed=4]' },
      { perturb: 'resample[by=user,block=600,seed=2]' },
    ],
    spellings: [
      ['--perturb shake[submit=30,runtime=0,seed=1]', '--perturb shake', '--perturb shake[seed=1]'],
      [''],
      ['--perturb shake[seed=2]'],
    ],
    keepsRecordedWait: false,
  },
  replication: {
    settings: [{ replication: '2' }],
    spellings: [['--replication 2'], [''], ['--replication 3']],
    keepsRecordedWait: false,
  },
  home: {
    settings: [{ ...TWO_SITE_OPTIONS, home: 'queue', queue: 'per-home' }],
    spellings: [['--home queue'], ['--home user']],
    keepsRecordedWait: true,
  },
  rc: {
    settings: [{ rc: '0.5' }],
    spellings: [['--rc 0.5', '--rc .5'], [''], ['--rc 0.6']],
    keepsRecordedWait: false,
  },
  'max-width': {
    settings: [{ 'max-width': '3' }],
    spellings: [['--max-width 8', '--max-width +8'], [''], ['--max-width 9']],
    keepsRecordedWait: false,
  },
  'short-runtime': {
    settings: [{ 'short-runtime': '5' }],
    spellings: [['', '--short-runtime 1h', '--short-runtime 3600'], ['--short-runtime 2h']],
    keepsRecordedWait: true,
  },
  'narrow-width': {
    settings: [{ 'narrow-width': '2' }],
    spellings: [['', '--narrow-width 8'], ['--narrow-width 9']],
    keepsRecordedWait: true,
  },
  oversize: {
    settings: [
      { sites: '5', oversize: 'drop' },
      { sites: '5', oversize: 'split' },
    ],
    spellings: [['', '--oversize error'], ['--oversize drop']],
    keepsRecordedWait: false,
  },
  'arrival-scale': {
    settings: [{ 'arrival-scale': '0.7' }],
    spellings: [['', '--arrival-scale 1', '--arrival-scale 1.0'], ['--arrival-scale 2']],
    keepsRecordedWait: false,
  },
  'offered-load': {
    settings: [{ 'offered-load': '0.9' }],
    spellings: [['--offered-load 0.7', '--offered-load .7', '--offered-load 7e-1'], ['']],
    keepsRecordedWait: false,
  },
  'load-machine': {
    settings: [{ 'offered-load': '0.9', 'load-machine': '8,4x2' }],
    spellings: [
      ['--load-machine 128x2', '--load-machine 128x2.0', '--load-machine 128 x 2'],
      [''],
      ['--load-machine 128'],
    ],
    companionOptions: '--offered-load 0.7',
    keepsRecordedWait: false,
  },
  'runtime-scale': {
    settings: [{ 'runtime-scale': '1.5' }],
    spellings: [['', '--runtime-scale 1'], ['--runtime-scale 2']],
    keepsRecordedWait: false,
  },
  estimates: {
    settings: [
      { estimates: 'exact', order: 'shortest' },
      { estimates: 'uniform:0.3:5', discipline: 'sjf' },
      { estimates: 'recent[n=2]', discipline: 'easy' },
      { estimates: 'recent[n=1]', order: 'f2', discipline: 'conservative' },
      {
        estimates: 'recent[n=2]',
        order: 'f1',
        discipline: 'easy',
        'backfill-order': '-estimate / processors',
      },
      { estimates: 'none', policy: 'dynamic[every=5,candidates=best-fit+ti,futures=2]', ...TWO_SITE_OPTIONS },
    ],
    spellings: [
      ['--estimates normal:0.2', '--estimates normal:0.20:1'],
      ['', '--estimates trace'],
      ['--estimates normal:0.2:2'],
    ],
    keepsRecordedWait: true,
  },
  cancelled: {
    settings: [{ cancelled: 'keep' }, { cancelled: 'keep', discipline: 'conservative' }],
    spellings: [['', '--cancelled drop'], ['--cancelled keep']],
    keepsRecordedWait: true,
  },
  kill: {
    settings: [{ kill: 'at-estimate' }],
    spellings: [['--kill at-estimate'], ['']],
    keepsRecordedWait: false,
  },
  dependencies: {
    settings: [{ dependencies: 'log' }, { dependencies: 'sessions[pause=40]' }],
    spellings: [['--dependencies', '--dependencies log'], ['--dependencies sessions[pause=40]'], ['']],
    keepsRecordedWait: false,
  },
  'data-size': {
    settings: [
      {
        'data-size': 'exponential[mean=1e3,seed=1]',
        ...TWO_SITE_OPTIONS,
        discipline: 'easy',
        bandwidth: '100',
      },
    ],
    spellings: [['', '--data-size 0', '--data-size 0.0'], ['--data-size 10']],
    keepsRecordedWait: false,
  },
  sites: {
    settings: [{ sites: '8,8,4' }],
    spellings: [['--sites 64,64', '--sites 64,+64'], ['--sites 64'], ['--sites 128']],
    keepsRecordedWait: true,
  },
  speeds: {
    settings: [{ sites: '8,8,4', speeds: 'draw[sh=0.2,seed=3]' }],
    spellings: [
      ['', '--speeds 1', '--speeds 1,1', '--speeds 1.0,1', '--heterogeneity 1,1'],
      ['--speeds 1,2', '--heterogeneity 1,0.5'],
    ],
    keepsRecordedWait: false,
  },
  heterogeneity: {
    settings: [{ sites: '8,6', heterogeneity: '1,0.5' }],
    spellings: [['--heterogeneity 0.5,0.25', '--speeds 2,4'], ['--heterogeneity 0.3,0.7'], ['']],
    keepsRecordedWait: false,
  },
  policy: {
    settings: [{ ...TWO_SITE_OPTIONS, policy: 'ai2' }],
    values: ['best-fit', 'fastest-first', 'ai2'],
    spellings: [
      ['--policy fastest-first', '--policy ff'],
      ['', '--policy best-fit', '--policy bf'],
      ['--policy ti[sht=0.05,slt=2]', '--policy ti[slt=2.0]'],
    ],
    keepsRecordedWait: true,
  },
  load: {
    settings: [{ load: '1.4' }],
    values: [2],
    spellings: [['', '--load 1', '--load 1,1', '--load 1,1.0,1'], ['--load 2,1'], ['--load 2', '--load 2,2']],
    keepsRecordedWait: false,
  },
  'warm-up': {
    settings: [{ 'warm-up': '500' }],
    values: [5],
    spellings: [
      ['', '--warm-up 0'],
      ['--warm-up 10', '--warm-up 1e1'],
    ],
    keepsRecordedWait: true,
  },
  'cool-down': {
    settings: [{ 'cool-down': '300' }],
    values: [5],
    spellings: [['', '--cool-down 0'], ['--cool-down 10']],
    keepsRecordedWait: true,
  },
  'time-resolution': {
    settings: [{ 'time-resolution': 'floor', load: '1.3' }],
    spellings: [['', '--time-resolution exact'], ['--time-resolution floor']],
    keepsRecordedWait: true,
  },
  instant: {
    settings: [{ instant: 'batched' }],
    spellings: [['', '--instant per-event'], ['--instant batched']],
    keepsRecordedWait: true,
  },
  'min-speed-ratio': {
    settings: [{ ...TWO_SITE_OPTIONS, 'min-speed-ratio': '1', home: 'queue' }],
    values: [1],
    spellings: [['', '--min-speed-ratio 0', '--min-speed-ratio 0.0'], ['--min-speed-ratio 0.5']],
    keepsRecordedWait: true,
  },
  order: {
    settings: [
      { order: 'widest' },
      { order: 'wfp3', discipline: 'easy' },
      { order: 'estimate * sqrt(processors)' },
      { order: 'f2', discipline: 'conservative' },
      { order: '2^(-wait / 1h) * estimate', discipline: 'easy' },
      { order: 'usage / share - min(1, wait / 1d)', discipline: 'conservative' },
      { order: 'multifactor[age=1000,maxAge=1h,fairshare=10000,size=500]', discipline: 'easy' },
    ],
    spellings: [
      ['--order shortest', '--order estimate', '--discipline sjf', '--discipline fcfs --order shortest'],
      ['', '--order submit', '--order 0'],
      ['--order processors*estimate', '--order processors * estimate'],
      [
        '--order multifactor[size=5]',
        '--order multifactor[size=5,age=0]',
        '--order -max(1, floor(5 * min(1, processors / siteProcessors)))',
      ],
    ],
    keepsRecordedWait: true,
  },
  'backfill-order': {
    settings: [{ 'backfill-order': 'shortest', discipline: 'easy' }],
    spellings: [
      ['--discipline easy --backfill-order shortest', '--discipline easy --backfill-order estimate'],
      ['--discipline easy'],
    ],
    keepsRecordedWait: true,
  },
  discipline: {
    settings: [
      { discipline: 'easy' },
      { discipline: 'conservative' },
      { discipline: 'sjf' },
      { discipline: 'first-available' },
    ],
    spellings: [
      ['', '--discipline fcfs'],
      ['--discipline easy', '--discipline easy --select greedy'],
      ['--discipline ljf'],
    ],
    keepsRecordedWait: true,
  },
  queue: {
    settings: [{ ...TWO_SITE_OPTIONS, queue: 'independent', oversize: 'split' }],
    spellings: [['', '--queue shared'], ['--queue per-home']],
    keepsRecordedWait: true,
  },
  reclaim: {
    settings: [{ ...TWO_SITE_OPTIONS, queue: 'per-home', reclaim: 'true' }],
    values: [true],
    spellings: [['--queue per-home --reclaim'], ['--queue per-home']],
    keepsRecordedWait: false,
  },
  'multi-site': {
    settings: [{ ...TWO_SITE_OPTIONS, 'multi-site': 'larger-first' }],
    spellings: [['--multi-site adaptive'], ['']],
    keepsRecordedWait: true,
  },
  'multi-site-overhead': {
    settings: [{ ...TWO_SITE_OPTIONS, 'multi-site': 'adaptive', 'multi-site-overhead': '0.5' }],
    values: [0.5],
    spellings: [
      ['--multi-site-overhead 0', ''],
      ['--multi-site-overhead 0.5', '--multi-site-overhead .5'],
    ],
    companionOptions: '--multi-site adaptive',
    keepsRecordedWait: false,
  },
  moldable: {
    settings: [{ moldable: 'down' }, { moldable: 'up-down', sites: '8' }],
    spellings: [['--moldable down'], ['']],
    keepsRecordedWait: false,
  },
  'moldable-threshold': {
    settings: [{ moldable: 'down', 'moldable-threshold': '1.5' }],
    values: [1.5],
    spellings: [['--moldable-threshold 2', '--moldable-threshold 2.0'], ['']],
    companionOptions: '--moldable down',
    keepsRecordedWait: false,
  },
  'moldable-fit': {
    settings: [{ ...TWO_SITE_OPTIONS, moldable: 'down', 'moldable-fit': 'power' }],
    spellings: [['', '--moldable-fit demand'], ['--moldable-fit power']],
    companionOptions: '--moldable down',
    keepsRecordedWait: false,
  },
  speedup: {
    settings: [{ moldable: 'down', speedup: 'downey[A=6,sigma=0.5]' }],
    values: [{ averageParallelism: 4, sigma: 0.5 }],
    spellings: [
      ['', '--speedup linear'],
      ['--speedup downey[A=16,sigma=1]', '--speedup downey[sigma=1,A=16.0]'],
    ],
    companionOptions: '--moldable down',
    keepsRecordedWait: false,
  },
  'reservation-depth': {
    settings: [
      { 'reservation-depth': '2', discipline: 'easy' },
      { ...TWO_SITE_OPTIONS, 'reservation-depth': 'all', discipline: 'easy', policy: 'fastest-first' },
    ],
    spellings: [
      ['--discipline easy', '--discipline easy --reservation-depth 1'],
      ['--discipline easy --reservation-depth 2'],
      ['--discipline easy --reservation-depth all'],
    ],
    keepsRecordedWait: true,
  },
  reservations: {
    settings: [
      { reservations: 'replanned', discipline: 'conservative' },
      { ...TWO_SITE_OPTIONS, reservations: 'kept', discipline: 'conservative', policy: 'ai2' },
    ],
    spellings: [
      ['--discipline conservative --reservations kept'],
      ['--discipline conservative --reservations replanned'],
    ],
    keepsRecordedWait: true,
  },
  select: {
    settings: [{ ...TWO_SITE_OPTIONS, discipline: 'easy', select: 'optimal' }],
    spellings: [['', '--select greedy'], ['--select optimal']],
    companionOptions: '--discipline easy',
    keepsRecordedWait: true,
  },
  'multi-site-factor': {
    settings: [{ ...TWO_SITE_OPTIONS, discipline: 'easy', 'multi-site-factor': '1.3' }],
    values: [1.5],
    spellings: [['--multi-site-factor 1.2', '--multi-site-factor 1.20'], ['']],
    companionOptions: '--discipline easy',
    keepsRecordedWait: false,
  },
  'runtime-reference': {
    settings: [{ ...TWO_SITE_OPTIONS, discipline: 'easy', 'runtime-reference': 'home' }],
    spellings: [['', '--runtime-reference speed1'], ['--runtime-reference home']],
    companionOptions: '--discipline easy',
    keepsRecordedWait: true,
  },
  interval: {
    settings: [{ discipline: 'easy', interval: '50' }],
    values: [7],
    spellings: [['--interval 600', '--interval 6e2'], ['']],
    companionOptions: '--discipline easy',
    keepsRecordedWait: true,
  },
  'pass-delay': {
    settings: [{ 'pass-delay': 'submit=30+end=5' }, { discipline: 'easy', 'pass-delay': '20' }],
    values: [7, { submit: 3, end: 0 }],
    spellings: [
      [
        '--pass-delay 60',
        '--pass-delay 1m',
        '--pass-delay submit=60,end=60',
        '--pass-delay submit=60+end=60',
      ],
      ['--pass-delay submit=3'],
      [''],
    ],
    keepsRecordedWait: true,
  },
  'backfill-interval': {
    settings: [
      { discipline: 'easy', 'backfill-interval': '60' },
      { discipline: 'conservative', 'backfill-interval': '45' },
      { ...TWO_SITE_OPTIONS, discipline: 'first-available', 'backfill-interval': '100' },
    ],
    values: [30],
    spellings: [['--backfill-interval 600', '--backfill-interval 10m'], ['']],
    companionOptions: '--discipline easy',
    keepsRecordedWait: true,
  },
  'backfill-offset': {
    settings: [{ discipline: 'easy', 'backfill-interval': '60', 'backfill-offset': '7' }],
    values: [7],
    spellings: [
      ['--backfill-offset 7', '--backfill-offset 7s'],
      ['', '--backfill-offset half'],
    ],
    companionOptions: '--discipline easy --backfill-interval 60',
    keepsRecordedWait: true,
  },
  'plan-by': {
    settings: [
      { discipline: 'easy', 'backfill-interval': '40', 'plan-by': 'node' },
      { discipline: 'conservative', 'backfill-interval': '30', 'plan-by': 'node' },
    ],
    spellings: [['--plan-by node'], ['', '--plan-by count']],
    companionOptions: '--discipline easy --backfill-interval 40',
    keepsRecordedWait: true,
  },
  'end-window': {
    settings: [
      { discipline: 'easy', 'backfill-interval': '40', 'plan-by': 'node', 'end-window': '30' },
      { discipline: 'conservative', 'backfill-interval': '30', 'end-window': '90' },
    ],
    values: [30],
    spellings: [['--end-window 30', '--end-window 30s'], ['']],
    companionOptions: '--discipline easy --backfill-interval 40 --plan-by node',
    keepsRecordedWait: true,
  },
  'backfill-overlap': {
    settings: [
      { discipline: 'easy', 'backfill-interval': '40', 'plan-by': 'node', 'backfill-overlap': 'closed' },
      { discipline: 'conservative', 'backfill-interval': '30', 'backfill-overlap': 'closed' },
    ],
    spellings: [['--backfill-overlap closed'], ['', '--backfill-overlap open']],
    companionOptions: '--discipline easy --backfill-interval 40 --plan-by node',
    keepsRecordedWait: true,
  },
  'backfill-resolution': {
    settings: [
      { discipline: 'easy', 'backfill-interval': '40', 'plan-by': 'node', 'backfill-resolution': '60' },
      { discipline: 'easy', 'backfill-interval': '40', 'backfill-resolution': '90' },
    ],
    values: [60],
    spellings: [['--backfill-resolution 60', '--backfill-resolution 1m'], ['']],
    companionOptions: '--discipline easy --backfill-interval 40 --plan-by node',
    keepsRecordedWait: true,
  },
  'backfill-jobs': {
    settings: [{ discipline: 'easy', 'backfill-interval': '40', 'plan-by': 'node', 'backfill-jobs': '2' }],
    values: [2],
    spellings: [['--backfill-jobs 2'], ['']],
    companionOptions: '--discipline easy --backfill-interval 40 --plan-by node',
    keepsRecordedWait: true,
  },
  'backfill-segments': {
    settings: [
      { discipline: 'easy', 'backfill-interval': '40', 'plan-by': 'node', 'backfill-segments': '3' },
    ],
    values: [3],
    spellings: [['--backfill-segments 3'], ['']],
    companionOptions: '--discipline easy --backfill-interval 40 --plan-by node',
    keepsRecordedWait: true,
  },
  'backfill-window': {
    settings: [{ discipline: 'easy', 'backfill-interval': '40', 'plan-by': 'node', 'backfill-window': '90' }],
    values: [90],
    spellings: [['--backfill-window 90', '--backfill-window 90s'], ['']],
    companionOptions: '--discipline easy --backfill-interval 40 --plan-by node',
    keepsRecordedWait: true,
  },
  limit: {
    settings: [{ discipline: 'easy', limit: 'user.jobs=1' }, { limit: 'user.processors=64;group.jobs=3' }],
    values: [{ 'user.jobs': 2 }, 'group.jobs=2'],
    spellings: [['--limit user.jobs=1 --limit group.jobs=3', '--limit user.jobs=1+group.jobs=3'], ['']],
    keepsRecordedWait: true,
  },
  'partition-sites': {
    settings: [
      { ...TWO_SITE_OPTIONS, 'partition-sites': 'one=2;two=1+2', discipline: 'easy' },
      { ...TWO_SITE_OPTIONS, 'partition-sites': '2=2', discipline: 'first-available' },
    ],
    values: [{ 1: [1] }],
    spellings: [['--partition-sites one=2 --partition-sites 2=2+1', '--partition-sites one=2,2=1+2'], ['']],
    companionOptions: '--sites 8,6 --speeds 1,2',
    keepsRecordedWait: true,
  },
  outages: {
    settings: [
      { outages: 'planned:1xall@600..900', discipline: 'easy' },
      { outages: '1x3@300..500+1xall@1000..1100', 'on-outage': 'requeue' },
      {
        outages: '1x[2-3]@300..500+planned:1x[5]@600..900',
        ...{ discipline: 'easy', 'backfill-interval': '40', 'plan-by': 'node' },
      },
    ],
    values: [[{ site: 1, from: 600, to: 900, isPlanned: true }], '1x3@300..500+1xall@1000..1100'],
    spellings: [['--outages 1x3@300..500', '--outages 1x3@300s..500s'], [''], ['--outages 1x4@300..500']],
    keepsRecordedWait: true,
  },
  'on-outage': {
    settings: [{ outages: '1x6@300..500', 'on-outage': 'kill' }],
    spellings: [['--on-outage requeue'], ['--on-outage kill'], ['', '--on-outage drain']],
    companionOptions: '--outages 1x6@300..500',
    keepsRecordedWait: true,
  },
  'half-life': {
    settings: [
      { discipline: 'easy', order: 'usage', 'half-life': '400' },
      { discipline: 'easy', order: 'usage', 'half-life': 'none' },
    ],
    values: [400, 'none'],
    spellings: [['--half-life 400', '--half-life 400s'], ['--half-life none'], ['', '--half-life 7d']],
    companionOptions: '--discipline easy --order usage --usage-step 10',
    keepsRecordedWait: true,
  },
  'usage-count': {
    settings: [{ discipline: 'easy', order: 'usage', 'usage-step': '60', 'usage-count': 'by-number' }],
    spellings: [['--usage-count by-number'], ['', '--usage-count at-once']],
    companionOptions: '--discipline easy --order usage --usage-step 60',
    keepsRecordedWait: true,
  },
  'usage-offset': {
    settings: [{ discipline: 'easy', order: 'usage', 'usage-step': '60', 'usage-offset': '25' }],
    values: [25],
    spellings: [
      ['--usage-offset 25', '--usage-offset 25s'],
      ['', '--usage-offset 0'],
    ],
    companionOptions: '--discipline easy --order usage --usage-step 60 --half-life 1h',
    keepsRecordedWait: true,
  },
  'usage-step': {
    settings: [{ discipline: 'first-available', order: 'usage', 'usage-step': '60' }],
    values: [60],
    spellings: [
      ['--usage-step 60', '--usage-step 1min'],
      ['', '--usage-step 300'],
    ],
    companionOptions: '--discipline easy --order usage --half-life 1h',
    keepsRecordedWait: true,
  },
  'pass-gap': {
    settings: [
      { discipline: 'easy', 'pass-gap': '30' },
      { discipline: 'fcfs', policy: 'best-fit', 'pass-gap': '9' },
    ],
    values: [30],
    spellings: [['--pass-gap 30', '--pass-gap 30s'], ['']],
    companionOptions: '--discipline easy',
    keepsRecordedWait: true,
  },
  'processors-per-node': {
    settings: [
      { discipline: 'easy', 'backfill-interval': '40', 'plan-by': 'node', 'processors-per-node': '4' },
    ],
    values: [4],
    spellings: [['--processors-per-node 4'], ['', '--processors-per-node 1']],
    companionOptions: '--discipline easy --backfill-interval 40 --plan-by node',
    keepsRecordedWait: true,
  },
  'release-delay': {
    settings: [{ discipline: 'easy', 'backfill-interval': '40', 'plan-by': 'node', 'release-delay': '15' }],
    values: [15],
    spellings: [['--release-delay 15', '--release-delay 15s'], ['']],
    companionOptions: '--discipline easy --backfill-interval 40 --plan-by node',
    keepsRecordedWait: true,
  },
  bandwidth: {
    settings: [{ ...TWO_SITE_OPTIONS, discipline: 'easy', bandwidth: '100', 'data-size': '500' }],
    values: [100],
    spellings: [
      ['--bandwidth 5', '--bandwidth 5,5;5,5', '--bandwidth 0,5;5,0'],
      ['--bandwidth 0,5;6,0'],
      [''],
    ],
    companionOptions: '--discipline easy',
    keepsRecordedWait: false,
  },
  latency: {
    settings: [
      { ...TWO_SITE_OPTIONS, discipline: 'conservative', bandwidth: '100', latency: '3', 'data-size': '500' },
    ],
    values: [3],
    spellings: [['', '--latency 0', '--latency 0,0;0,0', '--latency 7,0;0,9'], ['--latency 2']],
    companionOptions: '--discipline easy --bandwidth 5',
    keepsRecordedWait: false,
  },
};

/** Settings in which an option has an effect; empty for unknown options. */
export const sampleSettingsOfOption = (optionName: string): readonly OptionTexts[] =>
  OPTION_SAMPLES[optionName]?.settings ?? [];

/** Options as command-line words. */
export function formatOptionsAsCommandWords(options: OptionTexts): string[] {
  return Object.entries(options).flatMap(([optionName, optionText]) =>
    optionText === 'true' ? [`--${optionName}`] : [`--${optionName}=${optionText}`],
  );
}
