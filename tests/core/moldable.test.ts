import { expect, test } from 'vitest';
import { makeGrid } from '../../host/grid/grid.js';
import { simulate } from '../../host/simulate/simulate.js';
import { makeWorkload } from '../../host/workload/make.js';
import { makeModelTrace } from '../../host/workload/models.js';

test.each(['down', 'up-down'] as const)(
  'with linear speed-up a job takes the same processor-seconds on any processors: %s',
  (moldableRule) => {
    const workload = makeWorkload(makeModelTrace('lublin99[aarr=8.5,jobs=3000,seed=3]'), { siteCount: 1 });
    const { summary: simulationSummary, schedule } = simulate(workload, makeGrid({ capacities: [128] }), {
      moldable: moldableRule,
    });
    expect(simulationSummary.scaledDownJobs).toBeGreaterThan(100);
    for (let job = 0; job < workload.count; job++) {
      const usedProcessorSeconds = schedule.held[job] * schedule.execution[job];
      const requestedProcessorSeconds = workload.processors[job] * workload.runtime[job];
      expect(Math.abs(usedProcessorSeconds - requestedProcessorSeconds)).toBeLessThanOrEqual(
        1e-12 * requestedProcessorSeconds,
      );
    }
  },
);
