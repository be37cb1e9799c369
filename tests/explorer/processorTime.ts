/**
 * Processor time of the explorer's threads from Chromium's trace; other programs on the machine do
 * not count.
 */
import type { CDPSession } from 'playwright-core';

/** An event of Chromium's trace. Times are in microseconds; `tdur` and `tts` are processor time. */
export interface ChromiumTraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly dur?: number;
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/** Records Chromium's trace while an asynchronous action runs; returns its events. */
export async function recordChromiumTrace(
  session: CDPSession,
  action: () => Promise<void>,
): Promise<ChromiumTraceEvent[]> {
  const recordedTraceEvents: ChromiumTraceEvent[] = [];
  const appendCollectedEvents = ({ value }: { value: unknown[] }) =>
    recordedTraceEvents.push(...(value as ChromiumTraceEvent[]));
  session.on('Tracing.dataCollected', appendCollectedEvents as never);
  const categories =
    'toplevel,blink.user_timing,disabled-by-default-devtools.timeline,devtools.timeline,__metadata';
  await session.send('Tracing.start', { categories, transferMode: 'ReportEvents' } as never);
  await action();
  const tracingCompletePromise = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve));
  await session.send('Tracing.end');
  await tracingCompletePromise;
  session.off('Tracing.dataCollected', appendCollectedEvents as never);
  return recordedTraceEvents;
}

/** Tasks of threads whose name begins with `threadName`. */
export function selectTasksOfThreads(
  traceEvents: readonly ChromiumTraceEvent[],
  threadName: string,
): ChromiumTraceEvent[] {
  const threads = new Set(
    traceEvents
      .filter(
        ({ name: eventName, args }) => eventName === 'thread_name' && args?.name?.startsWith(threadName),
      )
      .map(({ pid, tid }) => `${pid} ${tid}`),
  );
  return traceEvents.filter(
    ({ name: eventName, tdur, pid, tid }) =>
      eventName === 'ThreadControllerImpl::RunTask' && tdur !== undefined && threads.has(`${pid} ${tid}`),
  );
}

/** Processor time of trace events, in milliseconds. */
export const sumProcessorMilliseconds = (traceEvents: readonly ChromiumTraceEvent[]) =>
  traceEvents.reduce((sum, { tdur = 0 }) => sum + tdur, 0) / 1000;

/** Processor time of threads up to a time, in milliseconds; an unfinished task counts in part. */
export function sumProcessorTimeUntil(
  traceEvents: readonly ChromiumTraceEvent[],
  threadName: string,
  untilTime: number,
): number {
  const processorTimesUntilLimit = selectTasksOfThreads(traceEvents, threadName).map(
    ({ ts, dur = 0, tdur = 0 }) => {
      const overlapShare =
        dur === 0 ? Number(ts < untilTime) : Math.min(Math.max((untilTime - ts) / dur, 0), 1);
      return tdur * overlapShare;
    },
  );
  return processorTimesUntilLimit.reduce((sum, task) => sum + task, 0) / 1000;
}

/** Processor times of the main thread between marks named `frame`, in milliseconds, ascending. */
export function computeProcessorTimesOfFrames(pieces: readonly ChromiumTraceEvent[]): number[] {
  const marks = pieces.filter(({ name: eventName }) => eventName === 'frame').map(({ ts }) => ts);
  const mainThreadTasks = selectTasksOfThreads(pieces, 'CrRendererMain');
  marks.sort((a, b) => a - b);
  return marks
    .slice(1)
    .map((end, i) => sumProcessorMilliseconds(mainThreadTasks.filter(({ ts }) => ts >= marks[i] && ts < end)))
    .sort((a, b) => a - b);
}
