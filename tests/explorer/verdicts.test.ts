import { describe, expect, test } from 'vitest';
import { loadExplorerExperiment } from '../../web/explorer/worker/experiment.js';
import { judgeReplications, simulateReplication } from '../../web/explorer/worker/replications.js';
import { LOG } from '../ways/samples.js';

/** Verdicts that the page shows for methods over replications. */

const log = { name: 'log.swf', bytes: new TextEncoder().encode(LOG) };
const methods = [{ discipline: 'fcfs' }, { discipline: 'first-available' }];

function simulateAndJudge(perturb: string, replicationCount: number) {
  const setup = { options: { workload: 'log.swf', perturb }, methods };
  const replicationValues = Array.from({ length: replicationCount }, (_, r) =>
    simulateReplication(setup, log, r + 1),
  );
  return judgeReplications(loadExplorerExperiment(setup, log), replicationValues, 'meanWait');
}

describe('methods over replications', () => {
  test.each([
    ['resample[by=user,block=600,seed=1]', 20, 'rough interval'],
    ['resample[by=user,block=600,seed=1]', 30, '95 % interval'],
    ['shake[submit=30,seed=1]', 12, '95 % interval'],
  ])('of %s, %d of them, have intervals with the right name', (perturb, count, interval) => {
    expect(simulateAndJudge(perturb, count).interval).toBe(interval);
  });

  test('are equally good within the share given, which the command has too', () => {
    const setup = { options: { workload: 'log.swf', perturb: 'shake[submit=30,seed=1]' }, methods };
    const replicationValues = Array.from({ length: 12 }, (_, r) => simulateReplication(setup, log, r + 1));
    const judgeWithMargin = (margin?: number) =>
      judgeReplications(loadExplorerExperiment(setup, log), replicationValues, 'averageResponseTime', margin);
    const [defaultValue, none, verdictsWithWideMargin] = [
      judgeWithMargin(),
      judgeWithMargin(0),
      judgeWithMargin(0.99),
    ];
    expect([defaultValue.within, none.within, verdictsWithWideMargin.within]).toEqual([0.01, 0, 0.99]);
    const countBestOrWithinMargin = ({ rows: comparisonRows }: typeof defaultValue) =>
      comparisonRows.filter(({ verdict }) => ['best', 'within'].includes(verdict)).length;
    expect(countBestOrWithinMargin(none)).toBeLessThan(countBestOrWithinMargin(verdictsWithWideMargin));
    expect(defaultValue.command).not.toContain('--within');
    expect(verdictsWithWideMargin.command).toContain(' --within 0.99 ');
  });

  test('say that each metric is judged by itself, where anything is judged', () => {
    const readNotesAfterReplications = (replicationCountOfNotes: number) =>
      simulateAndJudge('shake[submit=30,seed=1]', replicationCountOfNotes).notes.join(' ');
    expect(readNotesAfterReplications(12)).toContain('judged by itself');
    expect(readNotesAfterReplications(9)).not.toContain('judged by itself');
  });
});
