#!/usr/bin/env node
/**
 * Start of the built program, `dist/cli/main.js`: loads one script with all commands, and the code that V8
 * compiled from it earlier. Finding, reading and compiling its modules one by one would take longer than most
 * simulations. The build compiles the script for its own version of Node; any other version compiles it at
 * its first simulation, and saves the compiled code.
 */
import fs = require('node:fs');
import os = require('node:os');
import path = require('node:path');
import vm = require('node:vm');

const PROGRAM_PATH = path.join(__dirname, 'program.js');
/** Commands after which V8 has compiled most of the functions that a simulation needs. */
const SIMULATING_COMMANDS = ['simulate', 'compare'];

/**
 * Yields the paths at which compiled code of the script may be: beside the script, and in the user's cache
 * folder. The file name contains the version of Node, since other versions cannot use the code, and a digest
 * of the script, of which V8 compares only the length.
 */
function* listCompiledCodePaths(programText: string): Generator<string> {
  const digest = programText.slice(programText.lastIndexOf('/') + 1);
  const cacheFileName = `program-${digest}-${process.version}-${process.arch}.code`;
  yield path.join(__dirname, cacheFileName);
  // Code that another user can write must not run: under sudo, the home folder may belong to the caller.
  if (!isOwnedByUser(os.homedir())) return;
  const { XDG_CACHE_HOME, LOCALAPPDATA } = process.env;
  const cacheFolder =
    XDG_CACHE_HOME || (process.platform === 'win32' && LOCALAPPDATA) || path.join(os.homedir(), '.cache');
  yield path.join(cacheFolder, 'gridalloc', cacheFileName);
}

/** True if a file belongs to the user who runs the program, or if the system has no owners of files. */
function isOwnedByUser(filePath: string): boolean {
  return process.getuid === undefined || fs.statSync(filePath).uid === process.getuid();
}

/** Reads the saved compiled code; undefined if none can be read. */
function readCompiledCode(programText: string): Buffer | undefined {
  try {
    for (const codePath of listCompiledCodePaths(programText)) {
      if (!fs.existsSync(codePath) || !fs.statSync(codePath).isFile()) continue;
      if (path.dirname(codePath) === __dirname || isOwnedByUser(codePath)) return fs.readFileSync(codePath);
    }
  } catch {
    // The program runs without it too, only slower at first.
  }
  return undefined;
}

/** Reads the script, with its saved compiled code if any, and its text. */
function readScript(): { readonly script: vm.Script; readonly text: string } {
  // The build writes ASCII characters only.
  const programText = fs.readFileSync(PROGRAM_PATH, 'latin1');
  const cachedData = readCompiledCode(programText);
  return { script: new vm.Script(programText, { filename: PROGRAM_PATH, cachedData }), text: programText };
}

/** Imports a module for the script, since `import()` fails in a script that was compiled earlier. */
const importModule = (specifier: string): Promise<unknown> => import(specifier);

/** Exports of the script. */
type Program = typeof import('./main.js', { with: { 'resolution-mode': 'import' }});

/** Runs a script and returns its exports. */
function load(script: vm.Script = readScript().script): Program {
  const module = { exports: {} };
  script.runInThisContext()(module, require, PROGRAM_PATH, importModule);
  return module.exports as Program;
}

/** Saves the compiled code of a script for the next start, at the first path that can be written, if any. */
function saveCompiledCode(script: vm.Script, text: string): void {
  const compiledCode = script.createCachedData();
  try {
    for (const codePath of listCompiledCodePaths(text)) if (writeWholeFile(codePath, compiledCode)) return;
  } catch {
    // No path can be written; the next start compiles the script again.
  }
}

/** Writes a file as a whole or not at all; returns true if it was written. */
function writeWholeFile(filePath: string, content: Buffer): boolean {
  const unfinishedPath = `${filePath}.${process.pid}`;
  try {
    fs.mkdirSync(path.dirname(filePath), { recursive: true });
    fs.writeFileSync(unfinishedPath, content);
    fs.renameSync(unfinishedPath, filePath);
    return true;
  } catch {
    fs.rmSync(unfinishedPath, { force: true });
    return false;
  }
}

/** Runs the program; after a first simulation without saved compiled code, saves the code. */
async function runAndSaveCode(): Promise<void> {
  const { script, text } = readScript();
  const exitCode = await load(script).runProcess();
  const hadNoSavedCode = script.cachedDataRejected === undefined;
  if (
    hadNoSavedCode &&
    exitCode === 0 &&
    SIMULATING_COMMANDS.includes(process.argv[2] ?? '') &&
    !isHelpRequested()
  )
    saveCompiledCode(script, text);
}

const isHelpRequested = () => process.argv.some((word) => word === '-h' || word === '--help');

if (require.main === module) runAndSaveCode();
export = { readScript, load, keepCode: saveCompiledCode };
