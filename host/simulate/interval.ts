/** What is wrong with an interval between allocation passes that the core refuses. */
import { formatDuration, formatNumber } from '../format/numbers.js';

/**
 * The sentence.
 * @param span how long the run is expected to take, in seconds of the log.
 * @param first the first submit.
 * @param most passes that an interval may mean.
 */
export function intervalSentence(interval: number, span: number, first: number, most: number): string {
  const passes = span / interval;
  // A little more, so that it holds when it is given in two digits.
  const least = 1.05 * Math.max(span / most, (first + span) * Number.EPSILON);
  return (
    `an interval of ${interval} s between allocation passes means about ${passes.toPrecision(2)} passes over the ` +
    `${formatDuration(Math.ceil(span))} of these jobs, expected at most ${formatNumber(most)}; ` +
    `give at least ${Number(least.toPrecision(2))} s`
  );
}
