import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';

/** Tests the worker threads that write files, which are reused for several folders. */

const builtFileThreadModuleUrl = pathToFileURL('dist/view/fileThread.js').href;
const { makePdfThread }: typeof import('../../host/view/fileThread.js') = await import(
  builtFileThreadModuleUrl
);

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
  for (const pdfThread of [firstThread, secondThread]) await pdfThread.begin();
  for (const fileThread of [firstThread, secondThread]) await fileThread.end();
  for (const pdfThread of [firstThread, secondThread]) await pdfThread.close();
  expect(startedThreadCount).toBe(2);
  const thirdPdfThread = makePdfThread();
  await thirdPdfThread.begin();
  await thirdPdfThread.close();
  const fourthPdfThread = makePdfThread();
  await fourthPdfThread.begin();
  await fourthPdfThread.end();
  await fourthPdfThread.close();
  expect(startedThreadCount).toBe(3);
});

test('a thread whose work has failed says so, and serves no other', async () => {
  const valueBefore = startedThreadCount;
  const failingPdfThread = makePdfThread();
  await failingPdfThread.begin({ folder: '/dev/null/none', figures: [{ id: 'f', svg: '<svg/>' }] });
  await expect(failingPdfThread.end()).rejects.toThrow();
  await failingPdfThread.close();
  const nextPdfThread = makePdfThread();
  await nextPdfThread.begin();
  await nextPdfThread.end();
  await nextPdfThread.close();
  expect(startedThreadCount - valueBefore).toBe(1);
});
