/**
 * Co-simulation: another simulator owns the clock, and asks gridalloc what happens on a cluster.
 *
 * The other simulator has users. Each submits a job, thinks about its result, and submits the next one, so nobody
 * knows the submissions beforehand. At 400 s the larger site fails for two minutes.
 *
 *     node examples/live/users.mjs
 */
import { LiveSimulation, makeGrid } from 'gridalloc';

const cluster = new LiveSimulation(makeGrid({ capacities: [16, 8], speeds: [1, 2] }), {
  discipline: 'easy',
  maxOutages: 1,
  onOutage: 'requeue',
});

/** A user who submits jobs of one kind until 900 s. Times are in seconds. */
function makeUser(name, { processors, runtime, thinkTime }) {
  return {
    name,
    /** Time of the next submission; Infinity while a job of the user waits or runs. */
    nextSubmit: thinkTime,
    submit(time) {
      cluster.submit({ submit: time, runtime, processors, requestedTime: 2 * runtime, user: name });
      this.nextSubmit = Number.POSITIVE_INFINITY;
    },
    think(time) {
      this.nextSubmit = time + thinkTime < 900 ? time + thinkTime : Number.POSITIVE_INFINITY;
    },
  };
}

const users = [
  makeUser('ann', { processors: 8, runtime: 120, thinkTime: 10 }),
  makeUser('bob', { processors: 12, runtime: 60, thinkTime: 30 }),
  makeUser('eve', { processors: 4, runtime: 200, thinkTime: 5 }),
];
const userOfJob = new Map();

// The clock of the other simulator goes to the next event of either side.
let failed = false;
for (;;) {
  const time = Math.min(cluster.nextEventTime, ...users.map((user) => user.nextSubmit));
  if (time === Number.POSITIVE_INFINITY) break;
  if (time >= 400 && !failed) {
    cluster.addOutage({ site: 1, from: 400, to: 520 });
    failed = true;
    continue;
  }
  for (const user of users) {
    if (user.nextSubmit !== time) continue;
    user.submit(time);
    userOfJob.set(cluster.progress.submitted, user);
  }
  for (const { job, end } of cluster.advance(time).ended) userOfJob.get(job).think(end);
}

cluster.finish();
const { jobs, meanWait, restarts, utilization } = cluster.summary();
console.log(`${jobs} jobs, mean wait ${meanWait.toFixed(1)} s, ${restarts} stopped by the outage`);
console.log(`utilization ${(100 * utilization).toFixed(1)} %`);
