#!/usr/bin/env node
/** The command `gridalloc`: the program on the streams of its process. */
import '../files/coreFile.js';
import { Interruption } from './context.js';
import { main } from './program.js';

const interruption = new AbortController();

/** The first signal asks to stop, so that unfinished files are taken away; the second does not ask. */
const interrupt = (signal: NodeJS.Signals) => {
  const reason = new Interruption(signal);
  if (interruption.signal.aborted) process.exit(reason.code);
  interruption.abort(reason);
  process.stdin.destroy();
};
/** SIGTERM is what batch systems send, some time before a job has to be over. */
const SIGNALS = ['SIGINT', 'SIGTERM'];
for (const signal of SIGNALS) process.on(signal, interrupt);

/**
 * While this thread computes it hears of no signal, so that the system's own answer, the end, is right. One that came before
 * would be forgotten with its listener: it is waited for, over two turns, for signals are read between them.
 */
async function whileDeaf(work: () => void): Promise<void> {
  for (let turn = 0; turn < 2; turn++) await new Promise(setImmediate);
  interruption.signal.throwIfAborted();
  for (const signal of SIGNALS) process.off(signal, interrupt);
  try {
    work();
  } finally {
    for (const signal of SIGNALS) process.on(signal, interrupt);
  }
}

// A reader that has seen enough, such as `head`, closes its end of the pipe: not an error. Of other errors the writer hears.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
  });
}

process.exitCode = await main(process.argv.slice(2), {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
  signal: interruption.signal,
  whileDeaf,
});
