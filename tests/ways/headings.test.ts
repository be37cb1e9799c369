import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { printDuration } from '../../host/notation.js';
import { isDefaultOptionText } from '../../host/options/document.js';
import { OPTIONS } from '../../host/options/options.js';
import { makeSweepStudy } from '../../host/study/sweep.js';
import { doesRunAllCases, RANDOM_TEST_TIMEOUT_MILLISECONDS, sampleTestCases } from '../cases.js';
import { runProgramInProcess } from '../cli/runProgram.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';
import { formatOptionsAsCommandWords, LOG, OPTION_SAMPLES, type OptionTexts } from './samples.js';

/** Output, reports and text for papers must state all settings, for every kind of request. */

const folder = makeTemporaryFolder();
const [path, otherPath] = ['log.swf', 'other.swf'].map((name) => join(folder, name));
writeFileSync(path, LOG);
writeFileSync(
  otherPath,
  LOG.replaceAll(/^(\d+ \d+ \d+) (\d+)/gm, (_, fieldsBefore, time) => `${fieldsBefore} ${+time + 1}`),
);

/**
 * Options about reading a log, which no heading repeats, and about the grid, which headings show
 * separately.
 */
const LOG_READING_OPTION_NAMES = ['format', 'sort', 'skip-bad-lines', 'rebase'];
const GRID_OPTION_NAMES = ['sites', 'speeds', 'heterogeneity', 'preset'];

/** True for options with one non-default value for all methods, which a heading must name. */
const isStatedInHeading = (optionName: string, optionValueText: string) =>
  ![...LOG_READING_OPTION_NAMES, ...GRID_OPTION_NAMES].includes(optionName) &&
  !isDefaultOptionText(optionName, optionValueText);

/**
 * Commands with printed output, each as a function from settings to its words; replications add
 * their own perturbation.
 */
const COMMAND_WORDS_BY_WAY: Readonly<Record<string, (setting: OptionTexts) => string[]>> = {
  simulate: (setting) => ['simulate', path, ...formatOptionsAsCommandWords(setting)],
  'simulate --replications': (setting) => [
    'simulate',
    path,
    ...formatOptionsAsCommandWords(setting),
    '--replications',
    '2',
    '--threads',
    '1',
  ],
  compare: (setting) => ['compare', path, ...formatOptionsAsCommandWords(addSecondMethod(setting))],
  'compare --replications': (setting) => [
    'compare',
    path,
    ...formatOptionsAsCommandWords(addSecondMethod(setting)),
    ...['--replications', '2', '--threads', '1'],
  ],
  'compare of logs': (setting) => [
    'compare',
    path,
    otherPath,
    ...formatOptionsAsCommandWords(addSecondMethod(setting)),
  ],
};

/** The settings with two methods, if they contain none. */
function addSecondMethod(setting: OptionTexts): OptionTexts {
  const isOpen = ['discipline', 'order', 'policy'].every((name) => setting[name] === undefined);
  return isOpen ? { discipline: 'fcfs,easy', ...setting } : setting;
}

const foldedHash = (outputText: string) => outputText.replaceAll(/\s+/g, ' ');

/** An option's value as printed in headings; times have units. */
function optionValueInHeading(optionName: string, optionText: string): string {
  const { isSwitch, isTime } = OPTIONS[optionName];
  if (isSwitch) return optionName.replaceAll('-', ' ');
  return isTime && Number.isFinite(Number(optionText)) ? printDuration(Number(optionText)) : optionText;
}

/** Settings that a text does not mention. */
function missingFields(outputText: string, setting: OptionTexts): string[] {
  return Object.entries(setting).flatMap(([name, value]) => {
    if (!isStatedInHeading(name, value)) return [];
    const { read: readOption, print } = OPTIONS[name];
    return foldedHash(outputText).includes(optionValueInHeading(name, print(readOption(value, name))))
      ? []
      : [`${name} ${value}`];
  });
}

const settings = Object.values(OPTION_SAMPLES).flatMap((samples) => samples.settings);

test.each(Object.entries(COMMAND_WORDS_BY_WAY))(
  '%s says every setting',
  { timeout: RANDOM_TEST_TIMEOUT_MILLISECONDS },
  async (commandName, commandWords) => {
    const missingNames: string[] = [];
    let triedSettingCount = 0;
    for (const setting of sampleTestCases(settings)) {
      if (commandName.includes('replications') && setting.replication !== undefined) continue;
      const { exitCode, stdout } = await runProgramInProcess(commandWords(setting));
      if (exitCode === 2) continue;
      expect(exitCode).toBe(0);
      triedSettingCount++;
      // Homes are shown in a column of the table of sites.
      const { home, ...otherFields } = setting;
      missingNames.push(...missingFields(stdout, commandName === 'simulate' ? otherFields : setting));
    }
    expect(triedSettingCount).toBeGreaterThan(doesRunAllCases ? 30 : 10);
    expect(missingNames).toEqual([]);
  },
);

test('a sweep says every setting', async () => {
  const makeStudy = (optionTexts: OptionTexts) =>
    makeSweepStudy({
      ...{
        workload: path,
        texts: optionTexts,
        metrics: [],
        replications: undefined,
        locate: (valuePath) => valuePath.join('.'),
      },
      varied: [{ name: 'runtime-scale', values: [1, 2] }],
    });
  for (const setting of settings) {
    const { 'runtime-scale': _, ...texts } = setting;
    const { description: studyDescription } = await makeStudy(texts);
    const optionWords = Object.entries(texts).filter(([name, text]) => !isDefaultOptionText(name, text));
    for (const [name, text] of optionWords)
      expect(studyDescription).toContain(optionValueInHeading(name, text));
  }
});
