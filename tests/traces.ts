/**
 * Real logs for tests, which may not be distributed with the project; GRIDALLOC_TRACES names their
 * folder.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const LOGS_FOLDER_PATH = process.env.GRIDALLOC_TRACES;

/**
 * Path of a log in the folder GRIDALLOC_TRACES; undefined if that is not set, in which case tests
 * are skipped. In CI, a missing log is a failure.
 */
export function findTraceFilePath(fileName: string): string | undefined {
  const path = LOGS_FOLDER_PATH === undefined ? undefined : join(LOGS_FOLDER_PATH, fileName);
  if (path !== undefined && existsSync(path)) return path;
  if (process.env.CI)
    throw new Error(`the log ${fileName} is missing; GRIDALLOC_TRACES must name its folder`);
  console.warn(
    `skipped: the log ${fileName} is not there; name its folder in GRIDALLOC_TRACES to run these tests`,
  );
  return undefined;
}
