import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseTrace } from '../../host/trace/readText.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';
import { runProgramInProcess } from './runProgram.js';

const SWF_LOG = [
  '; Version: 2.2',
  '; Computer: Secret SP2',
  '; Installation: Somewhere',
  '; Acknowledge: Jane Doe',
  '; Information: http://secret.example/~jane',
  '; MaxProcs: 8',
  '; UnixStartTime: 1000000',
  '; Note: job of jane, who asked for it',
  '; User: 1207 jane',
  '; Group: 44 physics',
  '; Queue: 3 janes',
  '; Job: 900 17_1',
  '; free text by jane',
  '900 0 5 60 4 -1 -1 4 90 -1 1 1207 44 71 3 5 -1 -1',
  '901 9 5 60 4 -1 -1 4 90 -1 1 1208 44 -1 0 5 900 3',
  '900 9 5 60 4 -1 -1 4 90 -1 1 1207 -1 72 3 -1 555 -1',
  '',
].join('\n');

test('trace convert --anonymize leaves numbers alone, counted from 1, and no text', async () => {
  const folder = makeTemporaryFolder();
  const [from, to] = [join(folder, 'log.swf'), join(folder, 'out.swf')];
  writeFileSync(from, SWF_LOG);
  expect(await runProgramInProcess(['trace', 'convert', from, to, '--anonymize'])).toMatchObject({
    exitCode: 0,
  });
  expect(readFileSync(to, 'utf8').split('\n')).toEqual([
    '; Version: 2.2',
    '; MaxProcs: 8',
    '; UnixStartTime: 1000000',
    '1 0 5 60 4 -1 -1 4 90 -1 1 1 1 1 1 1 -1 -1',
    '2 9 5 60 4 -1 -1 4 90 -1 1 2 1 -1 2 1 1 3',
    '1 9 5 60 4 -1 -1 4 90 -1 1 1 -1 2 1 -1 -1 -1',
    '',
  ]);
});

test('trace convert --anonymize drops the names and notes of accounting, and keeps what simulations need', async () => {
  const to = join(makeTemporaryFolder(), 'out.swf');
  const from = 'traces/sacct.txt';
  await runProgramInProcess(['trace', 'convert', from, to, '--anonymize', '--filter', 'user=ada']);
  const writtenText = readFileSync(to, 'utf8');
  expect(writtenText).not.toMatch(/ada|bob|physics|batch|Note|Job:/);
  expect(writtenText).toContain('; NoLimit: ');
  expect([...parseTrace(writtenText).columns.job]).toEqual([1, 2]);
});
