/** A study without sharing, with it, and with it on two threads, in seconds that pass; the results must be the same. */
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
  /** Without sharing; with it by one thread and by two. */
  readonly seconds: { readonly alone: number; readonly one: number; readonly two: number };
}

function valuesOf({ results }: RunOutcome): number[][] {
  return Array.from({ length: results?.length ?? 0 }, (_, run) => results?.values(run) ?? []);
}

/** Runs a study all three ways. */
export async function benchStudy(checkOnly: boolean): Promise<StudyBench> {
  const text = STUDY.replace('JOBS', checkOnly ? '1000' : '30000');
  const draws = checkOnly ? 3 : 200;
  const study = await parseStudy(text, 'benchmark', { draws });
  const planned = await planStudy(study, { draws });
  const folder = await mkdtemp(join(tmpdir(), 'gridalloc-bench-'));
  try {
    const run = async (name: string, threads: number, sharing: boolean) => {
      const begin = performance.now();
      const outcome = await runPlanned(study, planned, { out: join(folder, name), threads, sharing });
      return { seconds: (performance.now() - begin) / 1000, results: JSON.stringify(valuesOf(outcome)) };
    };
    const [alone, one, two] = [
      await run('alone', 1, false),
      await run('one', 1, true),
      await run('two', 2, true),
    ];
    if (alone.results !== one.results || one.results !== two.results) {
      throw new Error('a study has other results with sharing or with two threads');
    }
    const seconds = { alone: alone.seconds, one: one.seconds, two: two.seconds };
    return { runs: planned.plan.runs.length, seconds };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
