import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { readComparison } from '../../host/cli/study/studyResults.js';
import { readCollection } from '../../host/runs/collection.js';
import { readShardPlan } from '../../host/runs/shardFolder.js';
import { readSubmissions } from '../../host/runs/slurm.js';
import { temporaryFolder } from '../temporaryFolder.js';

/** Errors in files of a study folder other than its plan. */
const FILES: readonly (readonly [name: string, read: (folder: string) => unknown])[] = [
  ['shards.json', readShardPlan],
  ['studies.json', readCollection],
  ['comparison.json', readComparison],
  ['slurm/submissions.json', readSubmissions],
];

test.each(FILES)('a damaged %s is reported in a sentence, and so is one of a later version', (name, read) => {
  const folder = temporaryFolder();
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, '{ "title":');
  expect(() => read(folder)).toThrow(`${path} is damaged; delete it and repeat the command`);
  writeFileSync(path, '{ "format": 99 }');
  expect(() => read(folder)).toThrow(`${path} is of format 99`);
});
