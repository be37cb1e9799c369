/**
 * Compiles the program ahead: runs common commands in one process and stores V8's compiled code beside the
 * program, for later starts on this version of Node.
 */
const { keepCode, load, readScript } = require('../dist/cli/main.js');

const COMMANDS = [
  ['simulate', 'traces/queues.swf', '--sites', '8,2'],
  ['simulate', 'lublin99[jobs=2000]', '--sites', '128', '--discipline', 'easy', '--estimates', 'exact'],
  ['compare', 'lublin99[jobs=2000]', '--sites', '128,64'],
];

async function main() {
  const { script, text } = readScript();
  for (const words of COMMANDS) {
    process.argv.splice(2, Infinity, ...words);
    await load(script).runProcess();
  }
  keepCode(script, text);
}

main();
