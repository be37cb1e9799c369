/**
 * Pairs of scheduling rules that the logs of the conformance set must distinguish, in the order of the set.
 */
import type { TinyTestLog } from './rules.js';

interface ConformanceQuestion {
  name: string;
  /** Names of the two rules whose starts on the log must differ. */
  familyNames: readonly [string, string];
  why: string;
  /**
   * Minimum of the estimate minus the runtime of each job, in seconds. Default: 0; negative if jobs
   * may be overdue.
   */
  leastExcess?: number;
}

export const CONFORMANCE_QUESTIONS: readonly ConformanceQuestion[] = [
  {
    name: 'passing',
    familyNames: ['fcfs', 'first-available'],
    why: 'Job 3 has room beside job 1. Job 2, which came first, has none: under FCFS it may not be passed.',
  },
  {
    name: 'shortest',
    familyNames: ['fcfs', 'sjf'],
    why: 'When job 1 leaves one processor, job 2 has no room and job 3, which is shorter, has: it may go first.',
  },
  {
    name: 'reservation',
    familyNames: ['first-available', 'easy-waiting'],
    why: 'Job 3 has room, but would keep job 2 waiting until 2. Who reserves for job 2 starts it at 1.',
  },
  {
    name: 'spare',
    familyNames: ['easy-within', 'easy'],
    why: 'Job 3 ends after the reservation of job 2 begins, but on a processor that job 2 does not need.',
  },
  {
    name: 'spare-left',
    familyNames: ['easy', 'easy-once'],
    why: 'At 1 one processor is spare beside the reservation of job 3. Job 4 takes it; job 5 must find none left.',
  },
  {
    name: 'waiting-estimates',
    familyNames: ['easy', 'easy-waiting'],
    why: 'Job 3 requests 2 seconds and runs 1. By its request it would delay job 2, by its runtime it would not.',
  },
  {
    name: 'running-estimates',
    familyNames: ['easy-waiting', 'easy-exact'],
    why: 'Job 1 requests 5 seconds and runs 4. Job 3 ends at 5: by the request it delays nobody, by the runtime job 2.',
  },
  {
    name: 'early-end',
    familyNames: ['easy', 'easy-held'],
    why: 'Job 1 ends a second early. Job 2 starts then, or waits for the time that was reserved for it.',
  },
  {
    name: 'overdue',
    familyNames: ['easy instant', 'easy-overdue instant'],
    why: 'Job 1 is overdue from 1 on. Expected to end in a second it leaves that second to job 3; expected at once, none.',
    leastExcess: -3,
  },
  {
    name: 'overdue-when-due',
    familyNames: ['easy due', 'easy-overdue event'],
    why: 'Job 1 is overdue, and ends at 2, when job 3 comes. Expected to end in a second it leaves that second to job 3.',
    leastExcess: -3,
  },
  {
    name: 'second-reservation',
    familyNames: ['easy', 'depth-2'],
    why: 'Job 4 delays not job 2 but job 3. A second reservation keeps it back.',
  },
  {
    name: 'third-reservation',
    familyNames: ['depth-2', 'replanned'],
    why: 'Job 5 delays neither job 2 nor job 3 but job 4. A third reservation keeps it back.',
  },
  {
    name: 'waiting-reservations',
    familyNames: ['easy-waiting', 'replanned-waiting'],
    why: 'Job 4 delays not job 2 but job 3, whatever is known of runtimes: requests are exact.',
  },
  {
    name: 'shortest-behind',
    familyNames: ['easy', 'sjbf'],
    why: 'At 1 job 4 or job 5 can be backfilled, not both. Job 4 came first, job 5 is shorter.',
  },
  {
    name: 'shortest-head',
    familyNames: ['sjbf', 'easy-sjf'],
    why: "After job 1 the queue's first is next: job 2 in order of submits, job 3 with the shortest first.",
  },
  {
    name: 'shortest-passing',
    familyNames: ['sjf-passing', 'easy-sjf'],
    why: 'Job 3 has room, and job 2, shorter, has none. Where job 2 has a reservation job 3 would delay it.',
  },
  {
    name: 'kept',
    familyNames: ['replanned', 'kept'],
    why: 'Jobs 1 and 2 end together, job 1 early. Job 4 has had a reservation for that time. It keeps it, or job 3 goes first.',
  },
  {
    name: 'kept-earlier',
    familyNames: ['kept', 'kept-fixed'],
    why: 'Job 1 ends a second early. The reservation of job 2 moves forward, or stays.',
  },
  {
    name: 'kept-once',
    familyNames: ['kept', 'kept-once'],
    why: 'Jobs 1 and 2 end together, early. After one end job 4 has room and moves forward; after both job 3, which came first.',
  },
  {
    name: 'kept-order',
    familyNames: ['kept', 'kept-start'],
    why: 'Jobs 2 and 4 end together, early: job 2 comes first in the log, job 4 started first. The first end moves job 5 or job 3.',
  },
  {
    name: 'submits-together',
    familyNames: ['sjf event', 'sjf instant'],
    why: 'Jobs 1 and 2 come together. A pass after each submit starts job 1; one pass for both the shorter job 2.',
  },
  {
    name: 'submit-at-end',
    familyNames: ['sjf event', 'sjf first'],
    why: 'Jobs 2 and 3 come when job 1 ends. After that end job 2 starts as it comes; before it both wait, and job 3 is shorter.',
  },
  {
    name: 'submit-at-early-end',
    familyNames: ['easy due', 'easy first'],
    why: 'Jobs 2 and 3 come when job 1 ends, early. Before that end job 2 has no room, and job 3, which delays nobody, has.',
  },
  {
    name: 'due',
    familyNames: ['easy first', 'easy first-due'],
    why: 'Jobs 1 and 2 end together, as predicted. Between the ends the other counts as ended, or leaves job 4 a second.',
  },
  {
    name: 'ends-together',
    familyNames: ['easy first-start-due', 'easy instant'],
    why: 'Jobs 1 and 2 end together, job 2 early. Between the ends job 4 has room; after both job 3, which came first.',
  },
  {
    name: 'ends-in-order',
    familyNames: ['easy event', 'easy start'],
    why: 'Jobs 3 and 4 end together; job 4 started first. If job 3 ends first job 5 has room before job 2.',
  },
  {
    name: 'early-ends-in-order',
    familyNames: ['easy due', 'easy start-due'],
    why: 'Jobs 2 and 5 end together, job 5 early; job 5 started first. If job 2 ends first job 4 has room before job 3.',
  },
  {
    name: 'passes',
    familyNames: ['easy', 'passes-easy'],
    why: 'Job 3 has room at 1 and delays nobody. Backfilled at once it starts; in passes, the last at 0, it waits behind job 2.',
  },
  {
    name: 'passes-reservations',
    familyNames: ['passes-easy', 'passes'],
    why: 'In the pass at 0, job 4 would delay not job 2 but job 3. Conservative keeps it back, EASY does not.',
  },
  {
    name: 'nodes',
    familyNames: ['passes', 'passes-nodes'],
    why: 'In the pass at 0, job 2 reserves nodes 1 to 3 from 1 to 2, and job 3 the idle 3 and 4 from 2 to 4. By count there is room for job 4, but no node is free until 3.',
  },
  {
    name: 'closed-overlap',
    familyNames: ['passes-nodes', 'passes-closed'],
    why: 'In the pass at 0, job 2 reserves both nodes from 1 on. Job 3 would end then: soon enough with open overlap, not with closed.',
  },
  {
    name: 'sites-choice',
    familyNames: ['sites-fcfs-best', 'sites-fcfs-first'],
    why: 'Best fit sends job 1 to the smaller site and leaves the larger one to job 2.',
  },
  {
    name: 'sites-backfilling',
    familyNames: ['sites-fcfs-best', 'sites-easy-best'],
    why: 'Job 3 has room on a site. Job 2, which came first, has none.',
  },
  {
    name: 'sites-reservations',
    familyNames: ['sites-easy-first', 'sites-replanned'],
    why: 'On site 1 job 4 delays not job 2 but job 3, the second that waits. On site 2 it delays nobody.',
  },
  {
    name: 'sites-kept',
    familyNames: ['sites-replanned', 'sites-kept'],
    why: "Job 2 ends early on the site of job 4's reservation, which moves forward. Job 3, first in the queue, has its own elsewhere.",
  },
  {
    name: 'sites-submit-at-end',
    familyNames: ['sites-replanned event', 'sites-kept'],
    why: 'Jobs 2 and 3 come when job 1 ends. Kept reservations start jobs after all events of an instant, others after each.',
  },
  {
    name: 'sites-kept-choice',
    familyNames: ['sites-replanned-best', 'sites-kept-best'],
    why: 'Jobs come together. Each has a reservation before the first starts: best fit may not take what job 3 has.',
  },
  {
    name: 'sites-instant',
    familyNames: ['sites-fcfs-best event', 'sites-fcfs-best instant'],
    why: 'Jobs 2 and 3 come when job 1 ends. After that end best fit leaves a whole site to job 3.',
  },
];

/**
 * A faulty habit of a simulator, whatever its rule: a log that reveals it and the possible results.
 */
interface SchedulerHabitQuestion {
  name: string;
  log: TinyTestLog;
  why: string;
  /** Possible start times of the jobs; null for a job that the simulator drops. */
  possibleStarts: readonly { starts: readonly (number | null)[]; title: string }[];
}

const makeTinyJob = (submit: number, runtime: number, estimate = 1, processors = 1) => ({
  submit,
  runtime,
  estimate,
  processors,
});

export const SCHEDULER_HABITS: readonly SchedulerHabitQuestion[] = [
  {
    name: 'killed',
    log: { sites: [1], jobs: [makeTinyJob(0, 2), makeTinyJob(0, 1)] },
    why: 'Job 1 runs 2 seconds and has asked for 1. Job 2 shows whether it may run on, whatever the rule.',
    possibleStarts: [
      { starts: [0, 2], title: 'jobs run on beyond their estimates' },
      { starts: [0, 1], title: 'jobs end at their estimates' },
    ],
  },
  {
    name: 'zero-runtime',
    log: { sites: [1], jobs: [makeTinyJob(0, 1), makeTinyJob(0, 0), makeTinyJob(0, 1)] },
    why: 'Job 2 has a runtime of 0. Job 3 shows what it takes, unless starts wait for what was reserved.',
    possibleStarts: [
      { starts: [0, 1, 1], title: 'jobs with a runtime of 0 end at once' },
      { starts: [0, 1, 2], title: 'jobs with a runtime of 0 take a second' },
      { starts: [0, null, 1], title: 'jobs with a runtime of 0 are left out' },
    ],
  },
];
