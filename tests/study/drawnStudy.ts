/**
 * A study of three draws of speeds, which are one draw without heterogeneity; one of its policies
 * has four pairs of thresholds.
 */
export const STUDY_TEXT_WITH_DRAWS = `
title: T
simulate:
  workload: lublin99[jobs=200,seed={seed}]
  sites: 8,128,128
  speeds: draw[sh={sh},seed={draw}]
  policy: '{policy}'
axes:
  seed: 1..2
  sh: [0, 0.1]
  policy: { BF: best-fit, TI: 'ti[sht=0.05|0.1,slt=1|2]' }
draws: { axis: draw, count: 3 }
measures:
  art: { metric: averageResponseTime, steps: [least: variant] }
`;
