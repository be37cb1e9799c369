/** What was planned while a job waited: reservations, and why it was not backfilled or shrunk. */
import type { RecordEntry } from '../simulate/recorder.js';
import type { Case } from './explainedJob.js';
import type { Delay, Reservation, Surprise, Wait } from './explanation.js';
import { ofKind, type RecordedWait, sharesBehind } from './waitCollector.js';

/** The plans that were made during a wait. */
export function plansOf(
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
    const causes = before === undefined ? [] : surprises(about, events, before, { time, start });
    const isItself = job === about.job;
    const made = { order: place, job: name, isItself, from: time, until, start, end, sites, causes };
    last.set(name, made);
    return [made];
  });
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
