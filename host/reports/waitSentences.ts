/** Sentences on the causes of a job's wait: the queue before it, jobs that overtook it, and late passes. */
import type { WaitPeriod } from '../explain/explanation.js';
import { formatCount, formatFullDuration } from '../format/numbers.js';
import { formatLogTime } from './decisionReasons.js';

/** How sentences name the scheduling passes that do not come with every event (`--interval`, `--backfill-interval`). */
export const SCHEDULING_PASS_NAMES = {
  main: 'pass that follows events',
  backfill: 'backfill pass',
  interval: 'pass',
};

/** Seconds of waiting up to which room for a job is not mentioned, because of rounding. */
const NEGLIGIBLE_SECONDS = 1e-6;

/** Seconds at the end of a wait in which the job had enough free processors and waited for a pass only. */
const computeSecondsUntilPass = ({ pass, until }: WaitPeriod): number => until - (pass?.roomSince ?? until);

/** Sentences on the causes of a wait, such as jobs ahead or late scheduling passes; may be empty. */
export function describeWaitByCause(waitPeriod: WaitPeriod, isPlanned: boolean): string {
  const { from, until, headSince, started, secondsWithRoom, queue } = waitPeriod;
  const sentences: string[] = [];
  if (queue.jobs > 0) {
    const queuedProcessorsText = formatCount(queue.processors, 'processor');
    sentences.push(
      `${formatCount(queue.jobs, 'job')} ${queue.jobs === 1 ? 'was' : 'were'} ahead of it in the queue, asking for ${queuedProcessorsText} in total.`,
    );
  }
  if (headSince !== undefined && headSince > from && headSince < until) {
    sentences.push(
      `It was behind others for ${formatFullDuration(headSince - from)} and was the head without room for ` +
        `${formatFullDuration(until - headSince)}.`,
    );
  }
  if (started.cameLater > 0) {
    sentences.push(`${formatCount(started.cameLater, 'job')} that came later went ahead of it by the order.`);
  }
  if (started.behind > 0) {
    sentences.push(`${formatCount(started.behind, 'job')} behind it in the queue overtook it.`);
  }
  if (waitPeriod.pass?.roomSince !== undefined) {
    sentences.push(
      `It fitted at ${formatLogTime(waitPeriod.pass.roomSince)}, but the ${SCHEDULING_PASS_NAMES[waitPeriod.pass.kind]} came at ${formatLogTime(until)}.`,
    );
  }
  const secondsWithRoomPassedOver = secondsWithRoom - computeSecondsUntilPass(waitPeriod);
  if (secondsWithRoomPassedOver > NEGLIGIBLE_SECONDS) {
    const share =
      secondsWithRoomPassedOver === until - from
        ? 'all of the wait'
        : formatFullDuration(secondsWithRoomPassedOver);
    const isFirst = queue.jobs === 0 && started.cameLater === 0 && (headSince ?? from) <= from;
    const delayedJobsReasons = isFirst && waitPeriod.capacity.length > 0 ? [] : ['delayed jobs before it'];
    const reasons = [
      ...delayedJobsReasons,
      ...(waitPeriod.capacity.length > 0 ? ['met an outage'] : []),
    ].join(', or ');
    const delayReasonText = isPlanned ? `but it could have ${reasons}` : 'but it was not its turn';
    sentences.push(`For ${share} there was room for it, ${delayReasonText}.`);
  }
  return sentences.join(' ');
}
