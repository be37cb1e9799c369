/** Facts on a finished study: the command that repeats it, its options, versions and hashes. */
import { formatNumber } from '../format/numbers.js';
import { formatSourceAsShellWord } from '../format/text.js';
import { readPackageVersion } from '../results/documents.js';
import { MAX_STUDY_RUNS } from '../runs/planStudy.js';
import type { Plan } from '../study/plan.js';
import type { OptionTexts } from '../study/schema.js';
import { findWorkloadsWithoutEstimates, type Study } from '../study/study.js';
import type { ReportFact } from '../view/report.js';

/** Fact on the number of jobs whose estimate is their actual runtime. */
export function factOnEstimatesFromRuntimes(plan: Plan): ReportFact[] {
  const plannedWorkloads = findWorkloadsWithoutEstimates(plan);
  if (plannedWorkloads.length === 0) return [];
  const sumWorkloadCounts = (countKey: 'withoutEstimate' | 'kept') =>
    formatNumber(plannedWorkloads.reduce((total, { accounting }) => total + accounting[countKey], 0));
  return [
    {
      label: 'Jobs whose runtime serves as the estimate',
      value: `${sumWorkloadCounts('withoutEstimate')} of ${sumWorkloadCounts('kept')}`,
    },
  ];
}

/** Command that repeats a study. */
export function makeRepeatStudyCommand({ command, trace, draws, options, runs }: Plan): string {
  const commandWords = [
    ...command,
    ...(trace === null ? [] : ['--trace', trace]),
    ...(draws === null ? [] : ['--draws', String(draws)]),
    ...Object.entries(options).flatMap(([optionName, optionText]) => [
      '--set',
      `${optionName}=${optionText}`,
    ]),
    ...(runs.length > MAX_STUDY_RUNS ? ['--yes'] : []),
    ...(doesStudyNameCode(command, runs) ? ['--allow-code'] : []),
  ];
  return formatShellCommand(commandWords);
}

/** Formats words after `gridalloc` as a shell command line. */
export function formatShellCommand(commandWords: readonly string[]): string {
  return ['gridalloc', ...commandWords.map(formatSourceAsShellWord)].join(' ');
}

/** True if a study file names code files; sweeps name them on their command line. */
function doesStudyNameCode([name]: Plan['command'], plannedRuns: Plan['runs']): boolean {
  if (name === 'sweep') return false;
  return plannedRuns.some(({ common: commonParameters }) => commonParameters.code !== undefined);
}

/** JSON of the versions and hashes that determine the results. */
export function makeVersionsDocument(plan: Plan): object {
  const speeds = new Set(plan.runs.map(({ common: commonParameters }) => commonParameters.speeds.join(',')));
  return {
    gridalloc: readPackageVersion(),
    coreBuild: 'shared',
    coreSha256: plan.coreSha256,
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    plan: plan.sha256,
    trace: plan.trace,
    draws: plan.draws,
    options: plan.options,
    workloads: plan.workloads.map(({ name: workloadName, sha256, jobs: jobCount, accounting }) => ({
      name: workloadName,
      sha256,
      jobs: jobCount,
      accounting,
    })),
    speeds: [...speeds],
  };
}

/** Facts on the options shared by all settings of a study, without axes. */
export function makeFactsOnSharedOptions({ parts: studyParts }: Study, plan: Plan): ReportFact[] {
  const [firstPart, ...otherParts] = studyParts;
  const isShared = ([name, text]: readonly [string, string]) =>
    otherParts.every(({ options }: { options: OptionTexts }) => options[name] === text);
  return Object.entries({ ...firstPart?.options, ...plan.options })
    .filter((optionEntry) => isShared(optionEntry) && !/^\{[\w-]+\}$/.test(optionEntry[1]))
    .map(([label, valueText]) => ({ label, value: valueText }));
}

/** Facts on versions and hashes of a study. */
export function makeFactsOnVersions(plan: Plan): ReportFact[] {
  return [
    { label: 'gridalloc', value: readPackageVersion() },
    { label: 'Core, build for threads (SHA-256)', value: plan.coreSha256 },
    { label: 'Node', value: process.version },
    { label: 'Plan (SHA-256)', value: plan.sha256 },
    ...plan.workloads.slice(0, 20).map(({ name: workloadName, jobs: jobCount, sha256 }) => ({
      label: `${workloadName}, ${formatNumber(jobCount)} jobs (SHA-256)`,
      value: sha256,
    })),
  ];
}
