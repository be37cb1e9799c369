/** How far the labels that a table of a study compares are behind the best of the others, setting by setting, as a table. */

import { formatNumber, formatPercent } from '../format/numbers.js';
import type { Judgement } from '../statistics/judging.js';
import type { Label } from '../study/schema.js';
import type { TableSpec } from '../study/study.js';
import type { CellJudging, JudgedPlaces, TableCells } from './best.js';
import type { Table, TableCell, TableColumn } from './table.js';
import { type Behind, behindOf, shareFormat, signOf } from './verdictSigns.js';
import { areIdentical, verdictWord } from './verdictText.js';

/** From the least to the greatest of some shares. */
function shareRange(shares: readonly number[]): string {
  const [least, most] = [Math.min(...shares), Math.max(...shares)].map((share) =>
    formatPercent(share, share < 0.01 ? 2 : 1),
  );
  return least === most ? `${most}` : `${least} to ${most}`;
}

/** What holds of all judgements of a table, in sentences. */
function notesOn(judged: readonly JudgedPlaces[], { population, together }: CellJudging): string[] {
  const judgements = judged.map(({ judgement }) => judgement);
  const [{ replications }] = judgements as [Judgement];
  const skewed = judgements.flatMap((each) => each.skewed.slice(0, 1));
  const least = judgements.flatMap(({ leastDifference, methods, observedBest }) => {
    const scale = Math.abs(methods[observedBest]!.mean);
    return leastDifference === null || scale === 0 ? [] : [leastDifference / scale];
  });
  const comparisons =
    together === 1 ? 'the comparison' : `all ${formatNumber(together)} comparisons of these tables`;
  return [
    `The difference to the best of the others in percent of the best mean, from paired differences over ${formatNumber(replications)} ${population.copies}, with limits that hold together for ${comparisons} (95 %).`,
    ...(least.length === 0
      ? []
      : [
          `Between the best mean and what is undecided or may be the best, ${formatNumber(replications)} replications detect a difference of ${shareRange(least)} four times in five.`,
        ]),
    ...(skewed.length === 0
      ? []
      : [
          `Differences are skewed${judged.length === 1 ? '' : ` in ${skewed.length} of ${judged.length} settings`}: below ${formatNumber(Math.max(...skewed.map((each) => each.replications)))} replications, limits may hold less often than stated.`,
        ]),
  ];
}

/**
 * The table; undefined where nothing is judged, or where there is nothing to tell apart.
 * @param axes titles of those along the rows and the columns.
 */
export function behindTable(
  { id, title, emphasize }: TableSpec,
  { rows, columns, deciding }: TableCells,
  all: readonly JudgedPlaces[],
  axes: readonly string[],
): Table | undefined {
  const judged = all.filter(({ judgement }) => judgement.isJudged);
  if (typeof deciding === 'string' || judged.every(({ judgement }) => areIdentical(judgement)))
    return undefined;
  const hasMeasures = new Set(columns.map(({ measure }) => measure)).size > 1;
  const shares: Behind[] = [];
  const body = judged.flatMap(({ places, judgement }) => {
    const behind = behindOf(judgement, emphasize === 'most' ? 'more' : 'less');
    const isOne = areIdentical(judgement);
    return places.map(({ row, column }, i): TableCell[] => {
      const method = judgement.methods[i]!;
      const sign = isOne ? undefined : signOf(method, judgement);
      shares.push(behind[i]!);
      const word = isOne ? 'identical' : verdictWord(method);
      const labels: (Label | null)[] = [...rows[row]!, ...columns[column]!.labels];
      return [
        ...labels,
        ...(hasMeasures ? [columns[column]!.measure.title] : []),
        { ...behind[i]! },
        { value: word, ...(sign === undefined ? {} : { sign }) },
      ];
    });
  });
  const heading = (axis: string): TableColumn => ({ title: axis, isHeading: true, align: 'left' });
  return {
    id: `${id}-behind`,
    title: `${title}: behind the best`,
    caption: notesOn(judged, deciding).join(' '),
    columns: [
      ...axes.map(heading),
      ...(hasMeasures ? [heading('measure')] : []),
      { title: 'behind the best', format: shareFormat(shares), holds: 'difference', bounds: 'joint' },
      { title: 'verdict' },
    ],
    rows: body,
    bounds: 'joint',
    details: 'beside',
  };
}
