import { expect, test } from 'vitest';
import type { Reservation } from '../../host/explain/explanation.js';
import { makeWaitTimeline } from '../../host/reports/waitReasons.js';
import { doesRunCoverRareCases, listCaseSeeds, RANDOM_TEST_TIMEOUT_MILLISECONDS } from '../cases.js';
import { randomKeptCase } from '../reference/cases/keptReservations.js';
import { addOrderKeys } from '../reference/simulator/orderKeys.js';
import { simulateGrid } from '../reference/simulator/reference.js';
import { explainShortJobs, recordAndExplainJob, type ShortJobTuple } from './explainCase.js';

/**
 * Explanations of kept reservations compared with the reservations of the reference simulator:
 * jobs, times, sites and causes.
 */

/** Fields of a reservation that both the explanation and the reference simulator have. */
type ComparedReservationFields = Pick<Reservation, 'from' | 'start' | 'isMoved' | 'by'> & {
  readonly site: number;
};

test(
  'each reservation of each job, and its cause',
  () => {
    const countByKind = { made: 0, end: 0, start: 0, moved: 0, regained: 0, policy: 0 };
    for (const seed of listCaseSeeds(200)) {
      const { jobs, options } = randomKeptCase(seed);
      if (options.queue === 'independent') continue;
      const resultOfReference = simulateGrid(addOrderKeys(jobs, options), options);
      for (let job = 0; job < jobs.length; job++) {
        const location = `case ${seed}, job ${job + 1}`;
        const expectedChanges = resultOfReference.changes
          .filter((change) => change.job.index === job)
          .map(({ time, start, site, isMoved, isDeclined, by }): ComparedReservationFields => {
            const formatJobNumber = (causingJob: { index: number }) => `${causingJob.index + 1}`;
            const [causeKind, cause] = Object.entries(by ?? {})[0] ?? [];
            const causeName =
              causeKind && ({ [causeKind]: formatJobNumber(cause) } as unknown as { end: string });
            const reason = isDeclined ? 'policy' : causeName;
            return {
              ...{ from: time, start, site: site + 1 },
              ...(isMoved && { isMoved }),
              ...(reason && { by: reason }),
            };
          });
        const { explanation } = recordAndExplainJob(jobs, options, job);
        const [{ reservations }] = explanation.waits;
        const descriptions = reservations.map(
          ({ from, start, sites, isMoved, by }): ComparedReservationFields => ({
            ...{ from, start, site: sites[0].site },
            ...(isMoved && { isMoved }),
            ...(by && { by }),
          }),
        );
        expect(descriptions, location).toEqual(expectedChanges);
        for (const [i, { by, isMoved }] of descriptions.entries()) {
          if (by === 'policy') countByKind.policy++;
          else if (by !== undefined) countByKind['end' in by ? 'end' : 'start']++;
          else if (isMoved) countByKind.moved++;
          else countByKind.made++;
          if (!isMoved && descriptions[i - 1]?.isMoved) countByKind.regained++;
        }
      }
    }
    if (doesRunCoverRareCases)
      for (const times of Object.values(countByKind)) expect(times).toBeGreaterThan(5);
  },
  RANDOM_TEST_TIMEOUT_MILLISECONDS,
);

test.each<[what: string, jobs: readonly ShortJobTuple[], job: number, story: readonly string[]]>([
  [
    'a job ends early',
    [
      [0, 8, 2, 1, 80],
      [1, 80, 3, 1, 80],
      [2, 30, 1, 1, 30],
      [3, 4, 2, 1, 20],
    ],
    4,
    [
      'a reservation is made for it, to start at 32',
      'its reservation gets 24 s earlier, to start at 8, since job 1 ended 1 min 12 s earlier than predicted',
    ],
  ],
  [
    'a job runs too long, and others end',
    [
      [0, 30, 2, 1, 10],
      [0, 5, 4, 1, 5],
      [1, 50, 2, 1, 60],
    ],
    2,
    [
      'a reservation is made for it, to start at 10',
      'its reservation loses its place and gets 1 min 5 s later, to start at 75, since job 1 ran beyond its predicted end',
      'its reservation has a place again, to start at 75, since job 1 ended',
      'its reservation gets 10 s earlier, to start at 65, since job 3 ended 10 s earlier than predicted',
    ],
  ],
  [
    'another job ends while one runs too long',
    [
      [0, 30, 2, 1, 10],
      [0, 12, 2, 1, 20],
      [1, 50, 2, 1, 60],
    ],
    3,
    [
      'a reservation is made for it, to start at 10',
      'its reservation loses its place and gets 1 s later, to start at 11, since others ran beyond their predicted ends',
      'its reservation gets 2 s later, to start at 13, since others ran beyond their predicted ends',
      'its reservation gets 1 s earlier, to start at 12, since job 2 ended',
    ],
  ],
])('reported when %s', (_, jobs, job, expectedStoryLines) => {
  const optionsWithKeptReservations = { discipline: 'conservative', reservations: 'kept' } as const;
  const explanation = explainShortJobs(jobs, job, { capacities: [4], ...optionsWithKeptReservations });
  const eventTexts = makeWaitTimeline(explanation, explanation.waits[0]).map(
    ({ text: eventText }) => eventText,
  );
  expect(eventTexts.filter((eventText) => eventText.includes('reservation'))).toEqual(expectedStoryLines);
});
