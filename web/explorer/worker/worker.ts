/** Web worker that runs all simulations of the page with the library and its core. */
import { setCore } from '../../../host/core/module.js';
import { FunctionError, InputError } from '../../../host/errors.js';
import type { Kind, Reply, Request, Requests } from '../protocol.js';
import { catalogue } from './catalogue.js';
import { choicesAt } from './choices.js';
import { classesOf } from './classes.js';
import { loadCode, removePlatformGlobals } from './code.js';
import { type Experiment, type InputLog, loadExperiment } from './experiment.js';
import { jobsCsvOf, studyOf } from './exports.js';
import { judge, replicate } from './replications.js';
import { forkRun, otherRuns, runSetup, storedRun, switchRun, whatIfMeanWait, whatIfRun } from './run.js';
import { spanOf } from './span.js';
import { storyOf } from './story.js';

type RequestHandlers = {
  readonly [K in Kind]: (ask: Requests[K]['ask']) => Requests[K]['answer'] | Promise<Requests[K]['answer']>;
};

let log: InputLog | null = null;
let judged: { readonly key: string; readonly experiment: Experiment } | undefined;

const REQUEST_HANDLERS: RequestHandlers = {
  start: ({ release, explaining }) => {
    removePlatformGlobals();
    setCore(release);
    setCore(explaining, 'explaining');
    return catalogue();
  },
  log: (input) => {
    log = input === null ? null : { name: input.name, bytes: new Uint8Array(input.bytes) };
    return null;
  },
  code: async (file) => {
    await loadCode(file);
    return null;
  },
  run: (setup) => runSetup(setup, log),
  others: otherRuns,
  story: ({ run, job }) => storyOf(storedRun(run), job),
  choices: ({ run, time }) => choicesAt(storedRun(run), time),
  span: ({ run, from, to }) => spanOf(storedRun(run), from, to),
  classes: ({ runs, by }) => classesOf(runs.map(storedRun), by),
  whatIf: ({ run, time, change }) => {
    if (time === undefined) return whatIfRun(run, change, log);
    return change.policy === undefined ? switchRun(run, time, change) : forkRun(run, time, change.policy);
  },
  waitIf: ({ run, change }) => whatIfMeanWait(run, change, log),
  replicate: ({ setup, replication }) => replicate(setup, log, replication),
  judge: ({ setup, values, metric, within }) => {
    const key = JSON.stringify(setup);
    if (judged?.key !== key) judged = { key, experiment: loadExperiment(setup, log) };
    return judge(judged.experiment, values, metric, within);
  },
  export: ({ run, what, from, to, replications }) => {
    const kept = storedRun(run);
    if (what === 'csv') return jobsCsvOf(kept, from, to);
    return studyOf(kept, replications);
  },
};

declare const postMessage: (workerReply: Reply) => void;

addEventListener('message', async ({ data }: MessageEvent<Request>) => {
  const { id, kind, ask } = data;
  try {
    const handle = REQUEST_HANDLERS[kind] as (ask: unknown) => unknown;
    postMessage({ id, answer: await handle(ask) });
  } catch (error) {
    const isKnown = error instanceof InputError || error instanceof FunctionError;
    const fault = error instanceof Error ? error.message : String(error);
    postMessage({ id, fault: isKnown ? fault : `something went wrong: ${fault}`, isInput: isKnown });
  }
});
