import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

const foldersToDelete: string[] = [];

/** Creates a folder that is deleted after the tests of the file. */
export function makeTemporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'gridalloc-test-'));
  foldersToDelete.push(folder);
  return folder;
}

afterAll(() => {
  for (const folder of foldersToDelete) rmSync(folder, { recursive: true, force: true });
});
