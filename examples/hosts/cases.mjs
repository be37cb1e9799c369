/** The runs that every example does, and a hash of what comes out: it must be the same everywhere. */

const JOBS = 2000;
const SITES = { Capacity: [32, 64, 48], Speed: [1, 1.5, 0.7], Load: [1.5, 1, 2] };

/** Options of the core by name. */
const CASES = {
  'best-fit': {},
  ti: { Policy: 6, Parameter0: 0.05, Parameter1: 2 },
  ai2: { Policy: 8 },
  easy: { Discipline: 2, Selection: 1, MultiSiteFactor: 1.1 },
  'load sharing': { Topology: 1, Reclaim: 1 },
  splits: { Topology: 1, MultiSite: 3, MultiSiteOverhead: 0.1 },
  moldable: { Moldable: 1, MoldableThreshold: 1.5, SpeedupA: 20, SpeedupSigma: 1.2 },
};

/** Jobs that look like random ones: whole numbers of 32 bits alone, so that all languages have the same. */
function makeColumns() {
  let state = 1;
  const draw = (count) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state >>> 8) % count;
  };
  const names = ['Submit', 'Runtime', 'Estimate', 'Processors', 'Home'];
  const columns = Object.fromEntries(names.map((name) => [name, []]));
  for (let job = 0, submit = 0; job < JOBS; job++) {
    submit += draw(200);
    const runtime = 1 + draw(3000);
    columns.Submit.push(submit);
    columns.Runtime.push(runtime);
    columns.Estimate.push(runtime * (1 + draw(3)));
    columns.Processors.push(1 << draw(6));
    columns.Home.push(draw(3));
  }
  return columns;
}

/** A hash of the bytes of columns, one after another. */
function hashOf(columns) {
  let hash = 1;
  for (const column of columns) {
    const bytes = new Uint8Array(column.buffer, column.byteOffset, column.byteLength);
    for (const byte of bytes) hash = (hash * 65537 + byte) % 2147483647;
  }
  return hash;
}

/** One line for each case. */
export function runCases({ CoreRun, instantiateCore, makeJobs }, binary) {
  const run = new CoreRun(makeJobs(instantiateCore(binary), makeColumns()));
  return Object.entries(CASES).map(([name, options]) => {
    run.begin({ sites: SITES, options });
    run.run();
    return `${name} ${hashOf(['Start', 'Execution', 'Site', 'Metric'].map((column) => run.column(column)))}`;
  });
}
