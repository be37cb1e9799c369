/** How much faster two threads are than one, on a study of about a minute; the results must be the same. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunOutcome } from '../host/runner/run.js';

/** The threads of a study need the built program. */
const built = (path: string) => import(new URL(`../dist/${path}.js`, import.meta.url).href);
const { planStudy } = (await built('runner/planStudy')) as typeof import('../host/runner/planStudy.js');
const { parseStudy } = (await built('study/read')) as typeof import('../host/study/read.js');
const { runPlanned } = (await built('runner/run')) as typeof import('../host/runner/run.js');

/** 10 simulations of 30,000 jobs per draw and load. */
const STUDY = `
title: Benchmark
simulate:
  workload: lublin99[aarr={aarr},jobs=JOBS]
  sites: 8,128,128,128,50
  speeds: draw[sh=0.12,seed={draw}]
  policy: '{policy}'
axes:
  aarr: [9.5, 9, 8.5]
  policy: [best-fit, fastest-first, si, ti, ai, ai2, tai, tai2, worst-fit, first-fit]
draws: { axis: draw, count: 1 }
measures:
  art: { metric: averageResponseTime }
`;

/** What was measured. */
export interface StudyBench {
  readonly runs: number;
  /** By number of threads. */
  readonly seconds: readonly [one: number, two: number];
  readonly speedup: number;
}

function valuesOf({ results }: RunOutcome): number[][] {
  return Array.from({ length: results?.length ?? 0 }, (_, run) => results?.values(run) ?? []);
}

/** Runs a study with one and with two threads. */
export async function benchStudy(checkOnly: boolean): Promise<StudyBench> {
  const text = STUDY.replace('JOBS', checkOnly ? '1000' : '30000');
  const draws = checkOnly ? 3 : 600;
  const study = await parseStudy(text, 'benchmark', { draws });
  const planned = await planStudy(study, { draws });
  const folder = await mkdtemp(join(tmpdir(), 'gridalloc-bench-'));
  try {
    const seconds: number[] = [];
    const results: unknown[] = [];
    for (const threads of [1, 2]) {
      const begin = performance.now();
      const outcome = await runPlanned(study, planned, { out: join(folder, `${threads}`), threads });
      seconds.push((performance.now() - begin) / 1000);
      results.push(valuesOf(outcome));
    }
    if (JSON.stringify(results[0]) !== JSON.stringify(results[1])) {
      throw new Error('a study with two threads has other results than with one');
    }
    const [one, two] = seconds;
    return { runs: planned.plan.runs.length, seconds: [one, two], speedup: one / two };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
