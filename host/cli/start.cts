#!/usr/bin/env node
/**
 * The start of the program as it is built, `dist/cli/main.js`: one script with all commands, and what V8 has compiled of it.
 * Finding, reading and compiling its modules one by one takes longer than most simulations. The build compiles the script for
 * its own version of Node; any other version compiles it at its first simulation, and keeps what it has compiled.
 */
import fs = require('node:fs');
import os = require('node:os');
import path = require('node:path');
import vm = require('node:vm');

const PROGRAM = path.join(__dirname, 'program.js');
/** Commands after which most of what a simulation needs is compiled. */
const SIMULATING = ['simulate', 'compare'];

/**
 * Where the compiled code of the script is, or may be kept: beside it, or in the user's cache folder.
 * What was compiled is of use to one version of Node alone, and V8 compares no more than the lengths of scripts.
 */
function* codeFiles(text: string): Generator<string> {
  const digest = text.slice(text.lastIndexOf('/') + 1);
  const name = `program-${digest}-${process.version}-${process.arch}.code`;
  yield path.join(__dirname, name);
  // Code that another user can write is not run: under sudo the home may be that of who has called it.
  if (!isOwn(os.homedir())) return;
  const { XDG_CACHE_HOME, LOCALAPPDATA } = process.env;
  const cache =
    XDG_CACHE_HOME || (process.platform === 'win32' && LOCALAPPDATA) || path.join(os.homedir(), '.cache');
  yield path.join(cache, 'gridalloc', name);
}

/** Whether a file is of the user who runs this. */
function isOwn(file: string): boolean {
  return process.getuid === undefined || fs.statSync(file).uid === process.getuid();
}

/** The code compiled before, if there is any that can be read. */
function compiledBefore(text: string): Buffer | undefined {
  try {
    for (const file of codeFiles(text)) {
      if (!fs.existsSync(file) || !fs.statSync(file).isFile()) continue;
      if (path.dirname(file) === __dirname || isOwn(file)) return fs.readFileSync(file);
    }
  } catch {
    // It runs as well without.
  }
  return undefined;
}

/** The script, with what has been compiled of it before, if anything. */
function readScript(): { readonly script: vm.Script; readonly text: string } {
  // Its characters are ASCII, as the build writes them.
  const text = fs.readFileSync(PROGRAM, 'latin1');
  const cachedData = compiledBefore(text);
  return { script: new vm.Script(text, { filename: PROGRAM, cachedData }), text };
}

/** What imports modules for the script, which cannot where it was compiled before. */
const importModule = (specifier: string): Promise<unknown> => import(specifier);

/** What the script has for others: the program, on the streams of the process and on any. */
type Program = typeof import('./main.js', { with: { 'resolution-mode': 'import' }});

/** The program of a script. */
function load(script: vm.Script = readScript().script): Program {
  const module = { exports: {} };
  script.runInThisContext()(module, require, PROGRAM, importModule);
  return module.exports as Program;
}

/** Keeps what is compiled of a script for the next start, in the first place that can be written, if any. */
function keepCode(script: vm.Script, text: string): void {
  const code = script.createCachedData();
  try {
    for (const file of codeFiles(text)) if (write(file, code)) return;
  } catch {
    // There is no such place.
  }
}

/** Whether a file could be written, which is there as a whole or not at all. */
function write(file: string, code: Buffer): boolean {
  const unfinished = `${file}.${process.pid}`;
  try {
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(unfinished, code);
    fs.renameSync(unfinished, file);
    return true;
  } catch {
    fs.rmSync(unfinished, { force: true });
    return false;
  }
}

/** Runs the program on the process, and keeps what a simulation has compiled where nothing was compiled before. */
async function run(): Promise<void> {
  const { script, text } = readScript();
  const code = await load(script).runProcess();
  const isNew = script.cachedDataRejected === undefined;
  if (isNew && code === 0 && SIMULATING.includes(process.argv[2] ?? '') && !isHelp()) keepCode(script, text);
}

const isHelp = () => process.argv.some((word) => word === '-h' || word === '--help');

if (require.main === module) run();
export = { readScript, load, keepCode };
