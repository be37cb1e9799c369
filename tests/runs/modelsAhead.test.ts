import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import type { ModelPrefetcher as MakesAhead } from '../../host/runs/workloads.js';
import type { StudySetting } from '../../host/study/expand.js';
import { SWF_FIELDS, type Trace } from '../../host/trace/trace.js';
import { makeModelTrace } from '../../host/workload/models.js';

/** Threads load the built program. */
const file = new URL('../../dist/runs/workloads.js', import.meta.url).href;
const { ModelPrefetcher } = (await import(file)) as { readonly ModelPrefetcher: typeof MakesAhead };

const modelNotations = Array.from({ length: 9 }, (_, i) => `lublin99[jobs=30000,seed=${i + 1}]`);
const settings = [...modelNotations, 'some.swf', modelNotations[3]].map(
  (workloadText) =>
    ({ labels: [], options: { workload: workloadText }, locate: String }) as unknown as StudySetting,
);

function hashOfTrace({ columns: swfColumns, ...otherFields }: Trace): string {
  const hash = createHash('sha256').update(JSON.stringify(otherFields));
  for (const field of SWF_FIELDS) hash.update(swfColumns[field]);
  return hash.digest('hex');
}

test('logs made by threads are those of the models, and arrive in any order; what no thread can make is refused', async () => {
  const modelPrefetcher = new ModelPrefetcher();
  try {
    expect([...modelPrefetcher.withLookahead(settings)]).toEqual(settings);
    for (const text of [
      modelNotations[0],
      modelNotations[5],
      ...modelNotations.slice(1),
      modelNotations[3],
    ]) {
      expect(hashOfTrace(await modelPrefetcher.makeJobsOfModel(text))).toBe(
        hashOfTrace(makeModelTrace(text)),
      );
    }
    await expect(modelPrefetcher.makeJobsOfModel('lublin99[processors=100]')).rejects.toThrow('power of two');
  } finally {
    await modelPrefetcher.close();
  }
});
