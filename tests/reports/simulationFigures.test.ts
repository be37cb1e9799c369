import { expect, test } from 'vitest';
import { makeSimulationPictures } from '../../host/reports/simulationFigures.js';

/** Distributions over a hundred jobs, `waitingJobCount` of which wait for minutes. */
function makeDistributionFigures(waitingJobCount: number) {
  const jobs = Array.from({ length: 100 }, (_, i) => {
    const start = 100 * i + (i < waitingJobCount ? 60 * (i + 1) : 0);
    const jobTimes = { submit: 100 * i, start, end: start + 50 };
    return { name: `${i + 1}`, processors: 1, requested: 1, home: 0, runs: [[0, 0]] as const, ...jobTimes };
  });
  const pictures = makeSimulationPictures({ jobs: jobs as never, stopped: [], capacities: [100] });
  return pictures.filter(({ id: pictureId }) => pictureId === 'waits' || pictureId === 'slowdowns');
}

const percentAxisLabelsOf = (svg: string) => [...svg.matchAll(/>([\d.]+)%</g)].map(([, text]) => text);

test('where few jobs waited a distribution shows these, and not a line at 100 %', () => {
  for (const { caption, svg } of makeDistributionFigures(4)) {
    expect(caption).toMatch(/^Share of jobs (that waited longer|whose response time was more) than x/);
    expect(Math.max(...percentAxisLabelsOf(svg).map(Number))).toBeLessThan(10);
  }
  for (const { caption, svg } of makeDistributionFigures(60)) {
    expect(caption).toMatch(/^Share of jobs (that waited at most|whose response time was at most) x/);
    expect(percentAxisLabelsOf(svg)).toEqual(['20', '40', '60', '80', '100']);
  }
});

test('shares on an axis from 0 have as many decimals as its ticks need', () => {
  for (const { svg } of makeDistributionFigures(30))
    expect(percentAxisLabelsOf(svg)).toEqual(['20', '40', '60', '80', '100']);
});
