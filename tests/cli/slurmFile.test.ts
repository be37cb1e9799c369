import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseSlurmFile, READ_SLURM_KEYS } from '../../host/cli/slurmFile.js';
import { SLURM_KEYS } from '../../host/cli/slurmKeys.js';
import { makeTemporaryFolder } from '../temporaryFolder.js';
import { runProgramInProcess, writeLogFile } from './runProgram.js';

const path = join(makeTemporaryFolder(), 'slurm.conf');

function parse(...lines: readonly string[]) {
  writeFileSync(path, lines.join('\n'));
  return parseSlurmFile(path);
}

test.each([
  ['', 'is empty'],
  [' \n\n', 'is empty'],
  ['\u007fELF\0\0=\0SchedulerType=sched/backfill', 'is not text'],
  ['site,from,to\n1,0,10\n', 'is not a slurm.conf'],
  ['; UnixStartTime: 5\n1 0 -1 60 4 -1 -1 4 60 -1 1 1 1 -1 -1 -1 -1 -1\n', 'is not a slurm.conf'],
  ['# SchedulerType=sched/backfill\n', 'is not a slurm.conf'],
  ['colour=red\n', 'is not a slurm.conf'],
])('the file %j is refused in one sentence', (text, message) => {
  writeFileSync(path, text);
  expect(() => parseSlurmFile(path)).toThrow(`--scheduler: ${path} ${message}`);
});

const WHOLE_NUMBER_KEYS = [
  ...['PriorityWeightAge', 'PriorityWeightAssoc', 'PriorityWeightFairshare', 'PriorityWeightJobSize'],
  ...['PriorityWeightPartition', 'PriorityWeightQOS', 'FairShareDampeningFactor', 'OverTimeLimit'],
  'SchedulerTimeSlice',
];
const TIME_KEYS = ['PriorityMaxAge', 'PriorityCalcPeriod', 'PriorityDecayHalfLife'];
const WORD_KEYS = ['PriorityFavorSmall', 'PriorityType', 'PriorityUsageResetPeriod', 'SchedulerType'];

const keysWithWrongValues = [
  ...WHOLE_NUMBER_KEYS.flatMap((keyWithWholeNumber) =>
    ['-5', 'ten', '10.5', '', '1e3'].map((value) => [keyWithWholeNumber, value]),
  ),
  ...TIME_KEYS.flatMap((keyWithTimeValue) =>
    ['-3', 'week', '', '1-', '5m'].map((value) => [keyWithTimeValue, value]),
  ),
  ...WORD_KEYS.flatMap((keyWithWordValue) => ['maybe', '', '-1'].map((value) => [keyWithWordValue, value])),
] as [string, string][];

test.each(keysWithWrongValues)('%s=%s is refused with file, line, key and what is expected', (key, value) => {
  const lines = ['SlurmUser=slurm', '# a comment', `  ${key.toLowerCase()} = ${value}`];
  expect(() => parse(...lines)).toThrow(`${path}, line 3, ${key}: expected `);
  expect(() => parse(...lines)).toThrow(`, found '${value}'`);
});

test.each([
  ['NodeName=n[1-4] \\', 'CPUs=four', 1, 'CPUs'],
  ['SlurmUser=slurm', 'NodeName=n1 Sockets=0', 2, 'Sockets'],
  ['SlurmUser=slurm', 'PartitionName=main Nodes=ALL PriorityJobFactor=-1', 2, 'PriorityJobFactor'],
  ['SlurmUser=slurm', 'SlurmdUser=root PriorityWeightAge=x', 2, 'PriorityWeightAge'],
])('wrong values in lines of several keys are refused: %s, %s', (wrongLine, wrongValue, line, key) => {
  expect(() => parse(wrongLine, wrongValue)).toThrow(`${path}, line ${line}, ${key}: expected `);
});

test.each(READ_SLURM_KEYS)('%s is a key of Slurm, and named if it is misspelt', (key) => {
  expect(SLURM_KEYS).toContain(key);
  const middleIndex = key.length >> 1;
  const misspelledKey =
    key.slice(0, middleIndex) + key[middleIndex + 1]! + key[middleIndex]! + key.slice(middleIndex + 2);
  const { remarks } = parse('ClusterName=x', `${misspelledKey}=1`);
  const isOther = misspelledKey !== key;
  expect(remarks).toEqual(isOther ? [`Unknown key ${misspelledKey} is ignored; did you mean ${key}?`] : []);
});

test('keys of Slurm without effect need no remark; unknown keys and flags are in one each', () => {
  expect(
    parse(
      ...SLURM_KEYS.filter((slurmKey) => !READ_SLURM_KEYS.includes(slurmKey)).map(
        (slurmKey) => `${slurmKey}=1`,
      ),
    ).remarks,
  ).toEqual([]);
  const lines = ['ClusterName=x', 'Colour=red', 'Flavour=sour', 'Include other.conf'];
  expect(parse(...lines, 'PriorityFlags=NO_FAIRTREE,MAX_TRES').remarks).toEqual([
    'Unknown keys are ignored: Colour and Flavour.',
    'Unknown flag NO_FAIRTREE is ignored; did you mean NO_FAIR_TREE?',
    'Included files are not read: other.conf. Copy their keys into this file.',
  ]);
});

test('the command line prints remarks, and refuses wrong values', async () => {
  const logFile = writeLogFile('; MaxProcs: 4\n1 0 -1 60 4 -1 -1 4 60 -1 1 1 1 -1 -1 -1 -1 -1\n');
  const run = async (configurationText: string) => {
    writeFileSync(path, configurationText);
    return runProgramInProcess(['simulate', logFile, '--scheduler', path]);
  };
  const resultWithRemarks = await run(
    'ClusterName=x\nSchedulerParameters=bf_intervall=60\nPriorityWeigthAge=5\n',
  );
  expect(resultWithRemarks.exitCode, resultWithRemarks.stderr).toBe(0);
  expect(resultWithRemarks.stderr).toContain(
    'Unknown key PriorityWeigthAge is ignored; did you mean PriorityWeightAge?',
  );
  expect(resultWithRemarks.stderr).toContain('Parameter bf_intervall is ignored; did you mean bf_interval?');
  const refusedResult = await run('SchedulerParameters=bf_interval=abc\n');
  expect(refusedResult.exitCode).toBe(2);
  expect(refusedResult.stderr).toContain(`${path}, SchedulerParameters, bf_interval: expected a number`);
});

test('of a repeated parameter the first counts, of a repeated key the last, as in Slurm', async () => {
  const logFile = writeLogFile('; MaxProcs: 4\n1 0 -1 60 4 -1 -1 4 60 -1 1 1 1 -1 -1 -1 -1 -1\n');
  const run = async (configurationText: string) => {
    writeFileSync(path, configurationText);
    const out = makeTemporaryFolder();
    const result = await runProgramInProcess(['simulate', logFile, '--scheduler', path, '--out', out]);
    expect(result.exitCode, result.stderr).toBe(0);
    const { backfillInterval } = JSON.parse(readFileSync(join(out, 'config.json'), 'utf8'));
    return { stderr: result.stderr, backfillInterval };
  };
  const repeatedParameter = await run('SchedulerParameters=bf_interval=45,bf_window=60,BF_interval=90\n');
  expect(repeatedParameter.backfillInterval).toBe(45);
  expect(repeatedParameter.stderr).toContain(
    'SchedulerParameters has bf_interval more than once; as in Slurm, the first counts: 45.',
  );
  const repeatedKey = await run('SchedulerParameters=bf_interval=45\nSchedulerParameters=bf_interval=90\n');
  expect(repeatedKey.backfillInterval).toBe(90);
  expect(repeatedKey.stderr).not.toContain('more than once');
});
