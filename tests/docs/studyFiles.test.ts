/** The study of docs/study-files.md runs, and leaves the files that the page names. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { gridalloc, studyFile } from '../runner/childProcess.js';
import { temporaryFolder } from '../temporaryFolder.js';

const page = readFileSync(new URL('../../docs/study-files.md', import.meta.url), 'utf8');

test('the example', async () => {
  const folder = temporaryFolder();
  const [, example] = /```yaml\n([\s\S]*?)```/.exec(page) ?? [];
  const out = join(folder, 'out');
  const { code, stdout } = await gridalloc(['study', 'run', studyFile(folder, example), '--out', out]);
  expect(code).toBe(0);
  expect(stdout).toContain('Simulations: 45;');
  expect(stdout).toMatch(/^confirmed +more load never shortens responses/m);

  const table = page.slice(page.indexOf('## The folder of a study'));
  const named = [...table.matchAll(/^\| (`[^|]*) \|/gm)].flatMap(([, cell]) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name.replace('ID', 'response')),
  );
  const found = readdirSync(out, { recursive: true, encoding: 'utf8' });
  // It names no files with functions, of which there would be copies, and is not in shards.
  const there = named.filter(
    (name) =>
      !['code/', 'shards.json', 'shards/', 'slurm/', 'core/', 'studies.json', 'comparison.json'].includes(
        name,
      ),
  );
  expect(there.sort()).toEqual(found.filter((name) => name.includes('.') && !name.startsWith('.')).sort());
});
