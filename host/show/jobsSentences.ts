/** What a paper says of the jobs that were simulated, and of whom they are: sentences. */

import { countOf, formatMeasure, formatNumber, listed } from '../format/numbers.js';
import { escapeText, sourceName } from '../format/text.js';
import type { Grid } from '../grid/grid.js';
import type { TraceHeader } from '../trace/trace.js';
import { isModelText } from '../workload/models.js';
import type { Workload } from '../workload/workload.js';

/** Jobs that were simulated. */
export interface SimulatedJobs {
  /** Before anything is perturbed. */
  readonly workload: Workload;
  readonly grid: Grid;
  /** Of these jobs. */
  readonly sha256: string;
  /** Of the log that they are from. */
  readonly header: TraceHeader;
}

/** Records that rules without a value drop. */
const LEFT_OUT_BY: Readonly<Record<string, string>> = {
  runtime: 'without a positive runtime',
  processors: 'without a number of processors',
  oversize: 'too wide for the sites',
};

/** `8 without a positive runtime and 1 without a number of processors were left out`; empty where none were. */
function leftOutText({ dropped }: Workload['accounting']): string {
  const counts = dropped
    .filter(({ count }) => count > 0)
    .map(({ rule, count }) => `${formatNumber(count)} ${LEFT_OUT_BY[rule] ?? `by the rule \`${rule}\``}`);
  const total = dropped.reduce((sum, { count }) => sum + count, 0);
  return counts.length === 0 ? '' : `; ${listed(counts)} ${total === 1 ? 'was' : 'were'} left out`;
}

/** `on one site of 100 processors`. */
function sitesText({ capacities, speeds }: Grid): string {
  const same = new Set(speeds).size === 1 && speeds[0] === 1;
  const at = same ? '' : `, whose speeds are ${listed(speeds.map(formatMeasure))}`;
  return capacities.length === 1
    ? `on one site of ${countOf(capacities[0]!, 'processor')}${at.replace('speeds are', 'speed is')}`
    : `on ${capacities.length} sites of ${listed(capacities.map((each) => formatNumber(each)))} processors${at}`;
}

/** `28,467 of 28,476 records of KTH.swf were simulated on one site of 100 processors; 9 without ... were left out`. */
export function simulatedText({ workload, grid, sha256 }: SimulatedJobs): string {
  const { name, accounting, count } = workload;
  const { read, kept, split } = accounting;
  const of = sourceName(name);
  const what = isModelText(name)
    ? `${countOf(count, 'job')} of the model ${of}`
    : read === kept
      ? `All ${countOf(read, 'record')} of ${of}`
      : `${formatNumber(kept)} of ${countOf(read, 'record')} of ${of}`;
  const cut =
    split.jobs === 0
      ? ''
      : `; ${countOf(split.jobs, 'wide job')} ${split.jobs === 1 ? 'was' : 'were'} cut into ${formatNumber(split.pieces)} pieces`;
  return `${what} were simulated ${sitesText(grid)}${leftOutText(accounting)}${cut} (SHA-256 of the jobs: ${sha256}).`;
}

/** All that a header says under a key, in order. */
function saidIn({ lines }: TraceHeader, key: string): string[] {
  const begin = new RegExp(`^;\\s*${key}:\\s*(\\S.*)$`);
  return lines.flatMap((line) => {
    const said = begin.exec(line.trim())?.[1];
    return said === undefined ? [] : [escapeText(said)];
  });
}

/** Whom to cite for jobs: of a log what its header says of that. */
export function sourceToCite({ workload: { name }, header }: SimulatedJobs): string {
  const of = sourceName(name);
  if (isModelText(name)) return `Cite the model of ${of} as its authors published it.`;
  const [people, places, pages] = ['Acknowledge', 'Installation', 'Information'].map((key) =>
    saidIn(header, key),
  ) as [string[], string[], string[]];
  const said = [
    ...(people.length === 0 ? [] : [`names ${listed(people)} to be acknowledged`]),
    ...(places.length === 0 ? [] : [`gives the installation as ${listed(places)}`]),
    ...(pages.length === 0 ? [] : [`refers to ${listed(pages)}`]),
  ];
  const also = said.length === 0 ? '' : ` Its header ${listed(said)}.`;
  return `Cite ${of} as those who published it ask.${also}`;
}
