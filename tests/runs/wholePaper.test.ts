import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { expandStudyName } from '../../host/runs/planStudy.js';
import { makeSmallLogText, reduceStudy } from '../smallStudies.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';
import { runGridalloc, writeStudyFile } from './childProcess.js';

/**
 * Runs every table and figure of Shih et al. 2010 in one command, with few jobs, thresholds and
 * draws.
 */

test('all parts of shih2010-all run as one and share their histories', async () => {
  const folder = makeTemporaryFolder();
  const logFile = join(folder, 'small.swf');
  writeFileSync(logFile, makeSmallLogText());
  const studyNames = expandStudyName('shih2010-all');
  const files = studyNames.map((studyName) =>
    writeStudyFile(folder, reduceStudy(studyName, { draws: 1, jobs: 40 }), `${studyName}.yaml`),
  );
  const resultFolder = join(folder, 'all');
  const commandWords = [
    'study',
    'run',
    ...files,
    '--trace',
    logFile,
    '--out',
    resultFolder,
    '--threads',
    '1',
    '--yes',
    '--json',
  ];
  const { exitCode, stdout, stderr } = await runGridalloc(commandWords);
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
  const { simulations, sameSimulations, sharing, studies } = JSON.parse(stdout);
  expect(studies.map(({ name: studyName }: { name: string }) => studyName)).toEqual(studyNames);
  for (const studyName of studyNames)
    expect(existsSync(join(resultFolder, studyName, 'report.html')), studyName).toBe(true);
  expect(sameSimulations).toBeGreaterThan(0);
  // Studies of workloads need no simulation.
  expect(sharing.simulations).toBeLessThanOrEqual(simulations);
  expect(sharing.simulations).toBeGreaterThan(0.9 * simulations);
  expect(sharing.forks).toBeGreaterThan(0);
  expect(sharing.joins).toBeGreaterThan(0);
  expect(sharing.simulatedJobs).toBeLessThan(sharing.jobs / 2);
});
