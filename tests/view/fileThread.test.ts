import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';

/** Tests the worker threads that write files, which are reused for several folders. */

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
  const [firstThread, secondThread] = [makePdfThread(), makePdfThread()];
  for (const fileThread of [firstThread, secondThread]) await fileThread.begin();
  for (const fileThread of [firstThread, secondThread]) await fileThread.end();
  for (const fileThread of [firstThread, secondThread]) await fileThread.close();
  expect(startedThreadCount).toBe(2);
  const thirdThread = makePdfThread();
  await thirdThread.begin();
  await thirdThread.close();
  const fourthThread = makePdfThread();
  await fourthThread.begin();
  await fourthThread.end();
  await fourthThread.close();
  expect(startedThreadCount).toBe(3);
});

test('a thread whose work has failed says so, and serves no other', async () => {
  const valueBefore = startedThreadCount;
  const failingThread = makePdfThread();
  await failingThread.begin({ folder: '/dev/null/none', figures: [{ id: 'f', svg: '<svg/>' }] });
  await expect(failingThread.end()).rejects.toThrow();
  await failingThread.close();
  const nextThread = makePdfThread();
  await nextThread.begin();
  await nextThread.end();
  await nextThread.close();
  expect(startedThreadCount - valueBefore).toBe(1);
});
