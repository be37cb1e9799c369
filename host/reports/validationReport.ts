/** Report that compares simulated with recorded start times: tables, also for the terminal. */
import { formatNumber, joinWithAnd } from '../format/numbers.js';
import { START_TOLERANCE_SECONDS, type StartAgreement, WAIT_PERCENTILES } from '../validate/agreement.js';
import type { OrderFit, ValidationResult, ValidationWayResult } from '../validate/validate.js';
import type { ValidatedSetting } from '../validate/variedSettings.js';
import { makeReportOfSections, type Report } from '../view/report.js';
import type { Table, TableCell, TableColumn } from '../view/table.js';
import {
  formatPercentOneDecimal,
  makeSettingAgreementDocument,
  makeSettingAgreementTable,
} from './settingAgreement.js';

const START_TOLERANCE_LABELS = ['2 s', '5 s', '1 min', '10 min', '1 h'];
/** Name of step-by-step predictions with the order of events within a second fitted. */
const NAME_OF_ORDER_FIT_ROW = 'step by step, order fitted';

/**
 * Table of the share of jobs that start within given tolerances of the recorded time, by simulation variant
 * and job class.
 */
function makeAgreementShareTable({ ways, orderFit }: ValidationResult): Table {
  const makeRow = (nameOfSimulationKind: string, rowName: string, agreement: StartAgreement): TableCell[] => [
    nameOfSimulationKind,
    rowName,
    agreement.jobs,
    ...agreement.within.map(formatPercentOneDecimal),
    Number.isNaN(agreement.meanError) ? '-' : agreement.meanError,
    Number.isNaN(agreement.rankCorrelation) ? '-' : agreement.rankCorrelation.toFixed(3),
  ];
  const cellRows = [
    ...ways.flatMap(({ way, all: overallAgreement, classes }) => [
      makeRow(way, 'all', overallAgreement),
      ...classes.map(({ name: className, agreement }) => makeRow(way, className, agreement)),
    ]),
    ...(orderFit === undefined ? [] : [makeRow(NAME_OF_ORDER_FIT_ROW, 'all', orderFit.all)]),
  ];
  const tableColumns: TableColumn[] = [
    { title: 'simulation', isHeading: true },
    { title: 'job class' },
    { title: 'jobs', align: 'right' },
    ...START_TOLERANCE_SECONDS.map(
      (_, i): TableColumn => ({ title: `within ${START_TOLERANCE_LABELS[i]}`, align: 'right' }),
    ),
    { title: 'mean error', format: { style: 'duration' } },
    { title: 'rank correlation', align: 'right' },
  ];
  return {
    id: 'starts',
    title: 'Share of jobs by difference between simulated and recorded start',
    caption:
      'Shares of jobs whose simulated start differs from the recorded one by at most the time in the heading; mean error: mean absolute difference of starts; rank correlation of waits (Spearman).',
    columns: tableColumns,
    rows: cellRows,
  };
}

/** Table of recorded and simulated waits. */
function makeRecordedWaitsTable({ ways }: ValidationResult): Table {
  const makeWaitTableRows = ({ way, all: overallAgreement }: ValidationWayResult): TableCell[][] => [
    [way, 'recorded', overallAgreement.recordedWait, ...overallAgreement.recordedWaits],
    [way, 'simulated', overallAgreement.simulatedWait, ...overallAgreement.simulatedWaits],
  ];
  const durationFormat = { style: 'duration' } as const;
  const formatPercentileLabel = (p: number) => (p === 100 ? 'longest' : `${p} %`);
  return {
    id: 'waits',
    title: 'Recorded and simulated waits',
    caption: 'Mean and percentiles of waits over the jobs that the simulation starts.',
    columns: [
      { title: 'simulation', isHeading: true },
      { title: 'waits' },
      { title: 'mean', format: durationFormat },
      ...WAIT_PERCENTILES.map(
        (p): TableColumn => ({ title: formatPercentileLabel(p), format: durationFormat }),
      ),
    ],
    rows: ways.flatMap(makeWaitTableRows),
  };
}

function makeTableOfLargestWaitDifferences({ way, different: differentStarts }: ValidationWayResult): Table {
  const durationFormat = { style: 'duration' } as const;
  return {
    id: way === 'free' ? 'jobs-free' : 'jobs-step-by-step',
    title: `Jobs with the largest differences, ${way === 'free' ? 'free simulation' : 'step-by-step simulation'}`,
    caption: way === 'free' ? '' : 'Never: the rules would not have started the job by its recorded start.',
    columns: [
      { title: 'job', isHeading: true },
      { title: 'processors', align: 'right' },
      { title: 'recorded wait', format: durationFormat },
      { title: 'simulated wait', format: durationFormat },
      { title: 'difference', format: { ...durationFormat, isSigned: true } },
    ],
    rows: differentStarts.map(({ job, processors, submit, recordedStart, simulatedStart }): TableCell[] => {
      const wasNeverStarted = Number.isNaN(simulatedStart);
      return [
        job,
        processors,
        recordedStart - submit,
        wasNeverStarted ? 'never' : simulatedStart - submit,
        wasNeverStarted ? '' : simulatedStart - recordedStart,
      ];
    }),
  };
}

/**
 * Report of a validation.
 * @param command command that repeats it.
 * @param validatedSettings agreement of other settings besides the given one; empty if only that was
 * compared.
 */
export function makeValidationReport(
  validationOfLog: ValidationResult,
  command: string,
  validatedSettings: readonly ValidatedSetting[] = [],
): Report {
  const { ways, name, orderFit } = validationOfLog;
  const agreementsByWay = [
    ...ways,
    ...(orderFit === undefined ? [] : [{ way: NAME_OF_ORDER_FIT_ROW, all: orderFit.all }]),
  ];
  const highlightedAgreements = agreementsByWay.map(({ way, all: overallAgreement }) => ({
    label: `${way}: starts within 2 s of the recorded ones`,
    value: `${formatPercentOneDecimal(overallAgreement.within[0]!)} of ${formatNumber(overallAgreement.jobs)} jobs${describeMissedStarts(overallAgreement)}`,
  }));
  return makeReportOfSections({
    title: 'Simulated against recorded starts',
    description: [
      name,
      describeFittedPassTimes(validationOfLog),
      describeUsageTimes(validationOfLog),
      describeKindsOfSimulation(validationOfLog),
    ].join(''),
    highlights: highlightedAgreements,
    tables: [
      ...(validatedSettings.length > 1
        ? ways.map(({ way }) => makeSettingAgreementTable(validatedSettings, way))
        : []),
      makeAgreementShareTable(validationOfLog),
      makeRecordedWaitsTable(validationOfLog),
      ...ways
        .filter(({ different: differentStarts }) => differentStarts.length > 0)
        .map(makeTableOfLargestWaitDifferences),
    ],
    commands: [command],
  });
}

/** Describes the kinds of simulation whose starts are compared. */
function describeKindsOfSimulation({ ways, orderFit }: ValidationResult): string {
  const descriptionByWay = {
    free: 'free: the simulation runs by itself',
    'step by step': 'step by step: each decision is made in the recorded state',
  };
  const orderFitSentence =
    orderFit === undefined
      ? ''
      : ` ${NAME_OF_ORDER_FIT_ROW}: jobs that end in the second of a pass may also end before or after it, where that meets more starts; ${describeReorderedPasses(orderFit)}.`;
  return `\n\n${ways.map(({ way }) => descriptionByWay[way]).join('; ')}.${orderFitSentence}`;
}

function describeReorderedPasses({ passes: passCount }: OrderFit): string {
  if (passCount === 0) return 'at no pass it does';
  return `at ${formatNumber(passCount)} pass${passCount === 1 ? '' : 'es'} it does`;
}

/** Describes the times of scheduling passes, if they were fitted to the log or do not follow each event. */
function describeFittedPassTimes({
  backfillOffset,
  isOffsetFitted,
  equalOffsets = 1,
  endDelay = 0,
  isEndDelayFitted,
  passGap,
  releaseDelay,
}: ValidationResult): string {
  if (backfillOffset === undefined) return '';
  const fittedOffsetText =
    equalOffsets > 1
      ? `one of ${formatNumber(equalOffsets)} whole seconds of the interval that agree equally, and best, with this log`
      : 'the whole second of the interval that agrees best with this log';
  const fittedOffsetNote = isOffsetFitted ? `, ${fittedOffsetText}` : '';
  const fittedTimeTexts = [
    ...(isEndDelayFitted ? [`passes follow ends ${endDelay === 0 ? 'at once' : `after ${endDelay} s`}`] : []),
    ...(passGap === undefined
      ? []
      : [
          `passes come ${passGap === 0 ? 'whenever the last one was' : `at least ${passGap} s after the last one`}`,
        ]),
    ...(releaseDelay === undefined ? [] : [`processors are free ${releaseDelay} s after the end of a job`]),
  ];
  const fittedTimesSentence =
    fittedTimeTexts.length === 0
      ? ''
      : ` Of the times tried, these agree best with it: ${joinWithAnd(fittedTimeTexts)}.`;
  return `\n\nBackfill passes begin ${backfillOffset} s after the first submission${fittedOffsetNote}.${fittedTimesSentence}`;
}

/** Describes the times at which usage and priorities are computed, if the order depends on them. */
function describeUsageTimes({ usageOffset, isUsageOffsetFitted, configuration }: ValidationResult): string {
  if (usageOffset === undefined) return '';
  const fit = isUsageOffsetFitted ? ', the whole second that agrees best with this log' : '';
  const step = formatNumber(configuration.usageStep);
  return `\n\nUsage is computed ${formatNumber(usageOffset)} s after the first submission${fit}, and every ${step} s.`;
}

function describeMissedStarts({ missed }: StartAgreement): string {
  return missed === 0 ? '' : `; ${formatNumber(missed)} not started by their recorded start`;
}

/** Validation as JSON; the start of a job that never starts is null. */
export function makeValidationDocument(
  { ways, orderFit, configuration: _, ...otherFields }: ValidationResult,
  validatedSettings: readonly ValidatedSetting[] = [],
): object {
  const makeAgreementDocument = ({
    within: sharesWithinTolerances,
    recordedWaits,
    simulatedWaits,
    ...others
  }: StartAgreement) => ({
    ...others,
    within: Object.fromEntries(
      START_TOLERANCE_SECONDS.map((seconds, i) => [`${seconds}`, sharesWithinTolerances[i]]),
    ),
    recordedWaits: computePercentilesByName(recordedWaits),
    simulatedWaits: computePercentilesByName(simulatedWaits),
  });
  return {
    ...otherFields,
    ...(orderFit !== undefined && {
      orderFit: { passes: orderFit.passes, all: makeAgreementDocument(orderFit.all) },
    }),
    ...(validatedSettings.length > 1 && {
      settings: makeSettingAgreementDocument(validatedSettings, makeAgreementDocument),
    }),
    ways: ways.map(({ way, all: overallAgreement, classes, different: differentStarts }) => ({
      way,
      all: makeAgreementDocument(overallAgreement),
      classes: classes.map((each) => ({ name: each.name, ...makeAgreementDocument(each.agreement) })),
      different: differentStarts.map(({ simulatedStart, ...job }) => ({
        ...job,
        simulatedStart: Number.isNaN(simulatedStart) ? null : simulatedStart,
      })),
    })),
  };
}

function computePercentilesByName(waitValues: readonly number[]): Record<string, number | undefined> {
  return Object.fromEntries(WAIT_PERCENTILES.map((p, i) => [`${p}`, waitValues[i]]));
}
