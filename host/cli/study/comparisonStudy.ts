/**
 * Stores comparisons and replications in a folder as a study, whose rounds follow the looks of the
 * comparison; runs locally or on Slurm.
 */

import { stringify } from 'yaml';
import { InputError } from '../../errors.js';
import { makeFilesAbsolute } from '../../files/traceFiles.js';
import { firstElement } from '../../lists.js';
import { printOptionSettings } from '../../options/document.js';
import type { OptionStrings } from '../../options/options.js';
import {
  type ExecutionSettings,
  type SimulateOrCompareRequest,
  serializeRequestOptions,
} from '../../request/request.js';
import { runWithLock } from '../../runs/lock.js';
import { planStudy } from '../../runs/planStudy.js';
import { lockStudyPlan, readStudyPlan } from '../../runs/runsFolder.js';
import { checkPlanInputsUnchanged } from '../../runs/shardFolder.js';
import type { Experiment } from '../../simulate/experiment.js';
import { metricAsFileName } from '../../simulate/jobMetrics.js';
import { methodNames } from '../../simulate/methodNames.js';
import type { RawStudy } from '../../study/schema.js';
import { makeStudy, type Study } from '../../study/study.js';
import { type PreparedEvaluation, prepareEvaluation } from '../comparisonQuestion.js';
import type { CommandContext } from '../context.js';
import { makeShortUniqueNames } from '../logComparison.js';
import {
  readSavedComparison,
  restoreSavedRequest,
  type SavedComparison,
  writeSavedComparison,
} from './studyResults.js';
import { isStudyFolder, resumeStudyFolder, runComparisonRounds } from './studyRun.js';

/**
 * Runs the evaluation or the part its folder lacks, or submits it to Slurm, or shows the results; returns the
 * exit code.
 * @param command command line for display.
 */
export async function runEvaluationInFolder(
  request: SimulateOrCompareRequest,
  command: readonly string[],
  out: string,
  executionSettings: ExecutionSettings,
  context: CommandContext,
): Promise<number> {
  const savedComparison = readSavedComparison(out);
  const isOtherRequest = async ({ request: otherRequest }: SavedComparison) =>
    serializeRequest(await restoreSavedRequest(otherRequest)) !== serializeRequest(request);
  if (savedComparison !== undefined && (await isOtherRequest(savedComparison))) {
    throw new InputError(`${out} holds another comparison; give another folder with --out`);
  }
  const execution = { ...executionSettings, allowCode: true };
  if (savedComparison !== undefined && isStudyFolder(out)) {
    await checkPlanInputsUnchanged(out, readStudyPlan(out));
    return resumeStudyFolder(out, execution, context);
  }
  const evaluation = await prepareEvaluation(request, context);
  const [drawCount] = evaluation.looks;
  const study = await makeStudyOfEvaluation(evaluation, drawCount);
  const plannedStudy = await planStudy(study, {
    command,
    draws: drawCount,
    allowCode: true,
    allowMany: true,
    onProgress: () => context.pause(),
  });
  const unlock = lockStudyPlan(out, (sentence) => void context.printMessage(sentence));
  await runWithLock(unlock, () => writeSavedComparison(out, { request: serializeRequestOptions(request) }));
  return runComparisonRounds(out, { study, planned: plannedStudy }, execution, context);
}

/** Serializes a request for comparison with another. */
function serializeRequest(request: SimulateOrCompareRequest): string {
  const optionEntries = Object.entries(serializeRequestOptions(request)).filter(
    ([, value]) => value !== undefined,
  );
  return JSON.stringify(optionEntries.sort());
}

/** Options for the workload and sites of a comparison. */
function findWorkloadOptionsOfComparison(
  { settings, grid }: Experiment,
  { options }: SimulateOrCompareRequest,
): OptionStrings {
  const workloadSource = makeFilesAbsolute(settings.workload);
  return options.preset === undefined
    ? { workload: workloadSource, sites: grid.capacities.join(',') }
    : { workload: workloadSource };
}

/**
 * Creates the study for an evaluation: a part per method (and per log if there are several), and a table per
 * metric.
 */
function makeStudyOfEvaluation(
  { request, logs, metrics }: PreparedEvaluation,
  replicationCount?: number,
): Promise<Study> {
  const firstLog = firstElement(logs);
  const { settings, methods, configurations } = firstLog;
  const namesOfMethods = methodNames(configurations);
  const hasSingleLog = logs.length === 1;
  const logNames = makeShortUniqueNames(logs.map(({ workload }) => workload.name));
  const studyParts = logs.flatMap((logExperiment, i) =>
    namesOfMethods.map((name, method) => [
      hasSingleLog ? name : `${logNames[i]}: ${name}`,
      {
        simulate: {
          ...(hasSingleLog ? {} : findWorkloadOptionsOfComparison(logExperiment, request)),
          ...printOptionSettings(methods[method]!),
        },
      },
    ]),
  );
  // Metrics of classes of jobs come last, and have no tables of their own.
  const comparedMetrics = metrics.slice(0, request.metrics.length || 1);
  const sameSampleText = replicationCount === undefined ? 'the same jobs' : 'the same replications';
  const rawStudy: RawStudy = {
    title: 'Comparison',
    description: `${logNames.join(', ')}: ${namesOfMethods.join(', ')} on ${sameSampleText}.`,
    simulate: {
      ...findWorkloadOptionsOfComparison(firstLog, request),
      ...printOptionSettings(settings),
    },
    parts: Object.fromEntries(studyParts),
    ...(replicationCount === undefined ? {} : { replications: { count: replicationCount } }),
    measures: Object.fromEntries(
      metrics.map(({ name: metricName }) => [metricAsFileName(metricName), { metric: metricName }]),
    ),
    tables: Object.fromEntries(
      comparedMetrics.map(({ name: metricName }) => [
        metricAsFileName(metricName),
        { title: metricName, measures: metricAsFileName(metricName), rows: 'part' },
      ]),
    ),
  };
  const studyText = stringify(rawStudy, { aliasDuplicateObjects: false });
  return makeStudy(rawStudy, { name: 'compare', text: studyText, locate: () => 'compare' });
}
