/** Why a job went where it went: the sites, what was compared, and what settled it. */
import type { Decision, Explanation, PlannedChoice, Trial, Wait } from '../explain/explanation.js';
import { countOf, formatMeasure, formatNumber } from '../format/numbers.js';
import { clockText, ruleText, sitesText } from './explanationRules.js';
import type { Table, TableColumn } from './table.js';
import { type Colors, tableText, wrapText } from './tableText.js';

/** Rows of a table of candidates. */
const MOST_CANDIDATES = 10;

/** What a site was to the job. */
function siteRemark({ sites, comparison }: Decision, index: number, isSlow: boolean): string {
  const { site, taken, fits, isSafe, isCandidate } = sites[index]!;
  const remarks: string[] = [];
  if (taken > 0) remarks.push(fits ? 'chosen' : `chosen for ${formatNumber(taken)}`);
  if (comparison?.bestFit === site) remarks.push('best-fit');
  if (comparison?.fastestFirst === site) remarks.push('fastest-first');
  if (!isCandidate) remarks.push(isSlow ? 'too slow for its home' : 'not its home');
  else if (!fits && taken === 0) remarks.push('no room');
  else if (!isSafe) remarks.push('would delay a reservation');
  return remarks.join(', ');
}

const right = (title: string): TableColumn => ({ title, align: 'right' });

function siteTable(decision: Decision, isSlow: boolean): Table {
  const { sites } = decision;
  const distances = sites.length > 1 ? decision.distances : undefined;
  const rows = sites.map(({ site, capacity, speed, free, left }, index) => {
    const distance = distances?.find((each) => each.site === site)?.distance;
    return [
      `${site}`,
      formatNumber(capacity),
      formatMeasure(speed),
      formatNumber(free),
      left >= 0 ? formatNumber(left) : '-',
      ...(distances === undefined ? [] : [distance === undefined ? '-' : formatMeasure(distance)]),
      siteRemark(decision, index, isSlow),
    ];
  });
  const titles = ['site', 'processors', 'speed', 'free', 'left over'];
  const columns = [...titles, ...(distances === undefined ? [] : ['distance'])].map(right);
  return { id: 'sites', title: 'Sites', caption: '', columns: [...columns, { title: '' }], rows };
}

function candidateTable(candidates: readonly PlannedChoice[]): Table {
  const order = [...candidates].sort(
    (a, b) => Number(b.isChosen) - Number(a.isChosen) || (a.end ?? Infinity) - (b.end ?? Infinity),
  );
  const shown = order.slice(0, MOST_CANDIDATES);
  const rows = shown.map(({ sites, start, end, isChosen }) => [
    sites.every(({ processors }) => processors === 0)
      ? `sites ${sites.map(({ site }) => site).join(', ')} together`
      : sitesText(sites),
    start === null ? 'not looked for:' : clockText(start),
    end === null ? 'too late' : clockText(end),
    isChosen ? 'chosen' : '',
  ]);
  const left = order.length - shown.length;
  return {
    id: 'candidates',
    title: 'Candidates',
    caption: left > 0 ? `and ${countOf(left, 'other')}` : '',
    columns: [{ title: 'candidate' }, right('start'), right('predicted end'), { title: '' }],
    rows,
  };
}

/** What each candidate of the policy had scored. */
function trialTable({ time, candidates }: Trial & { readonly time: number }): Table {
  const rows = candidates.map(({ policy, prospect, score, isInForce }) => [
    policy,
    formatMeasure(prospect),
    score.toFixed(4),
    isInForce ? 'in force' : '',
  ]);
  return {
    id: 'trial',
    title: 'Candidates of the policy',
    caption:
      `Candidates of the policy, last tried at ${clockText(time)}: the total response time that the jobs waiting then ` +
      'would have had under each, and its score (lowest is best).',
    columns: [{ title: 'candidate' }, right('responses, s'), right('score'), { title: '' }],
    rows,
  };
}

/** A decision as tables: the sites, the candidates of a plan, those of the policy, where there were any. */
export function decisionTables({ rules }: Explanation, { decision }: Wait): [Table, ...Table[]] {
  const { candidates, trial } = decision;
  return [
    siteTable(decision, rules.queue !== 'independent'),
    ...(candidates === undefined ? [] : [candidateTable(candidates)]),
    ...(trial === undefined || trial.time === null ? [] : [trialTable({ ...trial, time: trial.time })]),
  ];
}

/** What settled a decision, in sentences. */
export function decisionSentences(explanation: Explanation, wait: Wait): string[] {
  const isUntried = wait.decision.trial?.time === null;
  return [
    ruleText(explanation, wait),
    ...(isUntried ? ['No candidate of the policy had been tried yet: the first is in force.'] : []),
  ];
}

/** The sentences about what settled a decision, and its tables. */
export function decisionText(explanation: Explanation, wait: Wait, colors: Colors, width: number): string {
  const tables = decisionTables(explanation, wait).map((table) => {
    const text = tableText({ ...table, title: '' }, colors);
    if (table.caption === '') return text;
    return table.id === 'trial'
      ? `${wrapText(table.caption, width)}\n\n${text}`
      : `${text}\n${colors.dim(table.caption)}`;
  });
  const [rule, ...untried] = decisionSentences(explanation, wait).map((text) => wrapText(text, width));
  return [rule, ...tables, ...untried].join('\n\n');
}
