/** What runs of a study had in common, for a person and as JSON. */
import { countOf, formatNumber } from '../format/numbers.js';
import type { Sharing } from '../simulate/simulator.js';

/** What of the work of runs with so many jobs was shared, in a sentence; undefined where nothing was. */
export function sharingText(
  { runs, forks, joins, jobs: simulated }: Sharing,
  jobs: number,
): string | undefined {
  if (simulated >= jobs) return undefined;
  return (
    `${countOf(runs, 'simulation')} shared their histories as long as no decision differed: of ${formatNumber(jobs)} jobs ` +
    `${formatNumber(simulated)} were simulated (${countOf(forks, 'fork')}, ${countOf(joins, 'join')})`
  );
}

/** The same as JSON: of what was done now. */
export function sharingDocument({ runs, forks, joins, jobs: simulated }: Sharing, jobs: number) {
  return { simulations: runs, jobs, simulatedJobs: simulated, forks, joins };
}
