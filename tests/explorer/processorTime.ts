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
  const threadTasks: ChromiumTraceEvent[] = [];
  const collectEvents = ({ value }: { value: unknown[] }) =>
    threadTasks.push(...(value as ChromiumTraceEvent[]));
  session.on('Tracing.dataCollected', collectEvents as never);
  const categories =
    'toplevel,blink.user_timing,disabled-by-default-devtools.timeline,devtools.timeline,__metadata';
  await session.send('Tracing.start', { categories, transferMode: 'ReportEvents' } as never);
  await action();
  const tracingComplete = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve));
  await session.send('Tracing.end');
  await tracingComplete;
  session.off('Tracing.dataCollected', collectEvents as never);
  return threadTasks;
}

/** Tasks of threads whose name begins with `threadName`. */
export function tasksOfThreads(
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
export const processorMilliseconds = (traceEvents: readonly ChromiumTraceEvent[]) =>
  traceEvents.reduce((sum, { tdur = 0 }) => sum + tdur, 0) / 1000;

/** Processor time of threads up to a time, in milliseconds; an unfinished task counts in part. */
export function processorTimeUntil(
  pieces: readonly ChromiumTraceEvent[],
  threadName: string,
  untilTime: number,
): number {
  const finishedTasks = tasksOfThreads(pieces, threadName).map(({ ts, dur = 0, tdur = 0 }) => {
    const overlapShare =
      dur === 0 ? Number(ts < untilTime) : Math.min(Math.max((untilTime - ts) / dur, 0), 1);
    return tdur * overlapShare;
  });
  return finishedTasks.reduce((sum, task) => sum + task, 0) / 1000;
}

/** Processor times of the main thread between marks named `frame`, in milliseconds, ascending. */
export function frameTimes(pieces: readonly ChromiumTraceEvent[]): number[] {
  const marks = pieces.filter(({ name: eventName }) => eventName === 'frame').map(({ ts }) => ts);
  const mainThreadTasks = tasksOfThreads(pieces, 'CrRendererMain');
  marks.sort((a, b) => a - b);
  return marks
    .slice(1)
    .map((end, i) => processorMilliseconds(mainThreadTasks.filter(({ ts }) => ts >= marks[i] && ts < end)))
    .sort((a, b) => a - b);
}
