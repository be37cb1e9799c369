/** Scenes to take pictures of: the explorer in several states, and a report of every kind. */
import { writeFileSync } from 'node:fs';
import '../explorer/window.js';
import { makeSmallLogText, reduceStudy } from '../smallStudies.js';
import type { PageSettings } from './camera.js';
import type { ScenePageActions } from './hand.js';

/** A picture to take. */
export interface PictureScene extends Partial<PageSettings> {
  readonly name: string;
  /** Name of a report, or the part of the explorer's address after its path. */
  readonly of: keyof typeof REPORT_SCENES | `#${string}` | '';
  /** Function inside the page that performs actions before the picture is taken. */
  readonly act?: (pageActions: ScenePageActions) => void | Promise<void>;
}

const MODEL_ADDRESS_PARAMETER = 'workload=lublin99%5Baarr%3D9%2Cjobs%3D600%5D';
const FIVE_SITE_ADDRESS = `#${MODEL_ADDRESS_PARAMETER}&sites=8,128,128,128,50&speeds=1,2,1,3,1&load=1.5`;
const TWO_METHOD_ADDRESS = `${FIVE_SITE_ADDRESS}&method=policy%3Dbest-fit&method=policy%3Dfastest-first`;
const EIGHT_POLICIES = ['best-fit', 'fastest-first', 'si', 'ti', 'ai', 'ai2', 'tai', 'tai2'];
const DISCIPLINES = ['fcfs', 'easy', 'conservative'];
const [NARROW, HIGH] = [400, 1400];
/** Few jobs on one site, whose processors two outages take for a time. */
const OUTAGE_WORKLOAD = 'lublin99[jobs=60,processors=64]';
const OUTAGES_OPTION_TEXT = 'planned:1x24@16000..36000+1x30@22000..30000';

/** Scenes of the explorer. */
const EXPLORER_SCENES: readonly PictureScene[] = [
  { name: 'first-visit', of: '', height: HIGH },
  { name: 'first-visit-dark', of: '', scheme: 'dark' },
  { name: 'first-visit-narrow', of: '', width: NARROW, height: HIGH },
  {
    name: 'disciplines-on-one-site',
    of: `#${MODEL_ADDRESS_PARAMETER}&sites=128&estimates=exact${DISCIPLINES.map((discipline) => `&method=discipline%3D${discipline}`).join('')}&charts=0,-1`,
  },
  {
    name: 'outages',
    of: `#workload=${encodeURIComponent(OUTAGE_WORKLOAD)}&sites=64&estimates=exact&outages=${encodeURIComponent(OUTAGES_OPTION_TEXT)}&method=discipline%3Deasy&method=${encodeURIComponent('discipline=easy&on-outage=requeue')}`,
    height: HIGH,
  },
  {
    name: 'job',
    of: TWO_METHOD_ADDRESS,
    act: async ({ until, press }) => {
      press('Why did it wait?');
      await until(() => document.querySelector('#job li'));
    },
  },
  {
    name: 'job-on-paper',
    of: TWO_METHOD_ADDRESS,
    width: 700,
    height: 1800,
    medium: 'print',
    act: async ({ until }) => {
      window.explorer.model.select(595, true);
      await until(() => document.querySelector('#job li'));
    },
  },
  {
    name: 'moment',
    of: TWO_METHOD_ADDRESS,
    act: async ({ until, press }) => {
      press('Where do they diverge?');
      press('What would each policy choose?');
      await until(() => document.querySelector('.choices li'));
    },
  },
  {
    name: 'who-loses',
    of: TWO_METHOD_ADDRESS,
    act: async ({ until, press }) => {
      press('losses by class');
      await until(() => document.querySelector('.who tbody td'));
      (document.querySelector('.who tbody button') as HTMLElement).click();
    },
  },
  {
    name: 'one-more-site-narrow',
    of: TWO_METHOD_ADDRESS,
    width: NARROW,
    act: async ({ until, fill, press, top: scrollTop }) => {
      document.getElementById('tab-moment')?.click();
      fill('what-if-kind', 'one more site');
      press('Try it');
      await until(() => document.querySelector('.one-more td:last-child small'));
      scrollTop('.what-if');
    },
  },
  {
    name: 'span-dark',
    of: TWO_METHOD_ADDRESS,
    scheme: 'dark',
    act: async ({ until }) => {
      const { model } = window.explorer;
      const [from, to] = model.view.whole;
      model.selectSpan([from + 0.3 * (to - from), from + 0.5 * (to - from)]);
      await until(() => document.querySelector('#span table'));
    },
  },
  {
    name: 'settings',
    of: TWO_METHOD_ADDRESS,
    act: async ({ until, fill, top: scrollTop }) => {
      (document.querySelector('[data-fold=grid] > summary') as HTMLElement).click();
      fill('option-speeds', '1,2');
      await until(() => window.explorer.controller.fault !== '');
      scrollTop('body');
    },
  },
  {
    name: 'refused-at-first',
    of: `#${MODEL_ADDRESS_PARAMETER}&sites=${Array(1000).fill(32).join()}`,
    act: ({ top: scrollTop }) => {
      (document.querySelector('[data-fold=more] > summary') as HTMLElement).click();
      scrollTop('body');
    },
  },
  {
    name: 'eight-methods',
    of: `${FIVE_SITE_ADDRESS}${EIGHT_POLICIES.map((policy) => `&method=policy%3D${policy}`).join('')}`,
    height: HIGH,
    act: ({ top: scrollTop }) => scrollTop('.metrics'),
  },
  {
    name: 'many-sites-narrow',
    of: `#${MODEL_ADDRESS_PARAMETER}&sites=${Array(60).fill(128).join()}&method=policy%3Dbest-fit&method=policy%3Dfastest-first`,
    width: NARROW,
    act: ({ top: scrollTop }) => scrollTop('.charts'),
  },
  {
    name: 'replications',
    of: TWO_METHOD_ADDRESS,
    act: async ({ until, fill, press, top: scrollTop }) => {
      fill('replications', '10');
      press('Run replications');
      await until(() => document.querySelector('.replicated'));
      scrollTop('#sure');
    },
  },
  {
    name: 'own-policy-dark',
    of: TWO_METHOD_ADDRESS,
    scheme: 'dark',
    act: ({ press }) => press('Write a policy…'),
  },
];

const SHORT_WORKLOAD_MODEL = 'lublin99[aarr=9,jobs=600]';
const GRID_WORDS = ['--sites', '8,128,128,128,50', '--speeds', '1,2,1,1.4,3'];
const SINGLE_SITE_WORDS = ['--sites', '128', '--estimates', 'exact'];
const ONE_THREAD_WORDS = ['--threads', '1'];

/** Writes a small log, or its first jobs, beside a folder, and returns its path. */
function writeLogBesideFolder(resultFolder: string, lineCount?: number): string {
  const path = `${resultFolder}-${lineCount ?? 'all'}.swf`;
  writeFileSync(path, makeSmallLogText().split('\n').slice(0, lineCount).join('\n'));
  return path;
}

/** Command that simulates and writes a report. */
const makeSimulationReport = (resultFolder: string, ...commandWords: string[]) => [
  ['simulate', 'lublin99[aarr=9,jobs=1500]', ...commandWords, '--out', resultFolder],
  ['report', resultFolder],
];

const makeSweepReport = (resultFolder: string, ...commandWords: string[]) => {
  const metrics = ['--metric', 'averageResponseTime,utilization', '--replications', '3'];
  return [
    [
      'sweep',
      SHORT_WORKLOAD_MODEL,
      ...GRID_WORDS,
      ...metrics,
      ...commandWords,
      ...ONE_THREAD_WORDS,
      '--out',
      resultFolder,
    ],
  ];
};

/** Commands that write report.html into a folder, for every kind of report. */
export const REPORT_SCENES = {
  'one-site': (resultFolder: string) =>
    makeSimulationReport(resultFolder, ...SINGLE_SITE_WORDS, '--discipline', 'easy', '--by', 'class'),
  'five-sites': (resultFolder: string) => makeSimulationReport(resultFolder, ...GRID_WORDS, '--load', '1.5'),
  outages: (resultFolder: string) => {
    const options = ['--sites', '64', '--estimates', 'exact', '--discipline', 'easy'];
    return [
      ['simulate', OUTAGE_WORKLOAD, ...options, '--outages', OUTAGES_OPTION_TEXT, '--out', resultFolder],
      ['report', resultFolder],
    ];
  },
  bars: (resultFolder: string) =>
    makeSweepReport(
      resultFolder,
      '--vary',
      `policy=${EIGHT_POLICIES.slice(0, 4)}`,
      '--vary',
      'order=submit,widest',
    ),
  lines: (resultFolder: string) =>
    makeSweepReport(resultFolder, '--vary', 'load=1,1.5,2,3', '--vary', `policy=${EIGHT_POLICIES}`),
  comparison: (resultFolder: string) => [
    [
      'compare',
      SHORT_WORKLOAD_MODEL,
      ...GRID_WORDS,
      '--replications',
      '20',
      ...ONE_THREAD_WORDS,
      '--out',
      resultFolder,
    ],
  ],
  logs: (resultFolder: string) => [
    [
      'compare',
      writeLogBesideFolder(resultFolder),
      writeLogBesideFolder(resultFolder, 50),
      '--out',
      resultFolder,
    ],
  ],
  study: (resultFolder: string) => {
    const file = `${resultFolder}.yaml`;
    writeFileSync(file, reduceStudy('huang2007-figure3', { draws: 2, jobs: 300 }));
    return [
      [
        'study',
        'run',
        file,
        '--trace',
        writeLogBesideFolder(resultFolder),
        ...ONE_THREAD_WORDS,
        '--yes',
        '--out',
        resultFolder,
      ],
    ];
  },
  difference: (resultFolder: string) => {
    const disciplines = ['easy', 'fcfs'];
    return [
      ...disciplines.map((discipline) => [
        'simulate',
        SHORT_WORKLOAD_MODEL,
        ...SINGLE_SITE_WORDS,
        '--discipline',
        discipline,
        '--out',
        `${resultFolder}-${discipline}`,
      ]),
      [
        'diff',
        ...disciplines.map((discipline) => `${resultFolder}-${discipline}`),
        '--out',
        `${resultFolder}/report.html`,
      ],
    ];
  },
  explanation: (resultFolder: string) => [
    ['simulate', SHORT_WORKLOAD_MODEL, ...GRID_WORDS, '--load', '1.5', '--out', `${resultFolder}-run`],
    ['explain', `${resultFolder}-run`, '--longest', '2', '--out', `${resultFolder}/report.html`],
  ],
} satisfies Readonly<Record<string, (resultFolder: string) => string[][]>>;

/** Scenes of reports. */
const REPORT_PAGE_SCENES: readonly PictureScene[] = [
  { name: 'report-of-one-site', of: 'one-site', height: HIGH },
  { name: 'report-of-one-site-narrow', of: 'one-site', width: NARROW, height: HIGH },
  { name: 'report-of-five-sites-dark', of: 'five-sites', scheme: 'dark', height: HIGH },
  { name: 'report-of-outages-dark', of: 'outages', scheme: 'dark', height: HIGH },
  { name: 'report-with-bars', of: 'bars', act: ({ top: scrollTop }) => scrollTop('#part-figures') },
  {
    name: 'report-with-lines-dark',
    of: 'lines',
    scheme: 'dark',
    act: ({ top: scrollTop }) => scrollTop('#part-figures'),
  },
  { name: 'report-with-lines-printed', of: 'lines', medium: 'print', width: 700, height: HIGH },
  { name: 'report-of-replications', of: 'comparison', height: HIGH },
  { name: 'report-of-logs', of: 'logs' },
  { name: 'report-of-a-study', of: 'study', height: HIGH },
  {
    name: 'report-of-a-study-narrow',
    of: 'study',
    width: NARROW,
    act: ({ top: scrollTop }) => scrollTop('#part-tables'),
  },
  { name: 'difference', of: 'difference' },
  { name: 'explanation', of: 'explanation' },
];

export const PICTURE_SCENES = [...EXPLORER_SCENES, ...REPORT_PAGE_SCENES];
