/**
 * The threads of the program as it is built, `dist/cli/thread.js`: they run its script, which is compiled ahead, for their
 * modules one by one take longer to load than most tasks.
 */
import start = require('./start.cjs');

const threadTaskEntries = Object.entries(start.load().threadTasksByName);

/** For each kind of thread what does a task. */
module.exports = Object.fromEntries(
  threadTaskEntries.map(([name, load]) => [name, async (task: never) => (await load())(task)]),
);
