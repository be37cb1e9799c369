import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';

/** Threads that write files, reused by programs that write several folders. */

const builtFileThreadModule = pathToFileURL('dist/view/fileThread.js').href;
const { makePdfThread }: typeof import('../../host/view/fileThread.js') = await import(builtFileThreadModule);

let startedThreadCount = 0;
const countStartedThreads = () => {
  startedThreadCount++;
};
beforeAll(() => {
  process.on('worker', countStartedThreads);
});
afterAll(() => {
  process.off('worker', countStartedThreads);
});

test('a thread that is done serves the next; two at a time are two threads, and one is closed amid its work', async () => {
  const [first, second] = [makePdfThread(), makePdfThread()];
  for (const each of [first, second]) await each.begin();
  for (const each of [first, second]) await each.end();
  for (const each of [first, second]) await each.close();
  expect(startedThreadCount).toBe(2);
  const third = makePdfThread();
  await third.begin();
  await third.close();
  const fourthThread = makePdfThread();
  await fourthThread.begin();
  await fourthThread.end();
  await fourthThread.close();
  expect(startedThreadCount).toBe(3);
});

test('a thread whose work has failed says so, and serves no other', async () => {
  const before = startedThreadCount;
  const failingThread = makePdfThread();
  await failingThread.begin({ folder: '/dev/null/none', figures: [{ id: 'f', svg: '<svg/>' }] });
  await expect(failingThread.end()).rejects.toThrow();
  await failingThread.close();
  const next = makePdfThread();
  await next.begin();
  await next.end();
  await next.close();
  expect(startedThreadCount - before).toBe(1);
});
