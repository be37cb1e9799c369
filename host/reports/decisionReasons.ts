/** Explanation, as text and tables, why a job was started on its sites. */
import { formatDateOrElapsedTime } from '../draw/axes.js';
import type {
  CandidateTrial,
  Explanation,
  PlannedStartChoice,
  SiteComparison,
  SiteShare,
  SiteState,
  StartDecision,
  WaitPeriod,
} from '../explain/explanation.js';
import { formatCount, formatFullDuration, formatMeasurement, formatNumber } from '../format/numbers.js';
import { firstElement } from '../lists.js';
import type { Table, TableColumn } from '../view/table.js';
import { formatTableForTerminal, type TerminalColors, wrapText } from '../view/terminal.js';
import type { Workload } from '../workload/workload.js';

/** Sentences on the rule that settled a decision. */
function describeDecidingRule(explanation: Explanation, waitPeriod: WaitPeriod): string {
  const overtakenJobText = isStartPlanned(waitPeriod) ? '' : describeOvertakenJob(waitPeriod);
  return describeStartDecision(explanation, waitPeriod) + overtakenJobText;
}

/** True if the planner chose the sites (conservative backfilling and other planned disciplines). */
function isStartPlanned({ decision: { rule } }: WaitPeriod): boolean {
  return rule === 'planned' || rule === 'room' || rule === 'backfilled';
}

/** Sentence on the job with a reservation that was overtaken; empty if there was none. */
function describeOvertakenJob({ decision, until, reservations }: WaitPeriod): string {
  if (decision.beside !== undefined)
    return ` ${isSingleSiteMachine({ decision }) ? 'It' : 'There it'} goes ${describeBackfillReason(decision.beside)}`;
  const earlierReservations = reservations.filter(
    (reservation) => !reservation.isItself && reservation.until === until && reservation.start > until,
  );
  const lastReservation = earlierReservations.at(-1);
  if (lastReservation === undefined) return '';
  return ` It goes before job ${lastReservation.job}, whose reservation at ${formatLogTime(lastReservation.start)} it does not delay.`;
}

/** Reason why a job could start before the waiting head of the queue. */
function describeBackfillReason({
  head,
  end,
  headStart,
  beside,
}: NonNullable<StartDecision['beside']>): string {
  return (
    `before job ${head}, which is to start at ${formatLogTime(headStart)}: ` +
    (end <= headStart
      ? `by its estimate it ends earlier, at ${formatLogTime(end)}.`
      : `it needs no more than the ${formatNumber(beside)} processors left beside that job then.`)
  );
}

function describeStartDecision(explanation: Explanation, waitPeriod: WaitPeriod): string {
  const { decision } = waitPeriod;
  const { comparison } = decision;
  if (comparison !== undefined && comparison.bestFit !== comparison.fastestFirst) {
    return describeValueComparison(explanation, decision, comparison);
  }
  const chosenSites = decision.sites.filter(({ taken }) => taken > 0);
  const siteListText = formatSiteNames(waitPeriod.sites);
  if (isSingleSiteMachine(waitPeriod))
    return describeOneSiteStart(explanation, waitPeriod, firstElement(chosenSites));
  switch (decision.rule) {
    case 'agreed':
      return `Best-fit and fastest-first both name ${siteListText}.`;
    case 'only-site':
      return decision.sites.some(({ fits, isSafe }) => fits && !isSafe)
        ? `Of the sites with room, only on ${siteListText} would it delay no reservation.`
        : describeOnlySiteWithRoom(decision, siteListText);
    case 'policy':
      return describePolicyChoice(explanation, decision, firstElement(chosenSites));
    case 'split':
      return describeSplitChoice(decision, siteListText);
    case 'reclaimed':
      return describeReclaiming(waitPeriod, siteListText);
    case 'moldable-fit':
    case 'scaled-down':
    case 'scaled-up':
      return describeMoldableChoice(explanation, decision, firstElement(chosenSites));
    default:
      return describePlan(explanation, waitPeriod, siteListText);
  }
}

/** Reason for the start time of a job that had only one possible site. */
function describeOneSiteStart(
  explanation: Explanation,
  waitPeriod: WaitPeriod,
  { taken }: SiteState,
): string {
  const { decision } = waitPeriod;
  const { rule, beside } = decision;
  if (rule === 'backfilled' && beside !== undefined) return `Backfilled ${describeBackfillReason(beside)}`;
  switch (rule) {
    case 'room':
      return 'It was the first in its queue, and there was room for it.';
    case 'planned':
      return describePlannedStart(waitPeriod);
    case 'scaled-up':
      return `No job waited behind it, so it got all ${formatCount(taken, 'free processor')}.`;
    case 'scaled-down':
      return `Not all its processors were free; it runs on ${formatNumber(taken)}.${describeShrinkThreshold(decision)}`;
    case 'moldable-fit':
      return `All of its ${formatCount(explanation.processors, 'processor')} were free.`;
    default:
      return 'There was room for it.';
  }
}

const POLICY_REASON_WORDS: Readonly<Record<string, string>> = {
  'best-fit': 'is left with the fewest free processors',
  'fastest-first': 'is the fastest',
  'first-fit': 'is the first in the order of the grid',
  'worst-fit': 'is left with the most free processors',
  random: 'was drawn',
};

function describePolicyChoice(
  { rules }: Explanation,
  { sites }: StartDecision,
  chosenSite: SiteState,
): string {
  const fittingSites = sites.filter(({ fits, isSafe }) => fits && isSafe);
  const safeSitesText =
    fittingSites.length < sites.filter(({ fits }) => fits).length ? ' where it delays no reservation' : '';
  const policyName = rules.method.replace(/\[.*/, '');
  const policyReasonWords = POLICY_REASON_WORDS[policyName] ?? `was chosen by ${rules.method}`;
  const tiedSites = fittingSites.filter(({ left: leftProcessors, speed }) =>
    policyName === 'fastest-first' ? speed === chosenSite.speed : leftProcessors === chosenSite.left,
  );
  const areSeveralSitesTied =
    tiedSites.length > 1 &&
    !['first-fit', 'random'].includes(policyName) &&
    policyName in POLICY_REASON_WORDS;
  const tieText = areSeveralSitesTied ? `, as are others; it comes first among them` : '';
  return `${rules.method}: of the ${formatNumber(fittingSites.length)} sites with room${safeSitesText}, site ${chosenSite.site} ${policyReasonWords}${tieText}.`;
}

const chooseNameOfComparedPolicy = (isPolicyFastestFirst: boolean) =>
  isPolicyFastestFirst ? 'fastest-first' : 'best-fit';

/** Sentence on the values that the methods of Shih et al. 2010 compared, with equation numbers. */
function describeValueComparison(
  { rules }: Explanation,
  { rule, sites }: StartDecision,
  comparison: SiteComparison,
): string {
  const { bestFit, fastestFirst, situation, jobs, capacity } = comparison;
  const takesFastestSite = sites[fastestFirst - 1]!.taken > 0;
  const [bestFitSpeedText, fastestFirstSpeedText] = [
    sites[bestFit - 1]!.speed,
    sites[fastestFirst - 1]!.speed,
  ].map(formatMeasurement);
  const sentences = [
    `${rules.method}: best-fit names site ${bestFit} (S_bf), fastest-first site ${fastestFirst} (S_ff).`,
  ];
  if (situation === 'a') sentences.push('Situation (a): it found the queue empty and is placed as it comes.');
  if (situation === 'b') sentences.push('Situation (b): it is placed from the queue.');
  sentences.push(...describeGridSignals(comparison));
  const policy = chooseNameOfComparedPolicy(takesFastestSite);
  const conclusionClause = `so ${policy}'s site ${takesFastestSite ? fastestFirst : bestFit} is taken`;
  switch (rule) {
    case 'situation':
      sentences.push(`In situation (${situation}) si follows ${policy} (eq. 2), ${conclusionClause}.`);
      break;
    case 'heterogeneity':
      sentences.push(`In situation (a) SH settles it (eq. 5), ${conclusionClause}.`);
      break;
    case 'loading':
      sentences.push(`In situation (b) SL settles it (eq. 6), ${conclusionClause}.`);
      break;
    case 'thresholds':
      sentences.push(`Both thresholds together settle it (Table 3), ${conclusionClause}.`);
      break;
    case 'speeds':
      sentences.push(
        `Into an empty queue the faster site wins (eq. 7): CS_ff ${fastestFirstSpeedText} against CS_bf ${bestFitSpeedText}, ${conclusionClause}.`,
      );
      break;
    case 'jobs-placed':
      if (jobs !== undefined) {
        sentences.push(
          `Look-ahead: ${formatCount(jobs.fastestFirst, 'job')} could start, itself among them, by S_ff and ${formatNumber(jobs.bestFit)} by S_bf ` +
            `(TNoA); score = ${fastestFirstSpeedText} - ${bestFitSpeedText} - (${jobs.bestFit} - ${jobs.fastestFirst}) x ${bestFitSpeedText} = ${formatMeasurement(jobs.score)}, ` +
            `${jobs.score >= 0 ? 'not below' : 'below'} 0 (eqs. 11, 12), ${conclusionClause}.`,
        );
      }
      break;
    default:
      if (capacity !== undefined) {
        const { fastestFirst: byFastest, bestFit: byBestFit, fastestFirstProduct, bestFitProduct } = capacity;
        sentences.push(
          `Look-ahead: it and those behind it could take a capacity of ${formatMeasurement(byFastest)} by S_ff and ${formatMeasurement(byBestFit)} by S_bf (TCC); ` +
            `CS_ff x TCC_ff = ${formatMeasurement(fastestFirstProduct)} is ${fastestFirstProduct > bestFitProduct ? 'above' : 'not above'} ` +
            `CS_bf x TCC_bf = ${formatMeasurement(bestFitProduct)} (eqs. 16, 17), ${conclusionClause}.`,
        );
      }
  }
  return sentences.join(' ');
}

function describeGridSignals({ heterogeneity, loading }: SiteComparison): string[] {
  const describeThresholdComparison = (measuredNumber: number, threshold: number) =>
    `${formatMeasurement(measuredNumber)} is ${measuredNumber > threshold ? 'above' : 'not above'} ${formatMeasurement(threshold)}`;
  return [
    ...(heterogeneity
      ? [`SH ${describeThresholdComparison(heterogeneity.value, heterogeneity.threshold)}.`]
      : []),
    ...(loading
      ? [
          `SL = ${formatNumber(loading.waiting)} processors asked for / ${formatNumber(loading.free)} free = ` +
            `${describeThresholdComparison(loading.value, loading.threshold)}.`,
        ]
      : []),
  ];
}

/** Sentence that only one site had enough free processors; sites that the job may not use are ignored. */
function describeOnlySiteWithRoom({ sites }: StartDecision, siteListText: string): string {
  const hadRoomElsewhere = sites.some(
    ({ isCandidate, left: leftProcessors }) => !isCandidate && leftProcessors >= 0,
  );
  return hadRoomElsewhere
    ? `Of the sites that it may use, only ${siteListText} had room for it.`
    : `Only ${siteListText} had room for it.`;
}

function describeSplitChoice({ splits }: StartDecision, siteListText: string): string {
  const candidateSentences = (splits ?? []).map(
    ({ rule, sites, slowestSpeed, jobsBehind }) =>
      ` ${rule} would take ${formatSiteNames(sites)}, at speed ${formatMeasurement(slowestSpeed)}, and let ${formatCount(jobsBehind, 'job')} behind it start.`,
  );
  return `No single site had room for it, but all together did: it is split over ${siteListText}.${candidateSentences.join('')}`;
}

function describeReclaiming({ trigger, decision }: WaitPeriod, siteListText: string): string {
  const stoppedJobs = trigger.filter(
    ({ isStopped, site }) => isStopped && decision.sites[site - 1]!.taken > 0,
  );
  const preemptedJobNames = stoppedJobs.map(({ job }) => job).join(', ');
  return (
    `No site that is fast enough had room, so its home, ${siteListText}, stopped ${formatCount(stoppedJobs.length, 'job')} from elsewhere ` +
    `(${preemptedJobNames}), the latest started first.`
  );
}

function describeMoldableChoice(
  { processors }: Explanation,
  decision: StartDecision,
  chosenSite: SiteState,
): string {
  const { rule, distances } = decision;
  if (rule === 'scaled-up') {
    return `No job waited behind it, so it got all ${formatNumber(chosenSite.taken)} free processors of site ${chosenSite.site}.`;
  }
  if (rule === 'moldable-fit') {
    const nearestSiteClause = (distances?.length ?? 0) > 1 ? ', and is nearest to what it needs' : '';
    return `Site ${chosenSite.site} had all ${formatCount(processors, 'processor')} free${nearestSiteClause}.`;
  }
  return (
    `No site had all its processors free. Site ${chosenSite.site} had the most free computing power and it runs on ` +
    `${formatNumber(chosenSite.taken)} there.${describeShrinkThreshold(decision)}`
  );
}

/** Sentence on the turnaround times compared before shrinking a moldable job; empty if none were compared. */
function describeShrinkThreshold({ turnarounds }: StartDecision): string {
  if (turnarounds === undefined) return '';
  const { shrunk, threshold, whole } = turnarounds;
  return (
    ` By the estimates it is done in ${formatFullDuration(shrunk)} there, at most ` +
    `${formatMeasurement(threshold)} times the ${formatFullDuration(whole)} of waiting.`
  );
}

function describePlan({ rules }: Explanation, waitPeriod: WaitPeriod, siteListText: string): string {
  const { decision } = waitPeriod;
  const { beside } = decision;
  if (decision.rule === 'room') return `It was the first in its queue, and ${siteListText} had room.`;
  if (beside !== undefined) {
    return `Backfilled on ${siteListText} ${describeBackfillReason(beside)}`;
  }
  return `${describePlannedSites(rules.method, decision, siteListText)} ${describePlannedStart(waitPeriod)}`;
}

/** Reason why the planner started the job at this time. */
function describePlannedStart(waitPeriod: WaitPeriod): string {
  const { decision, until } = waitPeriod;
  const startTimeSentence =
    decision.time < until
      ? `It starts as it was planned at ${formatLogTime(decision.time)}.`
      : 'It can start now.';
  return startTimeSentence + describeOvertakenJob(waitPeriod);
}

/** Reason why the planner chose these sites. */
function describePlannedSites(
  methodName: string,
  { candidates = [] }: StartDecision,
  siteListText: string,
): string {
  if (candidates.length === 1) return `${methodName}: ${siteListText} was the only choice considered.`;
  if (methodName.startsWith('non-adaptive')) {
    return `${methodName}: what can start now goes first, at home, else elsewhere, else on several sites; that is ${siteListText}.`;
  }
  return `${methodName}: of all choices considered, it ends soonest on ${siteListText}, by the estimates.`;
}

// Wording shared by all parts of an explanation

/** Formatter of times, with a note that explains the format to readers. */
export interface TimeFormatter {
  readonly write: (time: number) => string;
  readonly formatNote: string;
}

/** Formatter that writes seconds on the clock of the log, as in result files. */
const SECONDS_TIME_FORMATTER: TimeFormatter = {
  write: (time) => formatNumber(time, Number.isInteger(time) ? 0 : 2),
  formatNote: 'times are seconds on the clock of the log',
};

/** Formatter for times of a log: dates if its start is known, otherwise seconds. */
export function makeTimeFormatterOfLog({ unixStartTime }: Pick<Workload, 'unixStartTime'>): TimeFormatter {
  if (unixStartTime === undefined) return SECONDS_TIME_FORMATTER;
  return { write: (time) => formatDateOrElapsedTime(time, unixStartTime), formatNote: 'times are UTC' };
}

let currentTimeFormatter = SECONDS_TIME_FORMATTER;

/** Runs a function that writes explanations, with another time formatter. */
export function runWithTimeFormatter<T>(timeFormatter: TimeFormatter, writeExplanations: () => T): T {
  currentTimeFormatter = timeFormatter;
  try {
    return writeExplanations();
  } finally {
    currentTimeFormatter = SECONDS_TIME_FORMATTER;
  }
}

/** Formats a time in seconds with the current formatter. */
export function formatLogTime(time: number): string {
  return currentTimeFormatter.write(time);
}

/** Note that explains the current time format; empty if it needs no explanation. */
export function explainTimeFormat(): string {
  return currentTimeFormatter.formatNote;
}

/**
 * Formats sites as text, with processors if there are several: `site 3`, or `site 3 (64 processors) and site
 * 1 (16)`.
 */
export function formatSiteNames(siteShares: readonly SiteShare[]): string {
  if (siteShares.length === 1) return `site ${firstElement(siteShares).site}`;
  const shares = siteShares.map(({ site, processors }) => `site ${site} (${formatNumber(processors)})`);
  return `${shares.slice(0, -1).join(', ')} and ${shares[shares.length - 1]}`;
}

/** True if the machine has a single site, which texts then do not name. */
export const isSingleSiteMachine = ({ decision }: Pick<WaitPeriod, 'decision'>) =>
  decision.sites.length === 1;

/** Text such as ` on site 3`; empty if there is only one site. */
export const makeSiteSuffixOfWait = (
  waitPeriod: Pick<WaitPeriod, 'decision'>,
  siteShares: readonly SiteShare[],
) => (isSingleSiteMachine(waitPeriod) ? '' : ` on ${formatSiteNames(siteShares)}`);

/** Title of the section on the decision that ended a wait; a cancelled job has no sites. */
export const makeTitleOfDecision = (waitPeriod: WaitPeriod) =>
  waitPeriod.sites.length === 0
    ? 'What was free then'
    : isSingleSiteMachine(waitPeriod)
      ? 'Why then'
      : 'Why there';

// Decision tables: sites, compared values, and the rule that settled the choice

/** Largest number of rows in a table of candidates. */
const MAX_LISTED_CANDIDATE_PLANS = 10;

/** Remark on the role of a site in a decision, such as chosen or best-fit. */
function makeRemarkOnSite(
  { sites, comparison }: StartDecision,
  index: number,
  hasSlowedSites: boolean,
): string {
  const { site, taken, fits, isSafe, isCandidate, isInPartition } = sites[index]!;
  const remarks: string[] = [];
  if (taken > 0) remarks.push(fits ? 'chosen' : `chosen for ${formatNumber(taken)}`);
  if (comparison?.bestFit === site) remarks.push('best-fit');
  if (comparison?.fastestFirst === site) remarks.push('fastest-first');
  if (!isInPartition) remarks.push('not of its partition or queue');
  else if (!isCandidate) remarks.push(hasSlowedSites ? 'too slow for its home' : 'not its home');
  else if (!fits && taken === 0) remarks.push('no room');
  else if (!isSafe) remarks.push('would delay a reservation');
  return remarks.join(', ');
}

const makeRightAlignedColumn = (title: string): TableColumn => ({ title, align: 'right' });

function makeSiteTable(decision: StartDecision, hasSlowedSites: boolean): Table {
  const { sites } = decision;
  const isSingle = isSingleSiteMachine({ decision });
  const distances = sites.length > 1 ? decision.distances : undefined;
  const rows = sites.map(({ site, capacity, speed, free: freeProcessors, left: leftProcessors }, index) => {
    const distance = distances?.find((siteDistance) => siteDistance.site === site)?.distance;
    return [
      ...(isSingle ? [] : [`${site}`]),
      formatNumber(capacity),
      formatMeasurement(speed),
      formatNumber(freeProcessors),
      leftProcessors >= 0 ? formatNumber(leftProcessors) : '-',
      ...(distances === undefined ? [] : [distance === undefined ? '-' : formatMeasurement(distance)]),
      ...(isSingle ? [] : [makeRemarkOnSite(decision, index, hasSlowedSites)]),
    ];
  });
  const columnTitles = [...(isSingle ? [] : ['site']), 'processors', 'speed', 'free', 'left over'];
  const tableColumns = [...columnTitles, ...(distances === undefined ? [] : ['distance'])].map(
    makeRightAlignedColumn,
  );
  return {
    id: 'sites',
    title: 'Sites',
    caption: '',
    columns: [...tableColumns, ...(isSingle ? [] : [{ title: '' }])],
    rows,
  };
}

function makeCandidatePlanTable(candidates: readonly PlannedStartChoice[]): Table {
  const sortedChoices = [...candidates].sort(
    (a, b) => Number(b.isChosen) - Number(a.isChosen) || (a.end ?? Infinity) - (b.end ?? Infinity),
  );
  const listedCandidates = sortedChoices.slice(0, MAX_LISTED_CANDIDATE_PLANS);
  const rows = listedCandidates.map(({ sites, start, end, isChosen }) => [
    sites.every(({ processors }) => processors === 0)
      ? `sites ${sites.map(({ site }) => site).join(', ')} together`
      : formatSiteNames(sites),
    start === null ? 'not looked for:' : formatLogTime(start),
    end === null ? 'too late' : formatLogTime(end),
    isChosen ? 'chosen' : '',
  ]);
  const unlistedCount = sortedChoices.length - listedCandidates.length;
  return {
    id: 'candidates',
    title: 'Candidates',
    caption: unlistedCount > 0 ? `and ${formatCount(unlistedCount, 'other')}` : '',
    columns: [
      { title: 'candidate' },
      makeRightAlignedColumn('start'),
      makeRightAlignedColumn('predicted end'),
      { title: '' },
    ],
    rows,
  };
}

/** Table of the scores of the policies that a dynamic policy tried. */
function makePolicyTrialTable({ time, candidates }: CandidateTrial & { readonly time: number }): Table {
  const rows = candidates.map(({ policy, prospect, score, isInForce }) => [
    policy,
    formatMeasurement(prospect),
    score.toFixed(4),
    isInForce ? 'in force' : '',
  ]);
  return {
    id: 'trial',
    title: 'Candidates of the policy',
    caption:
      `Candidates of the policy, last tried at ${formatLogTime(time)}: the total response time that the jobs waiting then ` +
      'would have had under each, and its score (lowest is best).',
    columns: [
      { title: 'candidate' },
      makeRightAlignedColumn('responses, s'),
      makeRightAlignedColumn('score'),
      { title: '' },
    ],
    rows,
  };
}

/**
 * Tables about a decision, as far as present: its sites, the plans considered, and, if the policy switches
 * between candidates, the scores of its last trial.
 */
export function makeDecisionTables({ rules }: Explanation, { decision }: WaitPeriod): [Table, ...Table[]] {
  const { candidates, trial } = decision;
  return [
    makeSiteTable(decision, rules.queue !== 'independent'),
    ...(candidates === undefined || isSingleSiteMachine({ decision })
      ? []
      : [makeCandidatePlanTable(candidates)]),
    ...(trial === undefined || trial.time === null
      ? []
      : [makePolicyTrialTable({ ...trial, time: trial.time })]),
  ];
}

/** Sentences on the rule that settled a decision. */
export function describeDecision(explanation: Explanation, waitPeriod: WaitPeriod): string[] {
  if (explanation.cancelled === 'waiting')
    return ['It was cancelled, so it got no site; this is what was free.'];
  const isPolicyUntried = waitPeriod.decision.trial?.time === null;
  return [
    describeDecidingRule(explanation, waitPeriod),
    ...(isPolicyUntried ? ['No candidate of the policy had been tried yet: the first is in force.'] : []),
  ];
}

/** Sentences and tables about a decision, as terminal text. */
export function formatDecision(
  explanation: Explanation,
  waitPeriod: WaitPeriod,
  colors: TerminalColors,
  width: number,
): string {
  const tables = makeDecisionTables(explanation, waitPeriod).map((table) => {
    const tableText = formatTableForTerminal({ ...table, title: '' }, colors);
    if (table.caption === '') return tableText;
    return table.id === 'trial'
      ? `${wrapText(table.caption, width)}\n\n${tableText}`
      : `${tableText}\n${colors.dim(table.caption)}`;
  });
  const [rule, ...untried] = describeDecision(explanation, waitPeriod).map((sentence) =>
    wrapText(sentence, width),
  );
  return [rule, ...tables, ...untried].join('\n\n');
}
