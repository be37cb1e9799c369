/** From the record of a simulation to the explanation of a job, with what was planned while it waited. */

import { candidatesOf, distinctCandidates, printPolicy } from '../core/policies.js';
import { checkGiven } from '../given.js';
import type { Configuration } from '../options/configuration.js';
import { printOrder } from '../options/order.js';
import { candidateRules } from '../options/rules.js';
import { orderOf } from '../options/runOptions.js';
import { orderKeys } from '../simulate/orderKeys.js';
import type { RecordEntry, Recorder } from '../simulate/recorder.js';
import { chooserOf } from '../simulate/summary.js';
import { NAMED_NUMBERS, nameOf } from '../trace/trace.js';
import { jobNames, type Workload } from '../workload/workload.js';
import { decisionOf } from './decision.js';
import type { Delay, Explanation, Reservation, Surprise, Wait } from './explanation.js';
import { accountOf, takenBy } from './waitCauses.js';
import { type Case, ofKind, type RecordedWait, recordedWaits, sharesBehind } from './waitCollector.js';

/**
 * Explains the job that a recorder has watched, once its simulation has run to its end.
 * @param job its index in the workload.
 * @example
 * const { schedule } = simulate(workload, grid);
 * const job = schedule.start.findIndex((start, i) => start > workload.submit[i]);
 * const recorder = new Recorder(workload, job);
 * recorder.simulator.begin(makeConfiguration(grid));
 * recorder.simulator.run();
 * const { processors, wait } = explainJob(recorder, job);
 * console.log(job, processors, wait); // 83 2 757.5
 */
export function explainJob(
  recorder: Pick<Recorder, 'simulator' | 'entries' | 'lost'>,
  job: number,
): Explanation {
  checkGiven(recorder, 'recorder', 'explainJob');
  const { workload: given, configuration: ofRun } = recorder.simulator;
  const { submit: submits, start, execution } = recorder.simulator.schedule();
  const estimate = recorder.simulator.estimates() ?? given.estimate;
  const workload = { ...given, estimate, submit: submits };
  const waits = recordedWaits(recorder.entries(), job, ofRun.grid.capacities.length);
  const configuration = configurationInForce(ofRun, waits);
  const order = orderOf(configuration);
  // Those that the host computes go by the log.
  const keys = orderKeys(order, { ...given, estimate }, configuration.load);
  const all = candidatesOf(ofRun.policy);
  const distinct = distinctCandidates(all, recorder.simulator.speedHeterogeneity);
  const candidates = new Map(distinct.map((place) => [place, printPolicy(all[place])]));
  const about: Case = { workload, configuration, candidates, names: jobNames(workload), keys, job };
  const submit = submits[job];
  const preceding = given.dependencies?.preceding[job] ?? -1;
  return {
    job: about.names[job],
    processors: workload.processors[job],
    ...namesFor(given, job),
    home: workload.home[job] + 1,
    submit,
    start: start[job],
    end: start[job] + execution[job],
    wait: start[job] - submit,
    ...(preceding < 0
      ? {}
      : { precedingJob: { job: `${given.job[preceding]}`, loggedSubmit: given.submit[job] } }),
    killed: workload.killed?.[job] === 1,
    sites: takenBy(about, waits[waits.length - 1]),
    rules: {
      order: printOrder(order),
      discipline: configuration.discipline,
      queue: configuration.queue,
      method: chooserOf(configuration),
      ...(candidates.size > 0 && { chosenBy: printPolicy(ofRun.policy) }),
    },
    waits: waits.map((wait) => ({
      ...accountOf(about, wait),
      ...plansOf(about, wait),
      decision: decisionOf(about, wait),
    })),
    lost: recorder.lost,
  };
}

/** What the log calls what it says of a job. */
function namesFor({ log, names }: Workload, job: number): Pick<Explanation, 'names'> {
  if (log === undefined || names === undefined) return {};
  const fields = NAMED_NUMBERS.filter((field) => field !== 'job' && names[field].has(log[field][job]));
  return { names: Object.fromEntries(fields.map((field) => [field, nameOf(names, field, log[field][job])])) };
}

/** The configuration with the candidate in it that was in force when the job started last; by which the job is explained. */
function configurationInForce(configuration: Configuration, waits: readonly RecordedWait[]): Configuration {
  const tried = ofKind(waits.at(-1)?.details ?? [], 'Tried');
  const place = tried.findIndex(({ numbers }) => numbers[1] === 1);
  if (place < 0) return configuration;
  const rules = candidateRules(configuration)?.[place];
  return { ...configuration, ...rules, policy: candidatesOf(configuration.policy)[place] };
}

/** The plans that were made during a wait. */
function plansOf(
  about: Case,
  wait: RecordedWait,
): Pick<Wait, 'reservations' | 'planned' | 'delays' | 'deferred'> {
  const planned = ofKind(wait.events, 'Planned').at(-1);
  return {
    reservations: reservationsOf(about, wait.events),
    ...(planned && {
      planned: { start: planned.numbers[1], end: planned.numbers[2], passes: planned.numbers[4] },
    }),
    delays: ofKind(wait.events, 'Delays').map(({ numbers }) => delayOf(about, numbers)),
    deferred: wait.events.flatMap(({ kind, time, numbers }, order) => {
      if (kind !== 'Deferred') return [];
      const [site, free, shrunk, delay, whole] = numbers;
      return [{ order, time, site: site + 1, free, shrunk, whole, wait: delay }];
    }),
  };
}

function delayOf({ names }: Case, [head, end, headStart, beside, , passes]: readonly number[]): Delay {
  return { head: names[head], passes, end, headStart, beside };
}

function reservationsOf(about: Case, events: readonly RecordEntry[]): Reservation[] {
  const last = new Map<string, Reservation>();
  return events.flatMap(({ kind, time, numbers }, place) => {
    if (kind !== 'Reserved') return [];
    const [job, start, end, until] = numbers;
    const name = about.names[job];
    const sites = sharesBehind(events, place).map(({ site, processors }) => ({ site: site + 1, processors }));
    const before = last.get(name);
    const found = before === undefined ? [] : surprises(about, events, before, { time, start });
    const by = reasonOf(about, events[place + 1 + sites.length]);
    const isMoved = numbers[5] === 1;
    const isCause = ({ job: cause, end: ended }: Surprise) =>
      by === undefined ? ended === undefined : typeof by === 'object' && 'end' in by && by.end === cause;
    const isKept = about.configuration.reservations === 'kept';
    const isItself = job === about.job;
    const made: Reservation = {
      ...{ order: place, job: name, isItself, from: time, until, start, end, sites },
      causes: isKept ? found.filter(isCause) : found,
      ...(isMoved && { isMoved }),
      ...(by !== undefined && { by }),
    };
    last.set(name, made);
    return [made];
  });
}

/** What a kept reservation was made by, from the entry behind it. */
function reasonOf({ names }: Case, entry: RecordEntry | undefined): Reservation['by'] {
  if (entry?.kind === 'ByPolicy') return 'policy';
  if (entry?.kind === 'ByEnd') return { end: names[entry.numbers[0]] };
  return entry?.kind === 'ByStart' ? { start: names[entry.numbers[0]] } : undefined;
}

/** What had come otherwise than predicted when a reservation was replaced by another. */
function surprises(
  { names }: Case,
  events: readonly RecordEntry[],
  before: Reservation,
  now: { readonly time: number; readonly start: number },
): Surprise[] {
  const ends = ofKind(events, 'Released').map(({ time, numbers }) => ({
    job: names[numbers[0]],
    site: numbers[1] + 1,
    predictedEnd: numbers[3],
    end: time,
  }));
  const early = ends.filter(
    ({ end, predictedEnd }) => end > before.until && end <= now.time && predictedEnd > end,
  );
  const sites = new Set(before.sites.map(({ site }) => site));
  const late = ends.filter(
    ({ site, end, predictedEnd }) =>
      sites.has(site) && predictedEnd >= 0 && predictedEnd <= now.time && end > now.time,
  );
  const found = now.start > before.start ? [...late, ...early] : early;
  return found.map(({ job, predictedEnd, end }) => ({
    job,
    predictedEnd,
    ...(end <= now.time ? { end } : {}),
  }));
}
