/** How a cost grows: the power of a straight line through logarithms. */
import { LEFT_OUT } from '../statistics/interval.js';
import { studentBound } from '../statistics/student.js';

/** A cost at a size. */
export interface CostPoint {
  readonly size: number;
  readonly cost: number;
}

/** cost = c · size^power, with the 95 % interval of the power. */
export interface PowerFit {
  readonly power: number;
  readonly low: number;
  readonly high: number;
}

/** Sizes below the largest by more than this factor say more of what each call costs than of how that grows. */
const RANGE = 100;

/**
 * The power by least squares over the last two decades of sizes; none from fewer than three, whose error nobody could
 * tell.
 */
export function fitPower(points: readonly CostPoint[]): PowerFit | undefined {
  const largest = Math.max(...points.map(({ size }) => size));
  const used = points.filter(({ size }) => size > 0 && size >= largest / RANGE);
  const count = used.length;
  if (count < 3) return undefined;
  const x = used.map(({ size }) => Math.log(size));
  const y = used.map(({ cost }) => Math.log(cost));
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / count;
  const [meanX, meanY] = [mean(x), mean(y)];
  const squares = x.reduce((sum, value) => sum + (value - meanX) ** 2, 0);
  const power = x.reduce((sum, value, i) => sum + (value - meanX) * (y[i] - meanY), 0) / squares;
  const left = y.reduce((sum, value, i) => sum + (value - meanY - power * (x[i] - meanX)) ** 2, 0);
  const error = studentBound(LEFT_OUT, count - 2) * Math.sqrt(left / (count - 2) / squares);
  return { power, low: power - error, high: power + error };
}
