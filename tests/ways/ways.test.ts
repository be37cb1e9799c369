import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { InputError } from '../../host/errors.js';
import { OPTION_MISSING_FROM_PAGE } from '../../host/explorer/pageOptions.js';
import { makeRunOptionsOfSettings } from '../../host/options/configuration.js';
import { OPTIONS, parseOptionText, type Settings } from '../../host/options/options.js';
import {
  makeGrid,
  makeWorkload,
  parseSpeeds,
  parseTrace,
  simulate,
  withEstimates,
} from '../../host/portable.js';
import { OPTIONS_LISTING_METHODS } from '../../host/request/listedMethods.js';
import { rerunOf } from '../../host/request/saved.js';
import {
  type CommonSettings,
  type ComparisonOptions,
  compare,
  replications,
} from '../../host/runs/compare.js';
import { planStudy } from '../../host/runs/planStudy.js';
import { METHOD_OPTION_NAMES, RUN_OPTION_NAMES } from '../../host/simulate/methodNames.js';
import { Simulator } from '../../host/simulate/simulator.js';
import { hasRunMetric, SCALAR_METRICS, type Summary, summarize } from '../../host/simulate/summary.js';
import { determineRequestedPlacement } from '../../host/simulate/workloadSettings.js';
import { estimateMean } from '../../host/statistics/interval.js';
import { makeStudy } from '../../host/study/study.js';
import { makeSweepStudy } from '../../host/study/sweep.js';
import { simulateReplication } from '../../web/explorer/worker/replications.js';
import { findStoredRun, simulateSetup } from '../../web/explorer/worker/run.js';
import { chooseNumberByCommit, doesRunAllCases, sampleTestCases } from '../cases.js';
import { runProgramInProcess } from '../cli/runProgram.js';
import { runGridalloc } from '../runs/childProcess.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';
import {
  formatOptionsAsCommandWords,
  LOG,
  OPTION_SAMPLES,
  type OptionTexts,
  sampleSettingsOfOption,
} from './samples.js';

/**
 * Settings must give the same metrics, to the last bit, in every way of running, or be refused in
 * every way. Tests sample values of every option, and random pairs of them; if cases are sampled,
 * each commit tries some.
 */

const REPLICATION_COUNT = 3;
const OPTION_PAIR_COUNT = Number(process.env.GRIDALLOC_CASES ?? 40);

/** The log with a start that is no multiple of a minute, since some rules and outages use dates. */
const LOG_TEXT_WITH_START_DATE = `; UnixStartTime: 893467267\n${LOG}`;

/** Settings that only a log with a start takes. */
const SETTINGS_NEEDING_START_DATE: readonly (readonly [string, OptionTexts])[] = [
  [
    'outages by date',
    { outages: 'planned:1xall@1998-04-25T01:31:07..1998-04-25T01:36:07', discipline: 'easy' },
  ],
  [
    'windows on the clock',
    { 'plan-by': 'node', 'end-window': '30', discipline: 'easy', home: 'none', 'backfill-interval': '40' },
  ],
];

const path = join(makeTemporaryFolder(), 'log.swf');
writeFileSync(path, LOG_TEXT_WITH_START_DATE);

type MetricValuesByName = Readonly<Record<string, number>>;
/** Result of a way of running: metrics, or a refusal. */
type MetricsOrRefusal = MetricValuesByName | 'refused';

/** Metrics of a summary by name; NaN for those missing in JSON. */
function valuesOf(summary: Summary): MetricValuesByName {
  return Object.fromEntries(
    SCALAR_METRICS.map(({ name: metricName, valueIn: valueOfRun }) => [
      metricName,
      valueOfRun(summary) ?? Number.NaN,
    ]),
  );
}

function meanMetricsOf(metricsOfReplications: readonly MetricValuesByName[]): MetricValuesByName {
  return Object.fromEntries(
    SCALAR_METRICS.map(({ name: metricName }) => [
      metricName,
      estimateMean(metricsOfReplications.map((values) => values[metricName])).mean,
    ]),
  );
}

async function runAndReadDocument(...commandWords: string[]) {
  const { exitCode, stdout, stderr } = await runProgramInProcess([...commandWords, '--json', '--quiet']);
  if (exitCode === 2) return 'refused';
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  return JSON.parse(stdout);
}

async function valueOrRefused<T>(action: () => T | Promise<T>): Promise<T | 'refused'> {
  try {
    return await action();
  } catch (error) {
    if (error instanceof InputError) return 'refused';
    throw error;
  }
}

async function simulateByCommand(setting: OptionTexts): Promise<MetricsOrRefusal> {
  const document = await runAndReadDocument('simulate', path, ...formatOptionsAsCommandWords(setting));
  return document === 'refused' ? document : valuesOf(document);
}

async function simulateReplicationsByCommand(setting: OptionTexts): Promise<MetricsOrRefusal> {
  const commandWords = [
    'simulate',
    path,
    ...formatOptionsAsCommandWords(setting),
    '--replications',
    `${REPLICATION_COUNT}`,
  ];
  const document = await runAndReadDocument(...commandWords, '--threads', '1');
  if (document === 'refused') return document;
  const metricEntries = document.metrics.map(({ metric, mean }: { metric: string; mean: number }) => [
    metric,
    mean,
  ]);
  return Object.fromEntries(metricEntries);
}

/** Options that make `compare` use the defaults of `simulate`, for one method. */
function comparisonCommandWords(setting: OptionTexts): string[] {
  const isOnOneSite = setting.sites === undefined || !setting.sites.includes(',');
  const defaultValue = {
    ...(isOnOneSite && setting.policy === undefined && setting.discipline === undefined
      ? { discipline: 'fcfs' }
      : {}),
  };
  return ['compare', path, ...formatOptionsAsCommandWords({ ...defaultValue, ...setting })];
}

const REPLICATION_WORDS = ['--replications', `${REPLICATION_COUNT}`, '--threads', '1'];

const usesBackfilling = ({ discipline = 'fcfs' }: OptionTexts) =>
  ['easy', 'conservative'].includes(discipline);

// Metrics of promised starts do not exist for all methods.
const COMPARED_METRIC_NAMES = SCALAR_METRICS.filter(
  (metric) => metric.better !== undefined && hasRunMetric(metric, { reservations: 'replanned' }),
).map(({ name: metricName }) => metricName);

async function compareByCommand(setting: OptionTexts): Promise<MetricsOrRefusal> {
  const document = await runAndReadDocument(...comparisonCommandWords(setting));
  return document === 'refused' ? document : valuesOf(document.runs[0]);
}

/** Result of `compare` with all method options in one --method. */
async function compareAsSingleMethod(setting: OptionTexts): Promise<MetricsOrRefusal> {
  const settingTexts = Object.entries({ discipline: 'fcfs', ...setting });
  // Perturbed replications draw speeds only for sites common to all methods.
  const hasRandomSpeeds = setting.perturb?.includes('speeds') ?? false;
  const valuesOfMethod = hasRandomSpeeds ? RUN_OPTION_NAMES : METHOD_OPTION_NAMES;
  const isMethodOption = ([name]: readonly [string, string]) => valuesOfMethod.includes(name);
  const method = settingTexts.filter(isMethodOption).map(([name, text]) => `${name}=${text}`);
  const commonOptions = Object.fromEntries(
    settingTexts.filter((settingText) => !isMethodOption(settingText)),
  );
  const commandWords = [
    'compare',
    path,
    ...formatOptionsAsCommandWords(commonOptions),
    '--method',
    `one: ${method.join(', ')}`,
  ];
  const document = await runAndReadDocument(...commandWords);
  return document === 'refused' ? document : valuesOf(document.runs[0]);
}

async function compareReplicationsByCommand(setting: OptionTexts): Promise<MetricsOrRefusal> {
  const commandWords = [
    ...comparisonCommandWords(setting),
    '--replications',
    `${REPLICATION_COUNT}`,
    '--threads',
    '1',
  ];
  const document = await runAndReadDocument(...commandWords, '--metric', COMPARED_METRIC_NAMES.join(','));
  if (document === 'refused') return document;
  const { metrics } = document as { metrics: { metric: string; rows: { mean: number }[] }[] };
  return Object.fromEntries(metrics.map(({ metric, rows: metricRows }) => [metric, metricRows[0].mean]));
}

const TEST_STUDY_ORIGIN = { name: 'ways', text: '', locate: () => 'ways' };

/** Ids of the runs of a study, which are equal if everything that determines the runs is. */
async function planStudyRunIds(setting: OptionTexts): Promise<readonly string[] | 'refused'> {
  return valueOrRefused(async () => {
    const study = await makeStudy(
      {
        title: 'One setting',
        simulate: { workload: path, ...setting },
        replications: { count: REPLICATION_COUNT },
        measures: { response: { metric: 'averageResponseTime' } },
      },
      TEST_STUDY_ORIGIN,
    );
    const { plan } = await planStudy(study);
    return Array.from(plan.runs, ({ id }) => id);
  });
}

async function planSweepRunIds(setting: OptionTexts): Promise<readonly string[] | 'refused'> {
  const { instant = 'per-event', ...texts } = setting;
  return valueOrRefused(async () => {
    const study = await makeSweepStudy({
      workload: path,
      texts,
      varied: [{ name: 'instant', values: [instant] }],
      metrics: ['averageResponseTime'],
      replications: REPLICATION_COUNT,
      locate: () => 'sweep',
    });
    const { plan } = await planStudy(study);
    return Array.from(plan.runs, ({ id }) => id);
  });
}

const log = { name: path, bytes: new TextEncoder().encode(LOG_TEXT_WITH_START_DATE) };

function makeExplorerSetup({ policy, discipline, ...options }: OptionTexts) {
  const method = { ...(policy && { policy }), ...(discipline && { discipline }) };
  return { options: { workload: path, ...options }, methods: [method] };
}

const simulateInExplorer = (setting: OptionTexts): Promise<MetricsOrRefusal> =>
  valueOrRefused(() => {
    const { runs } = simulateSetup(makeExplorerSetup(setting), log);
    return valuesOf(findStoredRun(runs[0].id).simulation.summary);
  });

const simulateReplicationsInExplorer = (setting: OptionTexts): Promise<MetricsOrRefusal> =>
  valueOrRefused(() => {
    const replications = Array.from(
      { length: REPLICATION_COUNT },
      (_, r) => simulateReplication(makeExplorerSetup(setting), log, r + 1)[0],
    );
    return meanMetricsOf(
      replications.map((values) =>
        Object.fromEntries(SCALAR_METRICS.map(({ name: metricName }, i) => [metricName, values[i]])),
      ),
    );
  });

/**
 * Options that are not among those of the library's simulation; they determine how a log is read,
 * or which jobs are used.
 */
const OPTION_NAMES_MISSING_IN_LIBRARY = [
  'preset',
  'replication',
  'offered-load',
  'load-machine',
  'data-size',
];

/** Result of the library's functions as documented: a trace, its jobs, a grid, a simulation. */
const simulateByLibrary = (setting: OptionTexts): Promise<MetricsOrRefusal> =>
  valueOrRefused(() => {
    const textList = Object.entries(setting).map(([name, text]) => parseOptionText(name, text));
    const settings: Partial<Settings> = Object.assign({}, ...textList);
    const { sites: capacities = [8], speeds, heterogeneity, estimates, perturb, filter } = settings;
    const trace = parseTrace(LOG_TEXT_WITH_START_DATE, { source: 'log.swf' });
    const grid = makeGrid({
      capacities,
      speeds: speeds === undefined ? undefined : parseSpeeds(speeds, capacities),
      heterogeneity,
    });
    const { home, rc, maxWidth, oversize, rebase, arrivalScale, runtimeScale, kill, dependencies } = settings;
    const { shortRuntime, narrowWidth, cancelled } = settings;
    const madeWorkload = makeWorkload(trace, {
      ...{ home, rc, maxWidth, oversize, rebase, arrivalScale, runtimeScale, kill, dependencies },
      ...{ shortRuntime, narrowWidth, cancelled },
      ...{ filters: filter, perturb: perturb?.jobs, minSpeedRatio: settings.minSpeedRatio },
      ...{
        siteCount: capacities.length,
        capacities,
        speeds: grid.speeds,
        placement: determineRequestedPlacement(settings as Settings),
      },
    });
    const workload = estimates === undefined ? madeWorkload : withEstimates(madeWorkload, estimates);
    return valuesOf(simulate(workload, grid, makeRunOptionsOfSettings(settings)).summary);
  });

/** Options in the form that the library's replication functions take. */
const toLibraryOptions = (setting: OptionTexts): CommonSettings =>
  Object.fromEntries(
    Object.entries(setting).map(([name, text]) => [OPTIONS[name].key, text === 'true' ? true : text]),
  );

const replicateByLibrary = (setting: OptionTexts): Promise<MetricsOrRefusal> =>
  valueOrRefused(async () => {
    const { metrics } = await replications(path, {
      ...toLibraryOptions(setting),
      replications: REPLICATION_COUNT,
      threads: 1,
    });
    return Object.fromEntries(metrics.map(({ name: metricName, estimate }) => [metricName, estimate.mean]));
  });

const compareByLibrary = (setting: OptionTexts): Promise<MetricsOrRefusal> =>
  valueOrRefused(async () => {
    const { metrics } = await compare(path, {
      ...toLibraryOptions(setting),
      ...{ methods: [{}], metrics: COMPARED_METRIC_NAMES, replications: REPLICATION_COUNT, threads: 1 },
    } as ComparisonOptions);
    return Object.fromEntries(
      metrics.map(({ name: metricName, estimates }) => [metricName, estimates[0].mean]),
    );
  });

/**
 * Pseudo-random generator of whole numbers from 0 to `count` - 1, the same in each run of the
 * tests.
 */
function seededGenerator(seed: number): (count: number) => number {
  let randomState = seed;
  return (count) => {
    randomState = (Math.imul(randomState, 1664525) + 1013904223) >>> 0;
    return Math.floor((randomState / 2 ** 32) * count);
  };
}

const SAMPLE_SETTINGS = Object.values(OPTION_SAMPLES).flatMap(({ settings }) => settings);
const nameSettings = (settings: readonly OptionTexts[]) =>
  settings.map((setting) => [JSON.stringify(setting), setting] as const);

function drawRandomSettingPairs(): OptionTexts[] {
  const drawBelow = seededGenerator(Number(process.env.GRIDALLOC_SEED ?? 1));
  return Array.from({ length: OPTION_PAIR_COUNT }, () => ({
    ...SAMPLE_SETTINGS[drawBelow(SAMPLE_SETTINGS.length)],
    ...SAMPLE_SETTINGS[drawBelow(SAMPLE_SETTINGS.length)],
  }));
}

test('every option has a sample', () => {
  expect(Object.keys(OPTION_SAMPLES).sort()).toEqual(
    Object.keys(OPTIONS)
      .filter((optionName) => optionName !== 'workload')
      .sort(),
  );
  for (const [name, { settings: samples }] of Object.entries(OPTION_SAMPLES)) {
    for (const sample of samples) expect(sample).toHaveProperty(name);
  }
});

/** Accepted settings with their mean metrics, for a study of all of them. */
const acceptedSettings: { readonly setting: OptionTexts; readonly meanMetrics: MetricValuesByName }[] = [];

async function expectEqualMetricsInAllWays(setting: OptionTexts): Promise<void> {
  const metricsOfSingleRun = await simulateByCommand(setting);
  expect(await compareByCommand(setting), 'compare').toEqual(metricsOfSingleRun);
  expect(await compareAsSingleMethod(setting), 'compare --method').toEqual(metricsOfSingleRun);
  if (!(OPTION_MISSING_FROM_PAGE in setting))
    expect(await simulateInExplorer(setting), 'explorer').toEqual(metricsOfSingleRun);
  if (!OPTION_NAMES_MISSING_IN_LIBRARY.some((name) => name in setting))
    expect(await simulateByLibrary(setting), 'library').toEqual(metricsOfSingleRun);
  // The options for one replication and for all replications exclude each other, with an error
  // message.
  if ('replication' in setting) return;
  const replicationMetrics = await Promise.all(
    Array.from({ length: REPLICATION_COUNT }, (_, r) =>
      simulateByCommand({ ...setting, replication: `${r + 1}` }),
    ),
  );
  const [refusal] = replicationMetrics.filter((metricsOrRefusal) => metricsOrRefusal === 'refused');
  const metricMeans = refusal ?? meanMetricsOf(replicationMetrics as MetricValuesByName[]);
  expect(await simulateReplicationsByCommand(setting), 'simulate --replications').toEqual(metricMeans);
  const expectedComparedMetrics =
    metricMeans === 'refused'
      ? metricMeans
      : Object.fromEntries(
          COMPARED_METRIC_NAMES.map((comparedMetricName) => [
            comparedMetricName,
            metricMeans[comparedMetricName],
          ]),
        );
  expect(await compareReplicationsByCommand(setting), 'compare --replications').toEqual(
    expectedComparedMetrics,
  );
  expect(await replicateByLibrary(setting), 'replications of the library').toEqual(metricMeans);
  expect(await compareByLibrary(setting), 'compare of the library').toEqual(expectedComparedMetrics);
  if (!(OPTION_MISSING_FROM_PAGE in setting))
    expect(await simulateReplicationsInExplorer(setting), 'explorer, replications').toEqual(metricMeans);
  const ids = await planStudyRunIds(setting);
  expect(await planSweepRunIds(setting), 'sweep').toEqual(ids);
  expect(ids === 'refused', 'study').toBe(metricMeans === 'refused');
  if (metricMeans !== 'refused') acceptedSettings.push({ setting, meanMetrics: metricMeans });
}

const SAMPLED_SETTINGS = sampleTestCases(SAMPLE_SETTINGS);

test.each(nameSettings(SAMPLED_SETTINGS))('%s', (_, setting) => expectEqualMetricsInAllWays(setting));

test.each(SETTINGS_NEEDING_START_DATE)('%s', (_, setting) => expectEqualMetricsInAllWays(setting));

test('samples are accepted', () => {
  const allTriedSettings = [
    ...SAMPLED_SETTINGS,
    ...SETTINGS_NEEDING_START_DATE.map(([, setting]) => setting),
  ];
  expect(acceptedSettings.length).toBe(
    allTriedSettings.filter((setting) => !('replication' in setting)).length,
  );
});

/** Option values different from the values in the samples. */
const OTHER_OPTION_VALUES: OptionTexts = {
  ...{ discipline: 'fcfs', order: 'max(estimate, 100) * processors', 'backfill-order': 'none', policy: 'ti' },
  ...{ queue: 'shared', instant: 'per-event', 'time-resolution': 'exact', 'runtime-reference': 'speed1' },
  ...{ moldable: 'none', 'multi-site': 'none', select: 'greedy', reservations: 'kept' },
  ...{ 'reservation-depth': '1', 'moldable-fit': 'processors', speedup: 'linear', interval: '70' },
  ...{ 'warm-up': '100', 'cool-down': '50', 'min-speed-ratio': '0', 'moldable-threshold': '2' },
  ...{ 'multi-site-overhead': '0.2', 'multi-site-factor': '1.1' },
  ...{
    'pass-delay': 'submit=3+end=0',
    'backfill-interval': '20',
    'backfill-offset': '3',
    'plan-by': 'count',
  },
  ...{ 'end-window': '10', 'backfill-overlap': 'open', 'backfill-resolution': '20', 'backfill-jobs': '3' },
  ...{ 'backfill-segments': '5', 'backfill-window': '200' },
  ...{ outages: '1x2@400..700', 'on-outage': 'requeue' },
  ...{ 'partition-sites': '1=2' },
  ...{ limit: 'user.jobs=2', 'half-life': '2000', 'usage-step': '20', 'usage-offset': '7' },
  ...{ 'usage-count': 'at-once' },
  ...{ 'pass-gap': '7', 'processors-per-node': '2', 'release-delay': '4' },
};

test.each(sampleTestCases(OPTIONS_LISTING_METHODS))('several values of %s are methods', async (name) => {
  const [sample] = sampleSettingsOfOption(name);
  const optionValues = [sample[name], OTHER_OPTION_VALUES[name]];
  const readDocumentsOfMethods = async (...extraWords: string[]) => {
    const { [name]: _, ...otherFields } = sample;
    const sharedCommandWords = comparisonCommandWords({
      discipline: 'fcfs',
      policy: 'best-fit',
      ...otherFields,
    }).filter((commandWord) => !commandWord.startsWith(`--${name}=`));
    const commandWords = usesBackfilling(sample)
      ? sharedCommandWords.filter((word) => word !== '--policy=best-fit')
      : sharedCommandWords;
    return [
      await runAndReadDocument(...commandWords, ...extraWords),
      await runAndReadDocument(...commandWords, ...extraWords, ...REPLICATION_WORDS),
    ];
  };
  const omitNameAndOptions = ({ name: _, options: __, ...row }: Readonly<Record<string, unknown>>) => row;
  const [singleRunResult, replicated] = await readDocumentsOfMethods(`--${name}=${optionValues.join(',')}`);
  expect(new Set(singleRunResult.runs.map((run: { name: string }) => run.name)).size).toBe(2);
  for (const [i, value] of optionValues.entries()) {
    const [separateResult, aloneReplicated] = await readDocumentsOfMethods(
      ...(value === 'none' ? [] : [`--${name}=${value}`]),
    );
    expect(omitNameAndOptions(singleRunResult.runs[i])).toEqual(omitNameAndOptions(separateResult.runs[0]));
    expect(replicated.rows[i].values).toEqual(aloneReplicated.rows[0].values);
  }
});

test('pairs of options', async () => {
  const acceptedCountBefore = acceptedSettings.length;
  for (const setting of sampleTestCases(drawRandomSettingPairs(), 8)) {
    try {
      await expectEqualMetricsInAllWays(setting);
    } catch (error) {
      (error as Error).message =
        `${formatOptionsAsCommandWords(setting).join(' ')}: ${(error as Error).message}`;
      throw error;
    }
  }
  if (doesRunAllCases)
    expect(acceptedSettings.length - acceptedCountBefore).toBeGreaterThan(OPTION_PAIR_COUNT / 4);
}, 600_000);

/** A study of accepted settings, as the contents of its file. */
const studyOf = (settings: readonly (typeof acceptedSettings)[number][]) => ({
  title: 'Settings',
  simulate: { workload: path },
  parts: Object.fromEntries(settings.map(({ setting }, i) => [`s${i}`, { simulate: { ...setting } }])),
  replications: { count: REPLICATION_COUNT },
  measures: { response: { metric: 'averageResponseTime' } },
});

test('a study of all of them', async () => {
  const builtLibraryLocation = pathToFileURL(join(import.meta.dirname, '../../dist/index.js')).href;
  const library: typeof import('../../host/index.js') = await import(builtLibraryLocation);
  const study = await library.makeStudy(studyOf(acceptedSettings), TEST_STUDY_ORIGIN);
  const { plan, results } = await library.runStudy(
    study,
    {},
    { out: join(makeTemporaryFolder(), 'all'), threads: 2 },
  );
  for (const [i, { setting, meanMetrics: means }] of acceptedSettings.entries()) {
    const valuesOfReplications = Array.from({ length: REPLICATION_COUNT }, (_, r) =>
      results?.values(plan.points[i * REPLICATION_COUNT + r].run),
    );
    const meanMetricsOfStudy = meanMetricsOf(
      valuesOfReplications.map((values) =>
        Object.fromEntries(
          SCALAR_METRICS.map(({ name: metricName }, index) => [metricName, values?.[index] ?? 0]),
        ),
      ),
    );
    expect(meanMetricsOfStudy, formatOptionsAsCommandWords(setting).join(' ')).toEqual(means);
  }
});

/** Output of the compiled program, which uses threads. */
async function runAndReadOutput(...commandWords: string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await runGridalloc([...commandWords, '--quiet']);
  expect({ words: commandWords, exitCode, stderr }).toEqual({ words: commandWords, exitCode: 0, stderr: '' });
  return stdout;
}

test('a study in shards, and as one of several studies', async () => {
  const folder = makeTemporaryFolder();
  const sampledSettings = sampleTestCases(acceptedSettings);
  const wordHalves = [
    sampledSettings.filter((_, i) => i % 2 === 0),
    sampledSettings.filter((_, i) => i % 2 === 1),
  ];
  const files = [sampledSettings, ...wordHalves].map((settings, i) => {
    const file = join(folder, `${['all', 'even', 'odd'][i]}.yaml`);
    writeFileSync(file, JSON.stringify(studyOf(settings)));
    return file;
  });
  const [firstFile, ...otherFiles] = files as [string, ...string[]];
  const runStudyInFolder = (resultFolder: string, commandWords: string[], ...extraWords: string[]) =>
    runAndReadOutput(
      'study',
      'run',
      ...commandWords,
      '--out',
      join(folder, resultFolder),
      '--threads',
      '1',
      ...extraWords,
    );
  const readResultTables = (...folderNames: string[]) =>
    readFileSync(join(folder, ...folderNames, 'results.csv'), 'utf8');

  await runStudyInFolder('whole', [firstFile]);
  for (const shard of ['1/2', '2/2']) await runStudyInFolder('shared', [firstFile], '--shard', shard);
  await runAndReadOutput('study', 'merge', join(folder, 'shared'));
  expect(readResultTables('shared')).toBe(readResultTables('whole'));
  expect(readResultTables('whole').trim().split('\n').length).toBeGreaterThan(
    REPLICATION_COUNT * sampledSettings.length,
  );

  for (const [i, name] of ['even', 'odd'].entries()) await runStudyInFolder(name, [otherFiles[i]!]);
  await runStudyInFolder('several', otherFiles);
  for (const studyFolderName of ['even', 'odd'])
    expect(readResultTables('several', studyFolderName)).toBe(readResultTables(studyFolderName));
}, 300_000);

const SETTINGS_WITHOUT_REPLICATION = SAMPLE_SETTINGS.filter((setting) => !('replication' in setting));
/**
 * Metrics to print for a setting: all, or one in four if cases are sampled, since a folder has two
 * pictures per metric.
 */
const metricNamesToCompareAt = (settingPosition: number) =>
  COMPARED_METRIC_NAMES.filter(
    (_, i) => doesRunAllCases || (i + settingPosition) % 4 === chooseNumberByCommit(4),
  );
test.each(
  sampleTestCases(SETTINGS_WITHOUT_REPLICATION, 24).map(
    (setting, i) => [JSON.stringify(setting), setting, i] as const,
  ),
)(
  'a comparison with a folder, which is a study: %s',
  async (_, setting, i) => {
    const metrics = ['--metric', metricNamesToCompareAt(i).join(',')];
    const commandWords = [...comparisonCommandWords(setting), ...REPLICATION_WORDS, ...metrics, '--json'];
    const pathInLogFolder = JSON.parse(
      await runAndReadOutput(...commandWords, '--out', join(makeTemporaryFolder(), 'compared')),
    );
    const { folder: __, report: ___, simulations: ____, ...otherFields } = pathInLogFolder;
    expect(otherFields).toEqual(await runAndReadDocument(...commandWords));
  },
  60_000,
);

test.each(nameSettings(sampleTestCases(SETTINGS_WITHOUT_REPLICATION, 8)))(
  'a folder run again: %s',
  async (_, setting) => {
    const singleMetrics = await simulateByCommand(setting);
    const resultFolder = join(makeTemporaryFolder(), 'simulated');
    expect(
      await runProgramInProcess([
        'simulate',
        path,
        ...formatOptionsAsCommandWords(setting),
        '--out',
        resultFolder,
        '--quiet',
      ]),
    ).toMatchObject({
      exitCode: 0,
    });
    const repeatedResult = await runAndReadDocument('simulate', '--config', resultFolder);
    expect(repeatedResult === 'refused' ? repeatedResult : valuesOf(repeatedResult), '--config').toEqual(
      singleMetrics,
    );
    const { workload, configuration } = await rerunOf(resultFolder);
    const simulator = new Simulator(workload);
    simulator.begin(configuration);
    simulator.run();
    expect(valuesOf(summarize(simulator)), 'rerunOf').toEqual(singleMetrics);
  },
);
