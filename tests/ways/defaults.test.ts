import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findOptionByName, OPTIONS, printDefaultOptionText } from '../../host/options/options.js';
import { compare, replications } from '../../host/runs/compare.js';
import { runProgramInProcess } from '../cli/runProgram.js';
import { runGridalloc } from '../runs/childProcess.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';
import { LOG, type OptionTexts, sampleSettingsOfOption } from './samples.js';

/**
 * The default of an option must be the same everywhere: simulate, compare, sweep and the library
 * give the same response times for a model, a log and a preset, with and without sites.
 */

const logFile = join(makeTemporaryFolder(), 'log.swf');
writeFileSync(logFile, LOG);

const MODEL = 'lublin99[aarr=9,jobs=200,seed=3]';
const METRIC_NAME = 'averageResponseTime';
const DRAWN_SPEEDS_WORDS = 'draw[sh=0.2,seed=2]';

const SETTING_CASES = [
  { jobs: MODEL, options: {} },
  { jobs: MODEL, options: { sites: '64,128,64' } },
  { jobs: MODEL, options: { sites: '64,128,64', speeds: DRAWN_SPEEDS_WORDS } },
  { jobs: MODEL, options: { sites: '64,128', load: '1.3' } },
  { jobs: MODEL, options: { preset: 'huang2007', home: 'none' } },
  { jobs: logFile, options: {} },
  { jobs: logFile, options: { sites: '8,6,4' } },
  { jobs: logFile, options: { preset: 'huang2007' } },
] as const;

/** Options whose default can also be written out, each with settings in which it has an effect. */
const CASES_OF_OPTIONS_WITH_DEFAULT = Object.keys(OPTIONS).flatMap(
  (optionName): [string, string, OptionTexts][] => {
    const defaultText = printDefaultOptionText(findOptionByName(optionName));
    const [sample] = sampleSettingsOfOption(optionName);
    if (defaultText === undefined || findOptionByName(optionName).isSwitch || sample === undefined) return [];
    const { [optionName]: _, ...otherFields } = sample;
    return [[optionName, defaultText, otherFields]];
  },
);

test('most options have a default that may be given', () => {
  expect(CASES_OF_OPTIONS_WITH_DEFAULT.length).toBeGreaterThan(25);
});

test.each(CASES_OF_OPTIONS_WITH_DEFAULT)(
  '--%s at its default, %s, is as without it, beside %j',
  async (name, text, otherOptions) => {
    const parseValue = (valueText: string) => findOptionByName(name).read(valueText, name);
    try {
      parseValue(text);
    } catch {
      // Defaults such as `none` or `that of the log` cannot be written as a value.
      return;
    }
    const commonOptions: OptionTexts = { policy: 'best-fit', ...otherOptions };
    const optionTexts: OptionTexts = { ...commonOptions, [name]: text };
    const commandWords = (options: OptionTexts) =>
      Object.entries(options).flatMap(([optionKey, optionValue]) =>
        optionValue === 'true' ? [`--${optionKey}`] : [`--${optionKey}=${optionValue}`],
      );
    const answer = async (command: string, options: OptionTexts, ...extraWords: string[]) => {
      const { exitCode, stdout, stderr } = await runProgramInProcess([
        command,
        logFile,
        ...commandWords(options),
        ...extraWords,
        '--json',
        '--quiet',
      ]);
      return { exitCode, stderr, document: JSON.parse(stdout) };
    };
    for (const [command, ...extraWords] of [
      ['simulate'],
      ['compare'],
      ['compare', '--replications=3', '--threads=1'],
    ]) {
      const answerWithoutOption = await answer(command!, commonOptions, ...extraWords);
      // With another option set, the default may be refused; then it is no default there.
      const { exitCode, document } = await answer(command!, optionTexts, ...extraWords);
      if (exitCode === 0 || answerWithoutOption.exitCode !== 0)
        expect({ command, document }).toEqual({ command, document: answerWithoutOption.document });
    }
  },
);

const optionsAsCommandArguments = (options: object) =>
  Object.entries(options).map(([optionName, optionValue]) => `--${optionName}=${optionValue}`);

async function runAndReadDocument(...commandWords: string[]) {
  const { exitCode, stdout, stderr } = await runProgramInProcess([
    ...commandWords,
    '--policy=best-fit',
    '--json',
    '--quiet',
  ]);
  expect(exitCode, stderr).toBe(0);
  return JSON.parse(stdout);
}

test.each(SETTING_CASES)('$jobs $options', async ({ jobs, options }) => {
  const commandWords = [jobs, ...optionsAsCommandArguments(options)];
  const { [METRIC_NAME]: expected } = await runAndReadDocument('simulate', ...commandWords);

  const { runs } = await runAndReadDocument('compare', ...commandWords);
  expect(runs.map((run: Record<string, number>) => run[METRIC_NAME])).toEqual([expected]);
  // The first replication of a model equals the model itself.
  const isModelWorkload = jobs === MODEL;
  const sharedOptions = { ...options, policy: 'best-fit', replications: 2, threads: 1 };
  const firstSeedValueIfModel = (seedValues: readonly number[]) =>
    isModelWorkload ? seedValues[0] : seedValues;
  const resultOfReplications = await replications(jobs, sharedOptions);
  const metricValues = resultOfReplications.metrics.find(
    ({ name: metricName }) => metricName === METRIC_NAME,
  )!.values;
  if (isModelWorkload) expect(metricValues[0]).toBe(expected);
  const comparisonResult = await compare(jobs, sharedOptions);
  expect(firstSeedValueIfModel(comparisonResult.metrics[0].values[0])).toEqual(
    firstSeedValueIfModel(metricValues),
  );
  const { rows } = await runAndReadDocument('compare', ...commandWords, '--replications=2', '--threads=1');
  expect(rows[0].values).toEqual(metricValues);
  // A sweep, and so a study, needs the option `sites` for jobs without a machine size.
  if (isModelWorkload && !('sites' in options) && !('preset' in options)) return;
  const resultFolder = join(makeTemporaryFolder(), 'sweep');
  const { exitCode, stdout, stderr } = await runGridalloc([
    ...[
      'sweep',
      ...commandWords,
      '--vary=policy=best-fit',
      '--threads=1',
      '--json',
      '--quiet',
      '--out',
      resultFolder,
    ],
  ]);
  expect(exitCode, stderr).toBe(0);
  expect(JSON.parse(stdout).tables[0].rows[0][1].value).toBe(expected);
});
