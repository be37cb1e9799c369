/** How much better a policy is than another. */

/**
 * Normalized performance improvement ratio NPIR of average response times against the better of best-fit and
 * fastest-first (Shih et al. 2010, eq. 23): 0.1 is ten percent less, a negative value is more.
 * @example
 * console.log(improvementRatio(90, 120, 100)); // 0.1
 */
export function improvementRatio(response: number, bestFit: number, fastestFirst: number): number {
  const better = Math.min(bestFit, fastestFirst);
  return better > 0 ? (better - response) / better : 0;
}
