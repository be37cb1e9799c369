/**
 * Loaded before the program: counts its file-system calls that change something in the folder KILLED_IN, and
 * kills the program with SIGKILL at call number KILLED_AT, when half of the data of that call is written.
 * Without KILLED_AT, it writes the number of calls to the file COUNTED_IN.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { isMainThread } from 'node:worker_threads';

const { KILLED_IN, KILLED_AT, COUNTED_IN } = process.env;
const { writeFileSync } = fs;
/**
 * File-system functions that change files, each with whether it writes data to the file that its first
 * argument names.
 */
const DOES_ASYNC_FUNCTION_WRITE_DATA = {
  writeFile: true,
  cp: false,
  rename: false,
  rm: false,
  rmdir: false,
  mkdir: false,
};
const DOES_SYNC_FUNCTION_WRITE_DATA = {
  writeFileSync: true,
  renameSync: false,
  rmSync: false,
  mkdirSync: false,
  createWriteStream: true,
};
let calls = 0;

function watch(module, name, doesWriteData) {
  const call = module[name];
  module[name] = (path, ...rest) => {
    if (typeof path === 'string' && path.startsWith(KILLED_IN) && ++calls === Number(KILLED_AT)) {
      if (doesWriteData) writeFileSync(path, '{"hal');
      process.kill(process.pid, 'SIGKILL');
    }
    return call(path, ...rest);
  };
}

if (isMainThread) {
  for (const [name, writes] of Object.entries(DOES_ASYNC_FUNCTION_WRITE_DATA))
    watch(fs.promises, name, writes);
  for (const [name, writes] of Object.entries(DOES_SYNC_FUNCTION_WRITE_DATA)) watch(fs, name, writes);
  syncBuiltinESMExports();
  if (COUNTED_IN !== undefined) process.on('exit', () => writeFileSync(COUNTED_IN, String(calls)));
}
