/**
 * The threads of the program as it is built, `dist/cli/thread.js`: they run its script, which is compiled ahead, for their
 * modules one by one take longer to load than most tasks.
 */
import start = require('./start.cjs');

const modules = Object.entries(start.load().threadModules);

/** For each kind of thread what does a task. */
module.exports = Object.fromEntries(
  modules.map(([name, module]) => [name, async (task: never) => (await module()).default(task)]),
);
