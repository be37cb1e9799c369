import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { makeExampleLog } from '../../scripts/exampleLog.js';

test('the script of the tutorial makes its log', () => {
  const fileBytes = readFileSync(new URL('../../traces/cluster.txt.gz', import.meta.url));
  expect(gunzipSync(fileBytes).toString()).toBe(makeExampleLog());
});
