import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { readSavedComparison } from '../../host/cli/study/studyResults.js';
import { readStudyCollection } from '../../host/runs/collection.js';
import { readShardPlan } from '../../host/runs/shardFolder.js';
import { readSlurmSubmissions } from '../../host/runs/slurm.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';

/** Files of a study folder other than its plan, each with the function that reads it. */
const READERS_OF_STUDY_FILES: readonly (readonly [name: string, read: (folder: string) => unknown])[] = [
  ['shards.json', readShardPlan],
  ['studies.json', readStudyCollection],
  ['comparison.json', readSavedComparison],
  ['slurm/submissions.json', readSlurmSubmissions],
];

test.each(READERS_OF_STUDY_FILES)(
  'a damaged %s is reported in a sentence, and so is one of a later version',
  (name, readFile) => {
    const folder = makeTemporaryFolder();
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, '{ "title":');
    expect(() => readFile(folder)).toThrow(`${path} is damaged; delete it and repeat the command`);
    writeFileSync(path, '{ "format": 99 }');
    expect(() => readFile(folder)).toThrow(`${path} is of format 99`);
  },
);
