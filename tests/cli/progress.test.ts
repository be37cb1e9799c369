import { expect, test, vi } from 'vitest';
import { makeShareProgressText, makeSimulationProgressText, ProgressLine } from '../../host/cli/context.js';
import { TextCollectingStream } from './runProgram.js';

test('progress appears after a while, with the time left, and goes away', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const stream = new TextCollectingStream(true);
  const progress = new ProgressLine(makeShareProgressText('reading x'), stream);
  progress.update(1, 10);
  expect(stream.text).toBe('');
  vi.advanceTimersByTime(60_000);
  progress.update(1, 4);
  progress.update(2, 4);
  expect(stream.text).toBe('\r\u001b[Kreading x 25 %, 3 min left');
  progress.end();
  progress.end();
  expect(stream.text).toBe('\r\u001b[Kreading x 25 %, 3 min left\r\u001b[K');
  vi.useRealTimers();
});

test('without a terminal, a study prints lines of progress with the speed since it resumed', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const [plainStream, silentStream] = [new TextCollectingStream(), new TextCollectingStream()];
  const progress = new ProgressLine(makeSimulationProgressText(10), plainStream, true);
  const progressOnSilentStream = new ProgressLine(makeSimulationProgressText(10), silentStream);
  for (const progressLine of [progress, progressOnSilentStream]) progressLine.update(10, 40);
  vi.advanceTimersByTime(8000);
  for (const progressLine of [progress, progressOnSilentStream]) progressLine.update(30, 40);
  for (const progressLine of [progress, progressOnSilentStream]) progressLine.update(31, 40);
  for (const progressLine of [progress, progressOnSilentStream]) progressLine.end();
  expect(plainStream.text).toBe('30 of 40 simulations, 75 %, 2.5 per second, 4 s left\n');
  expect(silentStream.text).toBe('');
  vi.useRealTimers();
});
