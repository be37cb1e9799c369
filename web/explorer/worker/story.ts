/** Why a job waited and why it went where it went: `gridalloc explain`, as parts of a page. */
import { shortTime } from '../../../host/draw/axes.js';
import { explainJob } from '../../../host/explain/explain.js';
import type { Explanation } from '../../../host/explain/explanation.js';
import { isBackfilling } from '../../../host/options/configuration.js';
import { type Clock, decisionText, logClock, withClock } from '../../../host/show/explanationRules.js';
import { headline, waitEvents, waitSummary } from '../../../host/show/explanationText.js';
import { makeColors } from '../../../host/show/tableText.js';
import { Recorder } from '../../../host/simulate/recorder.js';
import type { Workload } from '../../../host/workload/workload.js';
import type { Story } from '../protocol.js';
import { forked, type KeptRun } from './run.js';

const PLAIN = makeColors(false);
/** Characters of a line of a table. */
const WIDTH = 64;
/** Entries of a record: more than nearly any wait has. */
const ENTRIES = 1 << 16;

/** Replays a run and watches one job. */
function explain({ experiment, simulation, course }: KeptRun, job: number): Explanation {
  const recorder = new Recorder(experiment.workload, job, ENTRIES);
  let { simulator } = recorder;
  simulator.begin(course[0].configuration);
  for (const { from, configuration } of course.slice(1)) {
    // What had started before the runs parted is known here alone.
    if (simulation.schedule.start[job] <= from) break;
    simulator.runUntil(from);
    simulator = forked(simulator, configuration);
  }
  simulator.run();
  return explainJob({ simulator, entries: () => recorder.entries(), lost: recorder.lost }, job);
}

/** The clock of the page: dates where the log has them, else days since the first submit. */
export function pageClock(workload: Workload): Clock {
  const { unixStartTime, submit } = workload;
  if (unixStartTime !== undefined) return logClock(workload);
  return {
    write: (time) => shortTime(time - submit[0], undefined),
    told: 'times are days and hours since the first submit',
  };
}

/** The story of a job of a run, as the page shows it. */
export function storyOf(run: KeptRun, job: number): Story {
  return withClock(pageClock(run.experiment.workload), () => written(explain(run, job)));
}

function written(explanation: Explanation): Story {
  const [first, ...rules] = headline(explanation, PLAIN).split('\n');
  const isPlanned = isBackfilling(explanation.rules.discipline);
  return {
    headline: first,
    rules: rules.join('; '),
    waits: explanation.waits.map((wait) => ({
      summary: wait.until > wait.from ? waitSummary(wait, isPlanned) : '',
      events: waitEvents(explanation, wait),
      decision: decisionText(explanation, wait, PLAIN, WIDTH),
    })),
  };
}
