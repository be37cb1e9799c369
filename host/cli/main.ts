/** The command `gridalloc`: the program on the streams of its process. The build makes one script of it, which start.cts runs. */
import '../files/coreFile.js';
import { Interruption } from './context.js';
import { main } from './program.js';

export { main };

/** What threads of the program do: functions by their names, loaded in the thread. */
export const threadTasks = {
  simulateTask: async () => (await import('../runs/runsWorker.js')).simulateTask,
  makeModelTrace: async () => (await import('../workload/models.js')).makeModelTrace,
  writeSettingsTask: async () => (await import('../show/settingTable.js')).writeSettingsTask,
  writePdfsTask: async () => (await import('../show/fileThread.js')).writePdfsTask,
};

/** SIGTERM is what batch systems send, some time before a job has to be over. */
const SIGNALS = ['SIGINT', 'SIGTERM'];

/**
 * Runs the program with the words of the process, whose exit code it sets.
 * @returns the exit code.
 */
export async function runProcess(): Promise<number> {
  // A process in which nothing is left to wait for ends, whether its work is done or not.
  process.exitCode = 1;
  const interruption = new AbortController();
  let isReading = false;

  /** The first signal asks to stop, so that unfinished files are taken away; the second does not ask. */
  const interrupt = (signal: NodeJS.Signals) => {
    const reason = new Interruption(signal);
    if (interruption.signal.aborted) process.exit(reason.code);
    interruption.abort(reason);
    if (isReading) process.stdin.destroy();
  };
  for (const signal of SIGNALS) process.on(signal, interrupt);

  /**
   * While this thread computes it hears of no signal, so that the system's own answer, the end, is right. One that came before
   * would be forgotten with its listener: it is waited for, over two turns, for signals are read between them.
   */
  const whileDeaf = async (work: () => void) => {
    for (let turn = 0; turn < 2; turn++) await new Promise(setImmediate);
    interruption.signal.throwIfAborted();
    for (const signal of SIGNALS) process.off(signal, interrupt);
    try {
      work();
    } finally {
      for (const signal of SIGNALS) process.on(signal, interrupt);
    }
  };

  // A reader that has seen enough, such as `head`, closes its end of the pipe: not an error. Of other errors the writer hears.
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') process.exit(0);
    });
  }

  const { stdout, stderr, env } = process;
  const io = {
    // Opening it takes longer than most of what happens before a log is read, and most commands read none of it.
    get stdin() {
      isReading = true;
      return process.stdin;
    },
    ...{ stdout, stderr, env, signal: interruption.signal, whileDeaf },
  };
  const code = await main(process.argv.slice(2), io);
  process.exitCode = code;
  return code;
}
