import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isAbsentOptionText, OPTIONS } from '../../host/options/options.js';
import { runProgramInProcess } from '../cli/runProgram.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';
import { formatOptionsAsCommandWords, LOG, sampleSettingsOfOption } from './samples.js';

/** Tests that `--config FOLDER --OPTION none` takes an option of the saved run away. */

const folder = makeTemporaryFolder();
const path = join(folder, 'log.swf');
writeFileSync(path, LOG);

/** Options on which the defaults of others depend, and the folder has those others, too. */
const OPTIONS_DECIDING_DEFAULTS = ['replication', 'sites', 'discipline', 'select', 'reservations'];

const optionNames = Object.entries(OPTIONS).flatMap(([optionName, { isSwitch }]) =>
  isSwitch || !isAbsentOptionText(optionName, 'none') || OPTIONS_DECIDING_DEFAULTS.includes(optionName)
    ? []
    : [optionName],
);

/** Exit code, and the metrics or the refusal of a simulation. */
async function simulateAndGetOutcome(...commandWords: string[]) {
  const { exitCode, stdout, stderr } = await runProgramInProcess([
    'simulate',
    ...commandWords,
    '--json',
    '--quiet',
  ]);
  return { exitCode, result: exitCode === 0 ? stdout : stderr };
}

describe('an option given as none replaces that of a saved run', () => {
  test.each(optionNames)('%s', async (name) => {
    const [setting] = sampleSettingsOfOption(name);
    if (setting === undefined || setting[name] === undefined) return;
    const { [name]: _, ...otherFields } = setting;
    const out = join(folder, name);
    mkdirSync(out);
    const outcomeOfSavedRun = await simulateAndGetOutcome(
      path,
      ...formatOptionsAsCommandWords(setting),
      '--out',
      out,
    );
    if (outcomeOfSavedRun.exitCode !== 0) return;
    const outcomeOfRepeatedRun = await simulateAndGetOutcome('--config', out, `--${name}=none`);
    expect(outcomeOfRepeatedRun).toEqual(
      await simulateAndGetOutcome(path, ...formatOptionsAsCommandWords(otherFields)),
    );
  });
});

test('most options are tested', async () => {
  const testedOptions = optionNames.filter(
    (optionName) => sampleSettingsOfOption(optionName)[0]?.[optionName] !== undefined,
  );
  expect(testedOptions.length).toBeGreaterThan(20);
  expect(testedOptions).toEqual(expect.arrayContaining(['outages', 'limit', 'kill', 'usage-step']));
});
