/** Why a job went where it went: the sites, what was compared, and what settled it. */
import type { Decision, Explanation, PlannedChoice, Trial, Wait } from '../explain/explanation.js';
import { countOf, formatMeasure, formatNumber } from '../format/numbers.js';
import { clockText, ruleText, sitesText } from './explanationRules.js';
import { type Colors, formatTable, wrapText } from './tableText.js';

/** Rows of a table of candidates. */
const MOST_CANDIDATES = 10;

/** What a site was to the job. */
function siteRemark({ sites, comparison }: Decision, index: number, isSlow: boolean): string {
  const { site, taken, fits, isSafe, isCandidate } = sites[index];
  const remarks: string[] = [];
  if (taken > 0) remarks.push(fits ? 'chosen' : `chosen for ${formatNumber(taken)}`);
  if (comparison?.bestFit === site) remarks.push('best-fit');
  if (comparison?.fastestFirst === site) remarks.push('fastest-first');
  if (!isCandidate) remarks.push(isSlow ? 'too slow for its home' : 'not its home');
  else if (!fits && taken === 0) remarks.push('no room');
  else if (!isSafe) remarks.push('would delay a reservation');
  return remarks.join(', ');
}

function siteTable(decision: Decision, isSlow: boolean, colors: Colors): string {
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
  const headings = [
    'site',
    'processors',
    'speed',
    'free',
    'left over',
    ...(distances === undefined ? [] : ['distance']),
  ];
  return formatTable(
    [...headings.map((heading) => ({ heading })), { heading: '', align: 'left' as const }],
    rows,
    colors,
  );
}

function candidateTable(candidates: readonly PlannedChoice[], colors: Colors): string {
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
  const columns = [
    { heading: 'candidate', align: 'left' as const },
    { heading: 'start' },
    { heading: 'predicted end' },
    { heading: '', align: 'left' as const },
  ];
  const left = order.length - shown.length;
  return (
    formatTable(columns, rows, colors) + (left > 0 ? `\n${colors.dim(`and ${countOf(left, 'other')}`)}` : '')
  );
}

/** What each candidate of the policy had scored. */
function trialText({ time, candidates }: Trial, colors: Colors, width: number): string {
  if (time === null) return 'No candidate of the policy had been tried yet: the first is in force.';
  const rows = candidates.map(({ policy, prospect, score, isInForce }) => [
    policy,
    formatMeasure(prospect),
    score.toFixed(4),
    isInForce ? 'in force' : '',
  ]);
  const columns = [
    { heading: 'candidate', align: 'left' as const },
    { heading: 'responses, s' },
    { heading: 'score' },
    { heading: '', align: 'left' as const },
  ];
  const title =
    `Candidates of the policy, tried last at ${clockText(time)}: the response times to which the jobs that waited then ` +
    'would have come under each, all together, and its score, of which the least is best.';
  return `${wrapText(title, width)}\n\n${formatTable(columns, rows, colors)}`;
}

/** The table of sites, that of candidates where there were, and sentences about what settled it. */
export function decisionText(explanation: Explanation, wait: Wait, colors: Colors, width: number): string {
  const { decision } = wait;
  const tables = [siteTable(decision, explanation.rules.queue !== 'independent', colors)];
  if (decision.candidates !== undefined) tables.push(candidateTable(decision.candidates, colors));
  if (decision.trial !== undefined) tables.push(trialText(decision.trial, colors, width));
  return [ruleText(explanation, wait, width), ...tables].join('\n\n');
}
