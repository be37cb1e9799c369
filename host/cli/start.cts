#!/usr/bin/env node
/**
 * The start of the program as it is built, `dist/cli/main.js`: one script with all commands, which the build has compiled ahead.
 * Finding, reading and compiling its modules one by one takes longer than most simulations. Another version of Node than
 * that of the build compiles the script itself.
 */
import fs = require('node:fs');
import path = require('node:path');
import vm = require('node:vm');

const PROGRAM = path.join(__dirname, 'program.js');
/** What was compiled ahead is of use to the Node that did so. */
const CODE = path.join(__dirname, `program-${process.version}-${process.arch}.code`);

/** The script, with what has been compiled of it ahead, if anything. */
function readScript(): vm.Script {
  // Its characters are ASCII, as the build writes them.
  return new vm.Script(fs.readFileSync(PROGRAM, 'latin1'), {
    filename: PROGRAM,
    cachedData: fs.existsSync(CODE) ? fs.readFileSync(CODE) : undefined,
  });
}

/** What imports modules for the script, which cannot where it was compiled ahead. */
const importModule = (specifier: string): Promise<unknown> => import(specifier);

/** What the script has for others: the program, on the streams of the process and on any. */
type Program = typeof import('./main.js', { with: { 'resolution-mode': 'import' }});

/** The program of a script. */
function load(script: vm.Script = readScript()): Program {
  const module = { exports: {} };
  script.runInThisContext()(module, require, PROGRAM, importModule);
  return module.exports as Program;
}

/** Keeps what is compiled of a script for the next start. */
function keepCode(script: vm.Script): void {
  fs.writeFileSync(CODE, script.createCachedData());
}

if (require.main === module) load().runProcess();
module.exports = { readScript, load, keepCode };
