/** Free processors over a wait as lines of a terminal. */

import { samplePoints } from '../draw/timeline.js';
import type { Explanation, Wait } from '../explain/explanation.js';
import { formatDuration, formatNumber } from '../format/numbers.js';
import type { Colors } from './tableText.js';

/** Heights of a character, from nothing to full. */
const LEVELS = ' \u2581\u2582\u2583\u2584\u2585\u2586\u2587\u2588';
/** Sites that are shown; of more, those that the job got and the first others. */
const MOST_SITES = 12;
const NARROWEST = 16;

/** The states of the waiting job. */
const BEHIND = '\u00b7';
const HEAD = '\u2592';

/** Sites as lines, by index. */
function shownSites({ decision }: Wait): number[] {
  const order = decision.sites.map((_, site) => site);
  const got = order.filter((site) => decision.sites[site].taken > 0);
  return [...new Set([...got, ...order])].slice(0, MOST_SITES).sort((a, b) => a - b);
}

/** One line per site: the share of its processors that is free; and one for the job. */
export function freeChart(explanation: Explanation, wait: Wait, colors: Colors, width: number): string {
  const { from, until, headSince, free, decision, reservations } = wait;
  const sites = shownSites(wait);
  const labels = sites.map((site) => `site ${site + 1}, ${formatNumber(decision.sites[site].capacity)}`);
  const own = `job ${explanation.job}`;
  const margin = Math.max(own.length, ...labels.map((label) => label.length)) + 2;
  const columns = Math.max(NARROWEST, width - margin);
  const lines = sites.map((site, place) => {
    const steps = { time: Float64Array.from(free.time), value: Float64Array.from(free.sites[site]) };
    const { capacity, isCandidate } = decision.sites[site];
    const cells = samplePoints(steps, { from, to: until }, columns).map(({ y, high }) => {
      const cell = LEVELS[Math.min(8, Math.ceil((y / capacity) * 8 - 1e-9))];
      return isCandidate && high >= explanation.processors ? colors.green(cell) : colors.dim(cell);
    });
    return labels[place].padEnd(margin) + cells.join('');
  });
  const reserved = reservations.find(({ isItself }) => isItself)?.from;
  const next = headSince ?? reserved ?? until;
  const behind = Math.round(((next - from) / (until - from)) * columns);
  const states = BEHIND.repeat(behind) + HEAD.repeat(columns - behind);
  const right = `+${formatDuration(until - explanation.submit)}`;
  const left = `+${formatDuration(from - explanation.submit)}`;
  const hidden = decision.sites.length - sites.length;
  const more = hidden > 0 ? ` (${hidden} more sites are not shown)` : '';
  const state = headSince === undefined ? 'with a reservation' : 'the head without room';
  const wording = `${BEHIND} behind others${next < until ? `, ${HEAD} ${state}` : ''}`;
  return [
    `${colors.bold('Free processors')} ${colors.dim(`of each site while it waited; ${wording}${more}`)}`,
    ...lines,
    own.padEnd(margin) + states,
    ' '.repeat(margin) + left + right.padStart(Math.max(right.length + 1, columns - left.length)),
  ].join('\n');
}
