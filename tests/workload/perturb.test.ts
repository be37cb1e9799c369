import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { encodeTrace } from '../../host/trace/swf.js';
import { SWF_FIELDS, type Trace } from '../../host/trace/trace.js';
import { makeWorkload } from '../../host/workload/make.js';
import {
  parsePerturbation,
  perturbTrace,
  printPerturbation,
  remarkOnPerturbation,
} from '../../host/workload/perturb.js';
import {
  type LoggedJobRecord,
  resampleReference,
  shakeReference,
} from '../reference/simulator/perturbation.js';
import { buildTrace } from './buildTrace.js';

const SECONDS_PER_DAY = 86_400;

const jobs = fc.array(
  fc.record({
    submit: fc.integer({ min: 0, max: 100 * SECONDS_PER_DAY }),
    runtime: fc.oneof(fc.integer({ min: 1, max: 5000 }), fc.double({ min: 0.5, max: 5000, noNaN: true })),
    requestedTime: fc.oneof(fc.constant(-1), fc.integer({ min: 1, max: 6000 })),
    processors: fc.integer({ min: 1, max: 64 }),
    user: fc.integer({ min: -1, max: 9 }),
  }),
  { minLength: 1, maxLength: 60 },
);

const rowsOf = ({ columns: swfColumns }: Trace): LoggedJobRecord[] =>
  Array.from(swfColumns.job, (number, i) => ({
    number,
    submit: swfColumns.submit[i],
    runtime: swfColumns.runtime[i],
    requested: swfColumns.requestedTime[i],
    owner: swfColumns.user[i],
  }));

const bytesOf = (trace: Trace) => [...encodeTrace(trace)].join('');

const perturbByText = (trace: Trace, perturbationText: string) =>
  perturbTrace(trace, parsePerturbation(perturbationText));

describe('shake', () => {
  it('agrees with a slow program of the same rules', () => {
    const parameters = fc.tuple(fc.nat(100_000), fc.constantFrom(0, 0.1, 0.9), fc.maxSafeNat());
    fc.assert(
      fc.property(jobs, parameters, (records, [submit, runtime, seed]) => {
        const trace = buildTrace(records);
        const shakenTrace = perturbByText(trace, `shake[submit=${submit},runtime=${runtime},seed=${seed}]`);
        expect(rowsOf(shakenTrace)).toEqual(shakeReference(rowsOf(trace), submit, runtime, seed));
      }),
    );
  });

  it('with a factor of nothing is the log byte for byte, records that cannot run included', () => {
    const trace = buildTrace([
      { submit: 0, runtime: 5, processors: 1, user: 3 },
      { submit: 0, runtime: 0, processors: 1, user: 2 },
      { submit: 7, runtime: 5, processors: -1 },
      { submit: 9, runtime: 2.5, processors: 2, user: 1, wait: 4 },
    ]);
    expect(bytesOf(perturbByText(trace, 'shake[submit=0]'))).toBe(bytesOf(trace));
  });

  it('moves the jobs the same way with or without records that cannot run', () => {
    const makeRecord = (i: number) => ({
      submit: 10 * i,
      runtime: i % 3 === 1 ? 0 : 100,
      processors: 1,
      user: i % 4,
    });
    const traceWithInvalidJobs = buildTrace(Array.from({ length: 50 }, (_, i) => makeRecord(i)));
    const options = { siteCount: 1, perturb: parsePerturbation('shake[runtime=0.2]') };
    const workloadOfPerturbedTrace = makeWorkload(perturbTrace(traceWithInvalidJobs, options.perturb), {
      siteCount: 1,
    });
    expect(makeWorkload(traceWithInvalidJobs, options)).toMatchObject({
      submit: workloadOfPerturbedTrace.submit,
      runtime: workloadOfPerturbedTrace.runtime,
    });
  });

  it('keeps the runtime of a job that could only get shorter, and what is unknown', () => {
    const trace = buildTrace([
      { submit: 100, runtime: 95, requestedTime: 100, processors: 1 },
      { submit: 101, runtime: 100, requestedTime: 100, processors: 1 },
      { submit: 102, runtime: -1, processors: 1 },
    ]);
    expect([...perturbByText(trace, 'shake[runtime=0.5]').columns.runtime].sort()).toEqual(
      [-1, 100, 95].sort(),
    );
  });
});

describe('resample', () => {
  it('agrees with a slow program of the same rules', () => {
    const parameters = fc.tuple(
      fc.constantFrom(SECONDS_PER_DAY, 7 * SECONDS_PER_DAY, 40 * SECONDS_PER_DAY, 1000 * SECONDS_PER_DAY),
      fc.maxSafeNat(),
    );
    const jobListsWithUsers = jobs.filter((records) => records.some(({ user }) => user >= 0));
    fc.assert(
      fc.property(jobListsWithUsers, parameters, (records, [block, seed]) => {
        const trace = buildTrace(records);
        const resampleTrace = () => perturbByText(trace, `resample[block=${block},seed=${seed}]`);
        const submits = records.map(({ submit }) => submit);
        if (Math.max(...submits) - Math.min(...submits) < 2 * block)
          expect(resampleTrace).toThrow('is shorter than two blocks');
        else expect(rowsOf(resampleTrace())).toEqual(resampleReference(rowsOf(trace), block, seed));
      }),
    );
  });

  const dailyJobs = Array.from({ length: 40 }, (_, i) => ({
    submit: i * SECONDS_PER_DAY,
    runtime: 9,
    processors: 1,
  }));

  it('is refused for a log shorter than two blocks, which it would leave as it is', () => {
    const trace = buildTrace(dailyJobs.slice(0, 14).map((record, i) => ({ ...record, user: i % 3 })));
    expect(() => perturbTrace(trace, parsePerturbation('resample'))).toThrow(
      "test.swf is shorter than two blocks of 7 d, so that resample would leave it as it is; give a smaller 'block', or a longer log",
    );
    expect(bytesOf(perturbByText(trace, 'resample[block=86400]'))).not.toBe(bytesOf(trace));
    const longer = buildTrace(dailyJobs.slice(0, 15).map((record, i) => ({ ...record, user: i % 3 })));
    expect(bytesOf(perturbTrace(longer, parsePerturbation('resample[seed=3]')))).not.toBe(bytesOf(longer));
    expect(remarkOnPerturbation(trace, parsePerturbation('resample'))).toBeUndefined();
  });

  it('takes records of unknown user as those of one, which is counted', () => {
    const trace = buildTrace(dailyJobs.map((record, i) => ({ ...record, user: i % 3 === 0 ? -1 : i % 3 })));
    expect(remarkOnPerturbation(trace, parsePerturbation('resample'))).toBe(
      'test.swf: 14 of 40 records do not say their user; they are recombined as those of one',
    );
    expect(() => perturbTrace(buildTrace(dailyJobs), parsePerturbation('resample[by=queue]'))).toThrow(
      "test.swf: no record says its queue, so there are no histories to recombine; take another 'by', or shake the log",
    );
  });
});

describe('20 seeds of a made-up log', () => {
  const logRecords = Array.from({ length: 600 }, (_, i) => ({
    submit: (i * 7919) % (70 * SECONDS_PER_DAY),
    runtime: 1 + ((i * 613) % 9000),
    requestedTime: i % 3 === 0 ? 9000 : -1,
    processors: 1 + (i % 32),
    user: i % 17,
  })).sort((a, b) => a.submit - b.submit);
  const trace = buildTrace(logRecords);
  const computeProcessorSeconds = ({ columns: { runtime, processors } }: Trace) =>
    runtime.reduce((sum, seconds, i) => sum + seconds * processors[i], 0);
  const countSubmitsByHourOfWeek = ({ columns: { submit } }: Trace) => {
    const submitCountsByHourOfWeek = new Array(7 * 24).fill(0);
    for (const time of submit) submitCountsByHourOfWeek[Math.floor((time % (7 * SECONDS_PER_DAY)) / 3600)]++;
    return submitCountsByHourOfWeek;
  };
  const sortProcessorCounts = ({ columns: swfColumns }: Trace) =>
    [...swfColumns.processors].sort((a, b) => a - b);
  const seeds = Array.from({ length: 20 }, (_, i) => i + 1);

  test.each(seeds)('seed %d keeps all jobs, their work and hour of the week when recombined', (seed) => {
    const resampledTrace = perturbByText(trace, `resample[seed=${seed}]`);
    expect(resampledTrace.columns.submit).not.toEqual(trace.columns.submit);
    expect(countSubmitsByHourOfWeek(resampledTrace)).toEqual(countSubmitsByHourOfWeek(trace));
    expect(sortProcessorCounts(resampledTrace)).toEqual(sortProcessorCounts(trace));
    const fieldSumsBeforeAndAfter = SWF_FIELDS.filter((field) => field !== 'submit').map((field) => [
      trace.columns[field].reduce((a, b) => a + b, 0),
      resampledTrace.columns[field].reduce((a, b) => a + b, 0),
    ]);
    for (const [submitBefore, submitAfter] of fieldSumsBeforeAndAfter) expect(submitAfter).toBe(submitBefore);
  });

  test('the means of shaken logs do not drift', () => {
    const shakenTraces = seeds.map((seed) =>
      perturbByText(trace, `shake[submit=600,runtime=0.2,seed=${seed}]`),
    );
    for (const traceOfShakenLog of shakenTraces)
      expect(sortProcessorCounts(traceOfShakenLog)).toEqual(sortProcessorCounts(trace));
    const mean =
      shakenTraces.reduce((sum, traceOfShakenLog) => sum + computeProcessorSeconds(traceOfShakenLog), 0) /
      seeds.length;
    expect(Math.abs(mean / computeProcessorSeconds(trace) - 1)).toBeLessThan(0.003);
    const submits = shakenTraces.flatMap(({ columns: swfColumns }) => [...swfColumns.submit]);
    const meanSubmitTime = submits.reduce((sum, time) => sum + time, 0) / submits.length;
    const originalMeanSubmitTime = trace.columns.submit.reduce((sum, time) => sum + time, 0) / trace.count;
    expect(Math.abs(meanSubmitTime - originalMeanSubmitTime)).toBeLessThan(10);
  });
});

describe('the notation', () => {
  it.each([
    ['shake', 'shake[submit=30,runtime=0,seed=1]'],
    ['shake[runtime=0.1,seed=7]', 'shake[submit=30,runtime=0.1,seed=7]'],
    ['resample', 'resample[by=user,block=604800,seed=1]'],
    ['resample[by=group,block=86400]', 'resample[by=group,block=86400,seed=1]'],
  ])('%s is %s', (text, perturbation) => {
    expect(printPerturbation(parsePerturbation(text))).toBe(perturbation);
    expect(parsePerturbation(perturbation)).toEqual(parsePerturbation(text));
  });

  it.each([
    ['shak', "unknown perturbation 'shak'; did you mean 'shake'? Known: shake, resample"],
    ['shake[block=3]', "unknown parameter of shake 'block'. Known: submit, runtime, seed"],
    [
      'shake[submit=1.5]',
      "submit of shake: expected a whole number of seconds, at least 0 and at most 4503599627370495, or a time such as 7d or 1h30m, found '1.5'",
    ],
    [
      'shake[runtime=1]',
      'runtime of shake: expected a share below 1, since a runtime stays above 0, found 1',
    ],
    ['resample[by=site]', "unknown value of by of resample 'site'. Known: user, group, queue, partition"],
    [
      'resample[block=0]',
      "block of resample: expected a whole number of seconds, at least 1, or a time such as 7d or 1h30m, found '0'",
    ],
    ['resample[seed=-1]', "seed of resample: expected a whole number of at least 0, found '-1'"],
  ])('%s is refused', (text, message) => {
    expect(() => parsePerturbation(text)).toThrow(message);
  });
});
