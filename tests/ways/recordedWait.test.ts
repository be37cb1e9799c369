import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { drawFolder } from '../../host/reports/savedReport.js';
import { sampleTestCases } from '../cases.js';
import { runProgramInProcess } from '../cli/runProgram.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';
import {
  formatOptionsAsCommandWords,
  LOG,
  OPTION_SAMPLES,
  type OptionTexts,
  sampleSettingsOfOption,
} from './samples.js';

/**
 * The recorded wait of a log is shown beside the simulated wait only if load, submissions and
 * machine are those of the log.
 */

/** The log with a machine of this many processors, and with recorded waits. */
function makeModelLogText(machine: number): string {
  return LOG.replace('MaxProcs: 8', `MaxProcs: ${machine}`).replace(/^(\d+ \d+) \d+ /gm, '$1 7 ');
}

/** Sample settings with equal speeds and the log's load, which are options of their own. */
function addLoadMatchingLog(sample: OptionTexts, metricName: string): OptionTexts {
  const { speeds, load, ...otherFields } = sample;
  return metricName === 'speeds' || metricName === 'load' ? sample : otherFields;
}

function processorsOfSites({ sites = '8' }: OptionTexts): number {
  return sites.split(',').reduce((sum, capacity) => sum + Number(capacity), 0);
}

test.each(sampleTestCases(Object.keys(OPTION_SAMPLES)))('%s', async (name) => {
  for (const [i, input] of sampleSettingsOfOption(name).entries()) {
    const sample = addLoadMatchingLog(input, name);
    const folder = makeTemporaryFolder();
    for (const [machine, isSame] of [
      [processorsOfSites(sample), true],
      [processorsOfSites(sample) + 1, false],
    ] as const) {
      const path = join(folder, 'log.swf');
      writeFileSync(path, makeModelLogText(machine));
      // Without --sites, the machine of the log is simulated.
      const isShown = OPTION_SAMPLES[name].keepsRecordedWait && (isSame || sample.sites === undefined);
      const resultFolder = join(folder, 'results');
      const commandWords = ['simulate', path, ...formatOptionsAsCommandWords(sample)];
      const programOutput = await runProgramInProcess(commandWords);
      expect(programOutput.stderr, commandWords.join(' ')).not.toMatch(/^gridalloc: /);
      expect(
        programOutput.stdout.includes('in the log'),
        `${name} ${i}, text, ${commandWords.join(' ')}`,
      ).toBe(isShown);
      expect((await runProgramInProcess([...commandWords, '--out', resultFolder, '--quiet'])).exitCode).toBe(
        0,
      );
      const { report } = await drawFolder(resultFolder);
      expect(
        report.tables.some(({ id: tableId }) => tableId === 'recorded'),
        `${name} ${i}, report`,
      ).toBe(isShown);
      rmSync(resultFolder, { recursive: true });
    }
  }
});
