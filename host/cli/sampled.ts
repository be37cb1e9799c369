/** Classes of jobs under methods that were simulated once each. */
import { type AskedClasses, sampledClasses, shownClassMetrics } from '../runs/classResults.js';
import { classText, sampleClassTables } from '../show/classTables.js';
import type { ComparedRun } from '../show/comparisonText.js';
import type { Colors } from '../show/tableText.js';
import { methodNames } from '../simulate/methodNames.js';
import type { NamedMetric } from '../simulate/metric.js';
import type { Workload } from '../workload/workload.js';

/** Their tables, for a terminal. */
export function sampleClassText(
  runs: readonly ComparedRun[],
  asked: AskedClasses,
  metrics: readonly NamedMetric[],
  workload: Workload,
  colors: Colors,
): string {
  const results = sampledClasses(
    runs.map(({ summary }) => summary),
    asked,
    shownClassMetrics(metrics.map(({ name }) => name)),
    workload,
  );
  const names = methodNames(runs.map(({ configuration }) => configuration));
  return classText(sampleClassTables(results, names), colors).join('\n\n');
}
