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

const PROGRAM_PATH = path.join(__dirname, 'program.js');
/** Commands after which most of what a simulation needs is compiled. */
const SIMULATING_COMMANDS = ['simulate', 'compare'];

/**
 * Where the compiled code of the script is, or may be kept: beside it, or in the user's cache folder.
 * What was compiled is of use to one version of Node alone, and V8 compares no more than the lengths of scripts.
 */
function* codeCacheFiles(programText: string): Generator<string> {
  const digest = programText.slice(programText.lastIndexOf('/') + 1);
  const cacheFileName = `program-${digest}-${process.version}-${process.arch}.code`;
  yield path.join(__dirname, cacheFileName);
  // Code that another user can write is not run: under sudo the home may be that of who has called it.
  if (!isCustom(os.homedir())) return;
  const { XDG_CACHE_HOME, LOCALAPPDATA } = process.env;
  const cacheFolder =
    XDG_CACHE_HOME || (process.platform === 'win32' && LOCALAPPDATA) || path.join(os.homedir(), '.cache');
  yield path.join(cacheFolder, 'gridalloc', cacheFileName);
}

/** Whether a file is of the user who runs this. */
function isCustom(file: string): boolean {
  return process.getuid === undefined || fs.statSync(file).uid === process.getuid();
}

/** The code compiled before, if there is any that can be read. */
function readCompiledCode(programText: string): Buffer | undefined {
  try {
    for (const file of codeCacheFiles(programText)) {
      if (!fs.existsSync(file) || !fs.statSync(file).isFile()) continue;
      if (path.dirname(file) === __dirname || isCustom(file)) return fs.readFileSync(file);
    }
  } catch {
    // It runs as well without.
  }
  return undefined;
}

/** The script, with what has been compiled of it before, if anything. */
function readScript(): { readonly script: vm.Script; readonly text: string } {
  // Its characters are ASCII, as the build writes them.
  const programText = fs.readFileSync(PROGRAM_PATH, 'latin1');
  const cachedData = readCompiledCode(programText);
  return { script: new vm.Script(programText, { filename: PROGRAM_PATH, cachedData }), text: programText };
}

/** What imports modules for the script, which cannot where it was compiled before. */
const importModule = (specifier: string): Promise<unknown> => import(specifier);

/** What the script has for others: the program, on the streams of the process and on any. */
type Program = typeof import('./main.js', { with: { 'resolution-mode': 'import' }});

/** The program of a script. */
function load(script: vm.Script = readScript().script): Program {
  const module = { exports: {} };
  script.runInThisContext()(module, require, PROGRAM_PATH, importModule);
  return module.exports as Program;
}

/** Keeps what is compiled of a script for the next start, in the first place that can be written, if any. */
function saveCompiledCode(script: vm.Script, text: string): void {
  const exitCode = script.createCachedData();
  try {
    for (const file of codeCacheFiles(text)) if (write(file, exitCode)) return;
  } catch {
    // There is no such place.
  }
}

/** Whether a file could be written, which is there as a whole or not at all. */
function write(file: string, compiledCode: Buffer): boolean {
  const unfinishedFile = `${file}.${process.pid}`;
  try {
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(unfinishedFile, compiledCode);
    fs.renameSync(unfinishedFile, file);
    return true;
  } catch {
    fs.rmSync(unfinishedFile, { force: true });
    return false;
  }
}

/** Runs the program on the process, and keeps what a simulation has compiled where nothing was compiled before. */
async function run(): Promise<void> {
  const { script, text } = readScript();
  const exitCode = await load(script).runProcess();
  const isNewlyMade = script.cachedDataRejected === undefined;
  if (
    isNewlyMade &&
    exitCode === 0 &&
    SIMULATING_COMMANDS.includes(process.argv[2] ?? '') &&
    !isHelpRequested()
  )
    saveCompiledCode(script, text);
}

const isHelpRequested = () => process.argv.some((word) => word === '-h' || word === '--help');

if (require.main === module) run();
export = { readScript, load, keepCode: saveCompiledCode };
