/** Tables and CSV of the agreement of simulations under several settings with a recorded schedule. */
import { formatCsvLine, type ResultTableValue } from '../format/csv.js';
import { START_TOLERANCE_SECONDS, type StartAgreement } from '../validate/agreement.js';
import type { ValidationWayResult } from '../validate/validate.js';
import {
  findAgreementOfValidationWay,
  formatNameOfValidatedSetting,
  rankSettingsByAgreement,
  type ValidatedSetting,
} from '../validate/variedSettings.js';
import type { Table, TableCell, TableColumn } from '../view/table.js';

/** Indices of 2 s and of 1 min in `START_TOLERANCE_SECONDS`. */
const SHOWN_TOLERANCE_INDICES = [
  START_TOLERANCE_SECONDS.indexOf(2),
  START_TOLERANCE_SECONDS.indexOf(60),
] as const;

/** Formats a share of jobs in percent with one decimal. */
export const formatPercentOneDecimal = (jobShare: number) => `${(100 * jobShare).toFixed(1)} %`;

/** Difference of shares in percentage points, with its sign: `+4.4`. */
function formatPercentagePoints(agreementShare: number, baselineShare: number): string {
  const percentagePoints = (100 * (agreementShare - baselineShare)).toFixed(1);
  if (Number(percentagePoints) === 0) return '0.0';
  return Number(percentagePoints) > 0 ? `+${percentagePoints}` : percentagePoints.replace('-', '\u2212');
}

/** Table of the settings in one kind of simulation: the given setting first, then by decreasing agreement. */
export function makeSettingAgreementTable(
  validatedSettings: readonly ValidatedSetting[],
  validationWay: ValidationWayResult['way'],
): Table {
  const rankedSettingRows = rankSettingsByAgreement(validatedSettings, validationWay);
  const agreementOfGivenSetting = findAgreementOfValidationWay(rankedSettingRows[0]!, validationWay);
  const isStepByStep = validationWay === 'step by step';
  const durationFormat = { style: 'duration' } as const;
  const tableColumns: TableColumn[] = [
    { title: 'setting', isHeading: true, most: 60 },
    ...['2 s', '1 min'].flatMap((timeText): TableColumn[] => [
      { title: timeText, align: 'right' },
      { title: 'change', align: 'right' },
    ]),
    { title: 'mean error', format: durationFormat },
    { title: 'mean wait', format: durationFormat },
    { title: 'recorded', format: durationFormat },
    ...(isStepByStep ? [{ title: 'missed', align: 'right' } as const] : []),
  ];
  const cellRows = rankedSettingRows.map((setting): TableCell[] => {
    const agreement = findAgreementOfValidationWay(setting, validationWay);
    return [
      formatNameOfValidatedSetting(setting),
      ...SHOWN_TOLERANCE_INDICES.flatMap((i) => [
        formatPercentOneDecimal(agreement.within[i]!),
        setting.isGiven
          ? ''
          : formatPercentagePoints(agreement.within[i]!, agreementOfGivenSetting.within[i]!),
      ]),
      formatDurationOrDash(agreement.meanError),
      formatDurationOrDash(agreement.simulatedWait),
      formatDurationOrDash(agreement.recordedWait),
      ...(isStepByStep ? [agreement.missed] : []),
    ];
  });
  return {
    id: isStepByStep ? 'settings-step-by-step' : 'settings-free',
    title: `Settings, ${validationWay}`,
    caption: `Shares of starts within 2 s and 1 min of the recorded ones, and their change from the setting as given in percentage points; mean absolute difference of starts; mean wait, simulated and recorded.${isStepByStep ? ' Missed: jobs that the rules do not start by their recorded start, which the other columns but the shares leave out.' : ''}`,
    columns: tableColumns,
    rows: cellRows,
  };
}

const formatDurationOrDash = (seconds: number) => (Number.isNaN(seconds) ? '-' : seconds);

/** Settings as CSV: a row per setting and kind of simulation; times in seconds, shares from 0 to 1. */
export function formatSettingAgreementCsv(validatedSettings: readonly ValidatedSetting[]): string {
  const optionNames = [
    ...new Set(validatedSettings.flatMap(({ values: optionValues }) => Object.keys(optionValues))),
  ];
  const heading = [
    ...['setting', ...optionNames, 'way', 'jobs', 'missed'],
    ...START_TOLERANCE_SECONDS.map((seconds) => `within${seconds}`),
    ...['meanError', 'recordedWait', 'simulatedWait', 'backfillOffset'],
  ];
  const validationWays = validatedSettings[0]!.ways.map(({ way }) => way);
  const rows = validationWays.flatMap((validationWay) =>
    rankSettingsByAgreement(validatedSettings, validationWay).map((setting): ResultTableValue[] => {
      const agreement = findAgreementOfValidationWay(setting, validationWay);
      return [
        setting.isGiven ? 'as given' : formatNameOfValidatedSetting(setting),
        ...optionNames.map((optionName) => setting.values[optionName] ?? null),
        ...[validationWay, agreement.jobs, agreement.missed, ...agreement.within],
        ...[agreement.meanError, agreement.recordedWait, agreement.simulatedWait].map(convertNanToNull),
        setting.backfillOffset ?? null,
      ];
    }),
  );
  return [heading, ...rows].map(formatCsvLine).join('');
}

const convertNanToNull = (agreementValue: number) => (Number.isNaN(agreementValue) ? null : agreementValue);

/** Settings as JSON: the given setting first, then by decreasing agreement in the last kind of simulation. */
export function makeSettingAgreementDocument(
  validatedSettings: readonly ValidatedSetting[],
  makeAgreementDocument: (agreement: StartAgreement) => object,
): object[] {
  const { way: lastWay } = validatedSettings[0]!.ways.at(-1)!;
  return rankSettingsByAgreement(validatedSettings, lastWay).map(({ ways, ...otherFields }) => ({
    ...otherFields,
    ways: ways.map(({ way, all: overallAgreement }) => ({
      way,
      all: makeAgreementDocument(overallAgreement),
    })),
  }));
}
