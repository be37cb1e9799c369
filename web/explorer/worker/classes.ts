/** Groups the jobs of runs by user or another class. */
import { sumColumnExactly } from '../../../host/math/exactSum.js';
import { makeClassifiableJobs } from '../../../host/runs/classResults.js';
import {
  CLASS_ATTRIBUTES,
  type ClassAttribute,
  groupJobsByClass,
} from '../../../host/simulate/jobMetrics.js';
import { selectPercentile } from '../../../host/simulate/jobOutcomes.js';
import { determineRequestedHomeRule } from '../../../host/simulate/workloadSettings.js';
import { resolveFieldAlias } from '../../../host/trace/trace.js';
import type { JobClassRow, JobClassTable } from '../protocol.js';
import type { StoredRun } from './run.js';

/** Returns the attributes by which the jobs can be grouped; an account counts as a group. */
function findAvailableClassifications({
  experiment: { settings, trace, workload },
}: StoredRun): ClassAttribute[] {
  const isKnown = (classAttribute: ClassAttribute) => {
    if (classAttribute === 'class') return true;
    if (classAttribute === 'account') return false;
    if (classAttribute === 'home') return determineRequestedHomeRule(settings, trace) !== 'none';
    return workload.log?.[resolveFieldAlias(classAttribute)]?.some((value) => value >= 0) ?? false;
  };
  return CLASS_ATTRIBUTES.filter(isKnown);
}

/**
 * Groups the jobs, with mean and 95th percentile of their waits in seconds under each run.
 * @param requestedClassification requested attribute. If it is undefined or has only one value, users if known, otherwise width
 * and runtime.
 */
export function makeJobClassTable(
  runs: readonly StoredRun[],
  requestedClassification: ClassAttribute | undefined,
): JobClassTable {
  const [firstRun] = runs;
  const { workload } = firstRun.experiment;
  const kinds = findAvailableClassifications(firstRun);
  const defaultClassification = kinds.includes('user') ? 'user' : 'class';
  const classAttribute =
    requestedClassification !== undefined && kinds.includes(requestedClassification)
      ? requestedClassification
      : defaultClassification;
  const rows = groupJobsByClass(makeClassifiableJobs(workload), classAttribute).map(
    ({ name: className, members }): JobClassRow => ({
      name: className,
      jobs: Int32Array.from(members),
      waits: runs.map(({ simulation: { schedule } }) => {
        const waits = Float64Array.from(members, (job) => schedule.start[job] - schedule.submit[job]).sort();
        return { mean: sumColumnExactly(waits) / waits.length, p95: selectPercentile(waits, 95) };
      }),
    }),
  );
  return { kinds, by: classAttribute, rows };
}
