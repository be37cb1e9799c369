/** The explanation of a job for a person at a terminal. */

import { samplePoints } from '../draw/timeline.js';
import type { Explanation, Wait } from '../explain/explanation.js';
import { countOf, formatDuration, formatNumber } from '../format/numbers.js';
import { firstOf } from '../lists.js';
import { isBackfilling } from '../options/configuration.js';
import { waitEvents } from './explanationEvents.js';
import { clockText, clockWords, decisionText, sitesText } from './explanationRules.js';
import type { Table } from './table.js';
import { type Colors, tableText, wrapText } from './tableText.js';

const QUEUES: Readonly<Record<string, string>> = {
  shared: 'one queue for the grid',
  'per-home': 'one queue per home site',
  independent: 'every site alone',
};

/** What became of the job, and under which rules: two lines. */
export function headline(
  {
    job,
    names = {},
    processors,
    home,
    submit,
    precedingJob,
    start,
    end,
    wait,
    killed,
    sites,
    rules,
    waits,
  }: Explanation,
  colors: Colors,
) {
  const held = sites.reduce((sum, share) => sum + share.processors, 0);
  const got = held === processors ? '' : ` on ${formatNumber(held)} of them`;
  const order = rules.order === 'submit' ? '' : ` in the order ${rules.order}`;
  const chosenBy = rules.chosenBy === undefined ? '' : `, in force of ${rules.chosenBy.replace(/\[.*/, '')}`;
  const killedThen = killed ? ' and was killed at its requested time' : '';
  const after = precedingJob === undefined ? '' : ` after job ${precedingJob.job}`;
  // Of Slurm's jobs the partition is both.
  const told = Object.entries(names).filter(([field, name]) => field !== 'queue' || name !== names.partition);
  const called = told.map(([field, name]) => `${field} ${name}`);
  const whose = called.length === 0 ? '' : `\n${called.join(', ')}`;
  const hasSites = firstOf(waits).decision.sites.length > 1;
  const at = hasSites ? `, home site ${home}` : '';
  const on = hasSites || held !== processors ? ` on ${sitesText(sites)}${got}` : '';
  const kept = rules.reservations === 'kept' ? ', reservations kept' : '';
  const how = hasSites ? `, ${QUEUES[rules.queue]}, ${rules.method}` : '';
  const waited = wait > 0 ? `waited ${formatDuration(wait)}` : 'did not wait';
  return (
    `${colors.bold(`job ${job}`)}: ${countOf(processors, 'processor')}${at}, ` +
    `submitted at ${clockText(submit)}${after}, started at ${clockText(start)}${on}, ${waited}\n` +
    colors.dim(
      `${rules.discipline}${order}${kept}${how}${chosenBy}; it ran ${formatDuration(end - start)}${killedThen}; ` +
        `${clockWords()}${whose}`,
    )
  );
}

/** How the wait divides up; empty where nothing is to be said. */
export function waitSummary(wait: Wait, isPlanned: boolean): string {
  const { from, until, headSince, started, secondsWithRoom, queue } = wait;
  const parts: string[] = [];
  if (queue.jobs > 0) {
    const demand = countOf(queue.processors, 'processor');
    parts.push(`${countOf(queue.jobs, 'job')} waited ahead of it, asking for ${demand} in total.`);
  }
  if (headSince !== undefined && headSince > from && headSince < until) {
    parts.push(
      `It was behind others for ${formatDuration(headSince - from)} and was the head without room for ` +
        `${formatDuration(until - headSince)}.`,
    );
  }
  if (started.cameLater > 0) {
    parts.push(`${countOf(started.cameLater, 'job')} that came later went before it by the order.`);
  }
  if (started.behind > 0) {
    parts.push(`${countOf(started.behind, 'job')} behind it in the order started before it.`);
  }
  if (secondsWithRoom > 0) {
    const share = secondsWithRoom === until - from ? 'all of the wait' : formatDuration(secondsWithRoom);
    const but = isPlanned ? 'but it could have delayed those before it' : 'but it was not its turn';
    parts.push(`For ${share} there was room for it, ${but}.`);
  }
  return parts.join(' ');
}

/** What is explained of a wait. */
function waitTitle({ from, until, stopped }: Wait): string {
  if (stopped !== undefined)
    return `Why it waited again, stopped at ${clockText(from)} on site ${stopped.site} for job ${stopped.for}`;
  return until > from ? 'Why it waited' : 'It did not wait';
}

/** What happened while the job waited, in order. */
export function eventTable(explanation: Explanation, wait: Wait): Table {
  const { rules, submit } = explanation;
  const rows = waitEvents(explanation, wait).map(({ time, text }) => [
    clockText(time),
    `+${formatDuration(time - submit)}`,
    text,
  ]);
  return {
    id: 'events',
    title: waitTitle(wait),
    caption: wait.until > wait.from ? waitSummary(wait, isBackfilling(rules.discipline)) : '',
    columns: [
      { title: 'time', align: 'right' },
      { title: 'since submit', align: 'right' },
      { title: 'what happened' },
    ],
    rows,
  };
}

function waitText(explanation: Explanation, wait: Wait, colors: Colors, width: number): string[] {
  const { title, caption, ...table } = eventTable(explanation, wait);
  return [
    colors.bold(title) + (caption === '' ? '' : `\n${wrapText(caption, width)}`),
    tableText({ ...table, title: '', caption: '' }, colors, width),
    ...(wait.until > wait.from ? [freeChart(explanation, wait, colors, width)] : []),
    `${colors.bold('Why there')}\n${decisionText(explanation, wait, colors, width)}`,
  ];
}

/** Says that events are missing; nothing where none are. */
export const lostSentences = ({ lost }: Explanation): string[] =>
  lost > 0 ? [`${countOf(lost, 'event')} of its wait were too many to be kept; this is a part.`] : [];

/** All of an explanation as text of several lines, about as wide as `width` characters. */
export function explanationText(explanation: Explanation, colors: Colors, width: number): string {
  const head = headline(explanation, colors).split('\n');
  return [
    head.map((line) => wrapText(line, width)).join('\n'),
    ...lostSentences(explanation),
    ...explanation.waits.flatMap((wait) => waitText(explanation, wait, colors, width)),
  ].join('\n\n');
}

// Free processors over a wait as lines of a terminal.

/** Heights of a character, from nothing to full. */
const LEVELS = ' \u2581\u2582\u2583\u2584\u2585\u2586\u2587\u2588';
/** Sites that are shown; of more, those that the job got and the first others. */
const MOST_SITES = 12;
const NARROWEST = 16;

/** The states of the waiting job. */
const BEHIND = '\u00b7';
const HEAD = '\u2592';

/** The sites that are drawn, by index. */
export function shownSites({ decision }: Wait): number[] {
  const order = decision.sites.map((_, site) => site);
  const got = order.filter((site) => decision.sites[site]!.taken > 0);
  return [...new Set([...got, ...order])].slice(0, MOST_SITES).sort((a, b) => a - b);
}

/** One line per site: the share of its processors that is free; and one for the job. */
function freeChart(explanation: Explanation, wait: Wait, colors: Colors, width: number): string {
  const { from, until, headSince, free, decision, reservations } = wait;
  const sites = shownSites(wait);
  const labels = sites.map((site) => `site ${site + 1}, ${formatNumber(decision.sites[site]!.capacity)}`);
  const own = `job ${explanation.job}`;
  const margin = Math.max(own.length, ...labels.map((label) => label.length)) + 2;
  const columns = Math.max(NARROWEST, width - margin);
  const lines = sites.map((site, place) => {
    const steps = { time: Float64Array.from(free.time), value: Float64Array.from(free.sites[site]!) };
    const { capacity, isCandidate } = decision.sites[site]!;
    const cells = samplePoints(steps, { from, to: until }, columns).map(({ y, high }) => {
      const cell = LEVELS[Math.min(8, Math.ceil((y / capacity) * 8 - 1e-9))];
      return isCandidate && high >= explanation.processors ? colors.green(cell) : colors.dim(cell);
    });
    return labels[place]!.padEnd(margin) + cells.join('');
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
    wrapText(
      `${colors.bold('Free processors')} ${colors.dim(`of each site while it waited; ${wording}${more}`)}`,
      width,
    ),
    ...lines,
    own.padEnd(margin) + states,
    ' '.repeat(margin) + left + right.padStart(Math.max(right.length + 1, columns - left.length)),
  ].join('\n');
}
