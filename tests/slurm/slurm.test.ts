import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { filesOf, gridalloc, journalRuns, studyFile } from '../runner/childProcess.js';
import { temporaryFolder } from '../temporaryFolder.js';

/** Studies under a real Slurm, which is started for these tests: results are those of a local run, whatever happens. */

const PROGRAMS = ['munged', 'slurmctld', 'slurmd', 'sbatch'];
const isThere = (program: string) => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;
const lacking = PROGRAMS.filter((program) => !isThere(program));
const canRun = lacking.length === 0 && process.getuid?.() === 0;
if (!canRun && process.env.CI === undefined) {
  console.warn(`skipped: studies under Slurm need root and Debian's slurmctld, slurmd, slurm-client, munge`);
}

const STUDY = `
title: Under Slurm
simulate:
  workload: lublin99[jobs=300,seed={draw}]
  sites: 8,128,128
  speeds: draw[sh=0.1,seed=1]
  policy: '{policy}'
axes: { policy: [best-fit, ai2, FUNCTION] }
draws: { axis: draw, count: 16 }
measures: { art: { metric: averageResponseTime } }
tables: { art: { title: Response times, measures: art, rows: policy } }
`;
const RUNS = 48;
/** Slow, so that there is time to disturb it. */
const FUNCTION = `export default (view) => {
  for (const end = performance.now() + 0.7; performance.now() < end; );
  return view.bestFit;
};
`;
const PORT = 17_000 + (process.pid % 1000) * 10;

const script = (name: string) => fileURLToPath(new URL(name, import.meta.url));

describe.skipIf(!canRun && process.env.CI === undefined)('under Slurm', () => {
  const folder = temporaryFolder();
  const slurm = join(folder, 'slurm');
  const hidden = join(folder, 'hidden');
  let file: string;
  let expected: Record<string, string>;

  beforeAll(async () => {
    mkdirSync(hidden);
    const { status, stderr } = spawnSync('bash', [script('start.sh'), slurm, String(PORT), hidden], {
      encoding: 'utf8',
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    expect({ status, stderr }).toMatchObject({ status: 0 });
    process.env.SLURM_CONF = join(slurm, 'slurm.conf');
    const code = join(folder, 'slow.js');
    writeFileSync(code, FUNCTION);
    file = studyFile(folder, STUDY.replace('FUNCTION', code));
    expect(await run(file, '--out', join(folder, 'one'))).toMatchObject({ code: 0, stderr: '' });
    expected = filesOf(join(folder, 'one'));
  });

  afterAll(() => {
    spawnSync('bash', [script('stop.sh'), slurm]);
  });

  const run = (word: string, ...words: string[]) =>
    gridalloc(['study', 'run', word, '--allow-code', '--quiet', ...words]);

  const submit = async (word: string, ...words: string[]) => {
    const { code, stdout, stderr } = await run(word, '--engine', 'slurm', '--json', ...words);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return JSON.parse(stdout) as { tasks: string; merge: string; shards: number[] };
  };

  const status = async (out: string) =>
    JSON.parse((await gridalloc(['study', 'status', out, '--json'])).stdout) as {
      done: number;
      shards: { done: number; simulations: number; state: string; process?: number }[];
    };

  const ask = (command: string, ...words: string[]) => {
    const { status: code, stdout, stderr } = spawnSync(command, words, { encoding: 'utf8' });
    expect({ command, code, stderr }).toEqual({ command, code: 0, stderr: '' });
    return stdout;
  };

  async function until(isSo: () => boolean): Promise<void> {
    for (const end = performance.now() + 30_000; !isSo(); ) {
      if (performance.now() > end) throw new Error('it never came');
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  const untilOver = (job: string) => until(() => !/\S/.test(ask('squeue', '--noheader', `--jobs=${job}`)));

  /** What a local run writes too. */
  const resultsOf = (out: string) =>
    Object.fromEntries(Object.entries(filesOf(out)).filter(([name]) => !/^(?:shards|slurm)/.test(name)));

  const journalsOf = (out: string) => {
    const shards = join(out, 'shards');
    const folders = readdirSync(shards).map((name) => join(shards, name));
    return folders.filter((each) => existsSync(join(each, 'journal.jsonl'))).flatMap(journalRuns);
  };

  test('an array of tasks and a merge give the bytes of a local run', async () => {
    const out = join(folder, 'array');
    const { merge, shards } = await submit(file, '--tasks', '5', '--threads', '1', '--out', out);
    expect(shards).toEqual([1, 2, 3, 4, 5]);
    await untilOver(merge);
    expect(resultsOf(out)).toEqual(expected);
    expect(journalsOf(out).length).toBe(RUNS);
  });

  test('a task killed, one told to end, a node drained, a merge too early: continuing completes it', async () => {
    const out = join(folder, 'disturbed');
    await submit(file, '--tasks', '4', '--threads', '2', '--out', out);
    const begun = (shard: number) => {
      const journal = join(out, 'shards', `${shard}-of-4`, 'journal.jsonl');
      return existsSync(journal) && readFileSync(journal, 'utf8').split('\n').length > 2;
    };
    // Two of four tasks have room. The node takes no more, one of these is killed, the other one told to end.
    await until(() => begun(1) && begun(2));
    ask('scontrol', 'update', 'NodeName=first', 'State=DRAIN', 'Reason=test');
    const idOf = (shard: number) => {
      const lock = readFileSync(join(out, `shards/${shard}-of-4/study.lock`), 'utf8');
      return (JSON.parse(lock) as { process: number }).process;
    };
    process.kill(idOf(1), 'SIGKILL');
    process.kill(idOf(2), 'SIGTERM');
    await until(() => !existsSync(join(out, 'shards/2-of-4/study.lock')));
    expect(readFileSync(join(out, 'slurm/shard-2.txt'), 'utf8')).toContain('interrupted; what is done is in');
    await until(() => !/RUNNING|COMPLETING/.test(ask('squeue', '--noheader', '--format=%T')));
    const { done, shards } = await status(out);
    expect(done).toBeGreaterThan(0);
    expect(shards.map(({ state }) => state.replace(/[: ].*$/s, ''))).toEqual([
      ...['failed', 'failed', 'waiting', 'waiting'],
    ]);
    expect(shards[1].state).toContain('interrupted; what is done is in');
    expect((await gridalloc(['study', 'merge', out])).stderr).toContain(
      `${RUNS - done} of ${RUNS} runs are not in`,
    );

    // Tasks that wait are not submitted again.
    const second = await submit(file, '--out', out);
    expect(second.shards).toEqual([1, 2]);
    expect((await run(file, '--engine', 'slurm', '--out', out)).stdout).toContain('is waiting or running');
    expect((await run(file, '--engine', 'slurm', '--tasks', '7', '--out', out)).stderr).toContain(
      'is cut into 4 shards, and some wait or run',
    );
    ask('scontrol', 'update', 'NodeName=first', 'State=RESUME');
    await untilOver(second.merge);
    expect(resultsOf(out)).toEqual(expected);
    const runs = journalsOf(out);
    expect(runs.length).toBe(RUNS);
    expect(new Set(runs).size).toBe(RUNS);
  });

  test('cancelled, cut anew into other tasks, finished here', async () => {
    const out = join(folder, 'cancelled');
    await submit(file, '--tasks', '2', '--threads', '4', '--out', out);
    await until(() => existsSync(join(out, 'shards/1-of-2/journal.jsonl')));
    const cancelled = await gridalloc(['study', 'cancel', out]);
    expect(cancelled.stdout).toMatch(/^cancelled: 2 jobs/);
    await until(() => !/\S/.test(ask('squeue', '--noheader')));
    expect((await gridalloc(['study', 'cancel', out])).stdout).toContain('no job of');
    const { shards, merge } = await submit(out, '--tasks', '3');
    expect(shards).toEqual([1, 2, 3]);
    await gridalloc(['study', 'cancel', out]);
    await until(() => !/\S/.test(ask('squeue', '--noheader', `--jobs=${merge}`)));
    await until(() => !/\S/.test(ask('squeue', '--noheader')));
    expect(await run(out)).toMatchObject({ code: 0, stderr: '' });
    expect(resultsOf(out)).toEqual(expected);
  });

  test('a folder that nodes do not see, and another version there, are said', async () => {
    const out = join(hidden, 'out');
    const { merge } = await submit(file, '--tasks', '2', '--partition', 'apart', '--out', out);
    await untilOver(merge);
    const { shards } = await status(out);
    expect(shards[0].state).toMatch(/^failed: \S+ is not on a file system that \S+ shares with /);
    expect(existsSync(join(out, 'shards/1-of-2/journal.jsonl'))).toBe(false);

    const other = join(folder, 'version');
    expect(await run(file, '--out', other, '--shards', '2')).toMatchObject({ code: 0 });
    const cut = join(other, 'shards.json');
    const { version } = JSON.parse(readFileSync(cut, 'utf8')) as { version: string };
    writeFileSync(cut, readFileSync(cut, 'utf8').replace(version, '9.9.9'));
    const { merge: later } = await submit(file, '--out', other);
    await untilOver(later);
    expect((await status(other)).shards[0].state).toMatch(
      /^failed: \S+ was planned by gridalloc 9\.9\.9, and this is gridalloc \S+ on /,
    );
  });

  test.each([
    [['--partition', 'mian'], "Slurm has no partition 'mian' here; did you mean 'main'? Known: main, apart"],
    [
      ['--tasks', '21'],
      '--tasks 21: a job array has at most 20 tasks on this cluster (MaxArraySize); give 20',
    ],
    [['--tasks', '2', '--sbatch-args=--time=soon'], 'Slurm refuses (sbatch): Invalid --time specification'],
    [['--shard', '1/2'], '--shard and --engine slurm do not go together'],
  ])('%j is refused', async (words, sentence) => {
    const out = join(folder, 'refused');
    const { code, stderr } = await run(file, '--engine', 'slurm', '--out', out, ...words);
    rmSync(out, { recursive: true, force: true });
    expect(stderr).toContain(sentence);
    expect(code).toBe(2);
  });

  test('without Slurm', () => {
    const program = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
    const words = [
      program,
      'study',
      'run',
      file,
      '--allow-code',
      '--engine',
      'slurm',
      '--out',
      join(folder, 'none'),
    ];
    const { status: code, stderr } = spawnSync(process.execPath, words, {
      encoding: 'utf8',
      env: { PATH: folder },
    });
    expect(stderr).toContain("is not found: --engine slurm takes Slurm's commands");
    expect(code).toBe(2);
  });
});
