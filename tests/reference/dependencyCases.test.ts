import { expect, test } from 'vitest';
import { expectFrequent, listCaseSeeds } from '../cases.js';
import { randomDependencyCase } from './cases/dependencies.js';
import { simulateReference } from './simulator/reference.js';

test('cases are the same for the same seed and exercise what they are made for', () => {
  expect(JSON.stringify(randomDependencyCase(7))).toBe(JSON.stringify(randomDependencyCase(7)));
  const countByBehaviour = new Map<string, number>();
  const countBehaviour = (behaviour: string, hasBehaviour: boolean) =>
    countByBehaviour.set(behaviour, (countByBehaviour.get(behaviour) ?? 0) + Number(hasBehaviour));
  for (const seed of listCaseSeeds(100)) {
    const { jobs, options } = randomDependencyCase(seed);
    const { submit, start, execution, stops } = simulateReference(jobs, options);
    const end = start.map((time, i) => time + execution[i]!);
    const firstOf = (i: number) => jobs[i]!.pieceOf ?? i;
    const endOfPieces = (firstPiece: number) => Math.max(...end.filter((_, i) => firstOf(i) === firstPiece));
    for (const [i, { preceding, thinkTime = 0, submit: loggedSubmit }] of jobs.entries()) {
      if (preceding === undefined) continue;
      const endTime = endOfPieces(preceding);
      expect(submit[i]).toBe(Math.max(loggedSubmit, endTime + Math.max(0, thinkTime)));
      countBehaviour('dependent', true);
      countBehaviour('submitted as logged', submit[i] === loggedSubmit);
      countBehaviour('submitted at an end', submit[i] === endTime);
      const otherJobs = jobs
        .map((_, otherJob) => otherJob)
        .filter((otherJob) => firstOf(otherJob) !== firstOf(i));
      countBehaviour(
        'submitted with others',
        otherJobs.some((otherJob) => submit[otherJob] === submit[i]),
      );
      countBehaviour(
        'submitted at the end of others',
        otherJobs.some((otherJob) => firstOf(otherJob) !== preceding && end[otherJob] === submit[i]),
      );
      countBehaviour('in a chain', jobs[preceding]!.preceding !== undefined);
      countBehaviour(
        'after pieces',
        jobs.filter((_, otherJob) => firstOf(otherJob) === preceding).length > 1,
      );
      countBehaviour(
        'behind one of a higher index',
        submit.slice(i + 1).some((time) => time < submit[i]!),
      );
      countBehaviour('after one that was stopped', stops[preceding]! > 0);
    }
    for (const optionValue of [options.queue, options.discipline, options.order, options.moldable])
      countBehaviour(`${optionValue}`, true);
    countBehaviour('own policy', options.choose !== undefined);
    countBehaviour('interval', options.interval !== undefined);
    countBehaviour('batched', options.instant === 'batched');
  }
  const atLeast = (minCount: number, ...behaviours: string[]) =>
    expectFrequent(countByBehaviour, minCount, behaviours);
  atLeast(
    200,
    'dependent',
    'submitted as logged',
    'submitted at an end',
    'submitted with others',
    'in a chain',
  );
  atLeast(200, 'submitted at the end of others', 'behind one of a higher index');
  atLeast(4, 'after one that was stopped', 'easy', 'conservative', 'per-home', 'wfp3');
  atLeast(50, 'after pieces');
  atLeast(4, 'own policy', 'batched', 'interval');
  atLeast(2, 'first-available', 'down', 'up-down');
});
