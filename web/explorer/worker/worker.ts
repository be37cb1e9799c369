/** Web worker that runs all simulations of the page with the library and its core. */
import { setCore } from '../../../host/core/module.js';
import { FunctionError, InputError } from '../../../host/errors.js';
import type { WorkerReply, WorkerRequest, WorkerRequestKind, WorkerRequests } from '../protocol.js';
import { makeExplorerCatalogue } from './catalogue.js';
import { askPolicyDecisionsAt } from './choices.js';
import { makeJobClassTable } from './classes.js';
import { registerUserCode, removePlatformGlobals } from './code.js';
import { type ExplorerExperiment, loadExplorerExperiment, type OpenedLog } from './experiment.js';
import { makeJobsCsvFile, makeStudyFile } from './exports.js';
import { judgeReplications, simulateReplication } from './replications.js';
import {
  findStoredRun,
  forkRunUnderPolicy,
  repeatRunWithSwitch,
  simulateOtherMethods,
  simulateSetup,
  simulateWhatIfMeanWait,
  storeWhatIfRun,
} from './run.js';
import { computeTimeSpanMetrics } from './span.js';
import { makeJobExplanation } from './story.js';

type RequestHandlers = {
  readonly [K in WorkerRequestKind]: (
    ask: WorkerRequests[K]['ask'],
  ) => WorkerRequests[K]['answer'] | Promise<WorkerRequests[K]['answer']>;
};

let openedLog: OpenedLog | null = null;
let lastJudgedExperiment: { readonly key: string; readonly experiment: ExplorerExperiment } | undefined;

const REQUEST_HANDLERS: RequestHandlers = {
  start: ({ release, explaining }) => {
    removePlatformGlobals();
    setCore(release);
    setCore(explaining, 'explaining');
    return makeExplorerCatalogue();
  },
  log: (receivedLog) => {
    openedLog =
      receivedLog === null ? null : { name: receivedLog.name, bytes: new Uint8Array(receivedLog.bytes) };
    return null;
  },
  code: async (file) => {
    await registerUserCode(file);
    return null;
  },
  run: (setup) => simulateSetup(setup, openedLog),
  others: simulateOtherMethods,
  story: ({ run, job }) => makeJobExplanation(findStoredRun(run), job),
  choices: ({ run, time }) => askPolicyDecisionsAt(findStoredRun(run), time),
  span: ({ run, from, to }) => computeTimeSpanMetrics(findStoredRun(run), from, to),
  classes: ({ runs, by }) => makeJobClassTable(runs.map(findStoredRun), by),
  whatIf: ({ run, time, change }) => {
    if (time === undefined) return storeWhatIfRun(run, change, openedLog);
    return change.policy === undefined
      ? repeatRunWithSwitch(run, time, change)
      : forkRunUnderPolicy(run, time, change.policy);
  },
  waitIf: ({ run, change }) => simulateWhatIfMeanWait(run, change, openedLog),
  replicate: ({ setup, replication }) => simulateReplication(setup, openedLog, replication),
  judge: ({ setup, values, metric, within }) => {
    const setupKey = JSON.stringify(setup);
    if (lastJudgedExperiment?.key !== setupKey)
      lastJudgedExperiment = { key: setupKey, experiment: loadExplorerExperiment(setup, openedLog) };
    return judgeReplications(lastJudgedExperiment.experiment, values, metric, within);
  },
  export: ({ run, content, from, to, replications }) => {
    const storedRun = findStoredRun(run);
    if (content === 'csv') return makeJobsCsvFile(storedRun, from, to);
    return makeStudyFile(storedRun, replications);
  },
};

declare const postMessage: (workerReply: WorkerReply) => void;

addEventListener('message', async ({ data }: MessageEvent<WorkerRequest>) => {
  const { id, kind, ask } = data;
  try {
    const handle = REQUEST_HANDLERS[kind] as (ask: unknown) => unknown;
    postMessage({ id, answer: await handle(ask) });
  } catch (error) {
    const isInputError = error instanceof InputError || error instanceof FunctionError;
    const fault = error instanceof Error ? error.message : String(error);
    postMessage({
      id,
      fault: isInputError ? fault : `something went wrong: ${fault}`,
      isInput: isInputError,
    });
  }
});
