import { expect, test } from 'vitest';
import { readTrace } from '../../host/files/traceFiles.js';
import {
  applyFilters,
  FunctionError,
  jobsCsv,
  makeConfiguration,
  makeGrid,
  makeModelTrace,
  makeWorkload,
  type PolicyFunction,
  type PolicyView,
  parseFilter,
  type SimulationOptions,
  Simulator,
  simulate,
  withEstimates,
} from '../../host/portable.js';
import { doesRunAllCases, sampleTestCases } from '../cases.js';
import { makeWorkloadOfReferenceJobs } from '../core/simulateCore.js';
import { findTraceFilePath } from '../traces.js';

const capacities = [8, 128, 128, 128, 50];
const grid = makeGrid({ capacities, speeds: [1.244, 1.212, 1.393, 0.429, 0.875] });
const modelWorkload = withEstimates(
  makeWorkload(makeModelTrace('lublin99[jobs=300,seed=3]'), { siteCount: 5, capacities }),
  { source: 'exact' },
);

/** Methods of Shih et al. 2010, written as custom policies. */
const methodsAsCustomPolicies: Readonly<Record<string, PolicyFunction>> = {
  'best-fit': (policyView) => policyView.bestFit,
  'fastest-first': (policyView) => policyView.fastestFirst,
  ti: ({ situation, bestFit, fastestFirst, speedHeterogeneity, queuedProcessors, freeProcessors }) => {
    if (situation === 'a') return speedHeterogeneity > 0.05 ? fastestFirst : bestFit;
    return queuedProcessors > 2 * Math.max(1, freeProcessors) ? bestFit : fastestFirst;
  },
  ai2: (policyView) => {
    const [bestFit, fastestFirst] = [policyView.bestFit, policyView.fastestFirst].map(
      (number) => policyView.sites[number - 1],
    );
    if (policyView.situation === 'a')
      return bestFit.speed < fastestFirst.speed ? policyView.fastestFirst : policyView.bestFit;
    const computingCapacityAtFastest =
      fastestFirst.speed * policyView.lookAhead(policyView.fastestFirst).capacity;
    return computingCapacityAtFastest > bestFit.speed * policyView.lookAhead(policyView.bestFit).capacity
      ? policyView.fastestFirst
      : policyView.bestFit;
  },
};

const logFile = findTraceFilePath('sdsc-sp2-54041.swf.gz');

/** Jobs of the test log, or its first `jobCount` jobs. */
async function jobsOf(path: string, jobCount = doesRunAllCases ? 54_041 : 20_000) {
  const { trace } = applyFilters(await readTrace(path), [parseFilter(`first=${jobCount}`)]);
  return makeWorkload(trace, { siteCount: 5, capacities });
}

test.each(sampleTestCases(Object.entries(methodsAsCustomPolicies), 2))(
  '%s as a function gives the bytes of the core',
  async (policy, choose) => {
    const workloads = [modelWorkload];
    if (logFile !== undefined) workloads.push(await jobsOf(logFile));
    for (const workload of workloads) {
      const options = { load: 2.5, timeResolution: 'nearest', processorSets: true } as const;
      const [ownPolicyCsv, builtInPolicyCsv] = [choose, policy].map((policy) => {
        return [...jobsCsv(simulate(workload, grid, { ...options, policy }))];
      });
      expect(ownPolicyCsv).toEqual(builtInPolicyCsv);
    }
  },
);

const backfillingMethods = Object.entries(methodsAsCustomPolicies).flatMap(([policy, choose]) =>
  (['easy', 'conservative'] as const).map((discipline) => [policy, discipline, choose] as const),
);

test.each(sampleTestCases(backfillingMethods))(
  '%s as a function gives the bytes of the core under %s',
  async (policy, discipline, choose) => {
    const workloads = [modelWorkload];
    if (logFile !== undefined)
      workloads.push(await jobsOf(logFile, discipline === 'easy' ? undefined : 4000));
    for (const workload of workloads) {
      const options = { load: 1.2, discipline, timeResolution: 'nearest', processorSets: true } as const;
      const [ownPolicyCsv, builtInPolicyCsv] = [choose, policy].map((policy) => {
        return [...jobsCsv(simulate(workload, grid, { ...options, policy }))];
      });
      expect(ownPolicyCsv).toEqual(builtInPolicyCsv);
    }
  },
);

const run = (policy: PolicyFunction, mayLetJobsWait = false) =>
  simulate(modelWorkload, grid, { policy: { choose: policy, mayWait: mayLetJobsWait, name: 'mine' } });

test.each<[unknown, RegExp]>([
  [
    undefined,
    /, job 2 at time \d+: the policy mine returned undefined; expected the number of a site, 1 to 5, or 0/,
  ],
  [1.5, /returned 1\.5; expected the number of a site/],
  [6, /returned 6; expected/],
  [-1, /returned -1; expected/],
  ['2', /returned '2'; expected/],
  [Number.NaN, /returned NaN; expected/],
])('an answer %s is refused with job and time', (answer, message) => {
  let policyCallCount = 0;
  expect(() =>
    run((policyView) => (policyCallCount++ === 0 ? policyView.bestFit : (answer as number))),
  ).toThrow(message);
  expect(() => run(() => answer as number)).toThrow(FunctionError);
});

test('a site without room, or one that the job may not use, is refused with its number', () => {
  const chooseFullSite = ({ job, sites, bestFit }: PolicyView) =>
    sites.find(({ free: freeProcessors }) => freeProcessors < job.processors)?.number ?? bestFit;
  expect(() => run(chooseFullSite)).toThrow(
    /returned site \d, which has \d+ processors free where the job needs \d+$/,
  );
  const chooseSlowestSite = ({ sites }: PolicyView) =>
    sites.reduce((slowestSite, site) => (site.speed < slowestSite.speed ? site : slowestSite)).number;
  const options = { policy: chooseSlowestSite, minSpeedRatio: 1 };
  expect(() => simulate(modelWorkload, grid, options)).toThrow(
    /the policy chooseSlowestSite returned site 4, which the job may not use$/,
  );
});

test('under backfilling a site on which a job would delay another is refused', () => {
  const chooseUnsafeSite = ({ job, sites, bestFit }: PolicyView) =>
    sites.findLast(({ free: freeProcessors, isFeasible }) => freeProcessors >= job.processors && !isFeasible)
      ?.number ?? bestFit;
  const policy = { choose: chooseUnsafeSite, mayWait: true };
  const options = { policy, discipline: 'easy', load: 3 } as const;
  expect(() => simulate(modelWorkload, grid, options)).toThrow(
    /the policy chooseUnsafeSite returned site \d, which is not safe: a job with a reservation would start later$/,
  );
});

test('under backfilling a job that is told to wait has no reservation, and keeps no other job from starting', () => {
  const jobs = makeWorkloadOfReferenceJobs(
    [10, 100, 50].map((runtime, submit) => ({ submit, runtime, estimate: runtime, processors: 8, home: 0 })),
  );
  const policyDelayingSecondJob = {
    choose: (policyView: PolicyView) => (policyView.job.number === 2 && policyView.time < 60 ? 0 : 1),
    mayWait: true,
  };
  const startTimesUnderOptions = (options: SimulationOptions) => [
    ...simulate(jobs, makeGrid({ capacities: [8] }), { policy: policyDelayingSecondJob, ...options }).schedule
      .start,
  ];
  expect(startTimesUnderOptions({ discipline: 'easy' })).toEqual([0, 60, 10]);
  expect(startTimesUnderOptions({ discipline: 'conservative', reservations: 'replanned' })).toEqual([
    0, 60, 10,
  ]);
  // Kept reservations move to an earlier time only when a job ends, and no job ends in between.
  expect(startTimesUnderOptions({ discipline: 'conservative' })).toEqual([0, 160, 110]);
});

test('a function that throws fails the run with job and time', () => {
  const policyThrowingError = () => {
    throw new Error('no idea');
  };
  expect(() => run(policyThrowingError)).toThrow(
    /^lublin99.*, job 1 at time \d+: the policy mine failed: no idea$/,
  );
});

test('a job that is told to wait for ever is an error', () => {
  expect(() => run(() => 0, true)).toThrow(
    /job 1 at time \d+: the policy lets it wait while no job runs and none is left to be submitted$/,
  );
});

test('a view has no runtime, and cannot be changed', () => {
  const propertyNamesOfView = new Set<string>();
  run((policyView) => {
    for (const objectShape of [
      policyView,
      policyView.job,
      policyView.sites,
      ...policyView.sites,
      policyView.queue,
      policyView.lookAhead(policyView.bestFit),
    ]) {
      expect(Object.isFrozen(objectShape)).toBe(true);
      for (
        let prototypeInChain: unknown = objectShape;
        prototypeInChain && prototypeInChain !== Object.prototype;
        prototypeInChain = Object.getPrototypeOf(prototypeInChain)
      )
        for (const name of Object.getOwnPropertyNames(prototypeInChain)) propertyNamesOfView.add(name);
    }
    expect(() => Object.assign(policyView.job, { processors: 1 })).toThrow(TypeError);
    expect(() => Object.assign(policyView.sites[0], { free: 1 })).toThrow(TypeError);
    expect([...policyView.queue].map(({ number: jobNumber }) => jobNumber)).toContain(policyView.job.number);
    return policyView.bestFit;
  });
  expect(
    [...propertyNamesOfView].filter((propertyNameOfView) =>
      /runtime|execution|workload/i.test(propertyNameOfView),
    ),
  ).toEqual([]);
});

test('a decision is a place like any other to fork and to stop', () => {
  const chosenSites: number[] = [];
  const choosePolicy = (policyView: PolicyView) => {
    chosenSites.push(policyView.job.number);
    return policyView.fastestFirst;
  };
  const customPolicyConfiguration = makeConfiguration(grid, { policy: choosePolicy, load: 3 });
  const unforkedSchedule = simulate(modelWorkload, grid, { policy: 'fastest-first', load: 3 }).schedule;
  const simulator = new Simulator(modelWorkload);
  simulator.begin(customPolicyConfiguration);
  const otherSimulator = new Simulator(modelWorkload, simulator);
  for (let job = 0; job < modelWorkload.count; job += 7) simulator.runUntil(modelWorkload.submit[job]);
  const snapshot = simulator.snapshot();
  simulator.run();
  expect(simulator.schedule()).toEqual(unforkedSchedule);
  otherSimulator.restore(snapshot, customPolicyConfiguration);
  otherSimulator.run();
  expect(otherSimulator.schedule()).toEqual(unforkedSchedule);
  expect(chosenSites.length).toBeGreaterThan(100);
});
