/** Comparisons, and replications of one simulation, in a folder: a study, whose rounds follow from its looks, run here or by Slurm. */

import { stringify } from 'yaml';
import { InputError } from '../../errors.js';
import { makeFilesAbsolute } from '../../files/traceFiles.js';
import { firstElement } from '../../lists.js';
import { printSettings } from '../../options/document.js';
import type { OptionStrings } from '../../options/options.js';
import { type Execution, type RunsRequest, requestDocument } from '../../request/request.js';
import { runWithLock } from '../../runs/lock.js';
import { planStudy } from '../../runs/planStudy.js';
import { lockPlan, readStudyPlan } from '../../runs/runsFolder.js';
import { checkInputs } from '../../runs/shardFolder.js';
import type { Experiment } from '../../simulate/experiment.js';
import { metricId } from '../../simulate/jobMetrics.js';
import { methodNames } from '../../simulate/methodNames.js';
import type { RawStudy } from '../../study/schema.js';
import { makeStudy, type Study } from '../../study/study.js';
import { type PreparedQuestion, prepareQuestion } from '../comparisonQuestion.js';
import type { Context } from '../context.js';
import { shortUniqueNames } from '../logComparison.js';
import { type ComparisonFile, readComparison, restoreRequest, writeComparison } from './studyResults.js';
import { isStudyFolder, resumeFolder, runRounds } from './studyRun.js';

/**
 * Runs what a question asks for, or what its folder lacks of it, or has Slurm do so, or shows the results; returns the exit code.
 * @param command words of the command, for people.
 */
export async function runQuestionInFolder(
  request: RunsRequest,
  command: readonly string[],
  out: string,
  input: Execution,
  context: Context,
): Promise<number> {
  const savedComparison = readComparison(out);
  const isOtherRequest = async ({ request: other }: ComparisonFile) =>
    textOf(await restoreRequest(other)) !== textOf(request);
  if (savedComparison !== undefined && (await isOtherRequest(savedComparison))) {
    throw new InputError(`${out} holds another comparison; give another folder with --out`);
  }
  const execution = { ...input, allowCode: true };
  if (savedComparison !== undefined && isStudyFolder(out)) {
    await checkInputs(out, readStudyPlan(out));
    return resumeFolder(out, execution, context);
  }
  const question = await prepareQuestion(request, context);
  const [draws] = question.looks;
  const study = await studyOfRequest(question, draws);
  const planned = await planStudy(study, {
    command,
    draws,
    allowCode: true,
    allowMany: true,
    onProgress: () => context.pause(),
  });
  const unlock = lockPlan(out, (sentence) => void context.printMessage(sentence));
  await runWithLock(unlock, () => writeComparison(out, { request: requestDocument(request) }));
  return runRounds(out, { study, planned }, execution, context);
}

/** A request as text, by which two are compared. */
function textOf(request: RunsRequest): string {
  const entries = Object.entries(requestDocument(request)).filter(([, value]) => value !== undefined);
  return JSON.stringify(entries.sort());
}

/** The log or model of a comparison, and the sites that it runs on. */
function jobsOf({ settings, grid }: Experiment, { options }: RunsRequest): OptionStrings {
  const workload = makeFilesAbsolute(settings.workload);
  return options.preset === undefined ? { workload, sites: grid.capacities.join(',') } : { workload };
}

/** The study that answers a question: a part for each method, on each log where these are several, and a table for each metric. */
function studyOfRequest({ request, logs, metrics }: PreparedQuestion, count?: number): Promise<Study> {
  const first = firstElement(logs);
  const { settings, methods, configurations } = first;
  const names = methodNames(configurations);
  const isSingle = logs.length === 1;
  const ofLogs = shortUniqueNames(logs.map(({ workload }) => workload.name));
  const parts = logs.flatMap((log, i) =>
    names.map((name, method) => [
      isSingle ? name : `${ofLogs[i]}: ${name}`,
      { simulate: { ...(isSingle ? {} : jobsOf(log, request)), ...printSettings(methods[method]!) } },
    ]),
  );
  // Metrics of classes of jobs come last, and have no tables of their own.
  const compared = metrics.slice(0, request.metrics.length || 1);
  const sameSampleText = count === undefined ? 'the same jobs' : 'the same replications';
  const rawStudy: RawStudy = {
    title: 'Comparison',
    description: `${ofLogs.join(', ')}: ${names.join(', ')} on ${sameSampleText}.`,
    simulate: {
      ...jobsOf(first, request),
      ...printSettings(settings),
    },
    parts: Object.fromEntries(parts),
    ...(count === undefined ? {} : { replications: { count } }),
    measures: Object.fromEntries(metrics.map(({ name }) => [metricId(name), { metric: name }])),
    tables: Object.fromEntries(
      compared.map(({ name }) => [metricId(name), { title: name, measures: metricId(name), rows: 'part' }]),
    ),
  };
  const text = stringify(rawStudy, { aliasDuplicateObjects: false });
  return makeStudy(rawStudy, { name: 'compare', text, locate: () => 'compare' });
}
