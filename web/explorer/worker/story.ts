/** Explains a job's wait and placement for the page, with the code of `gridalloc explain`. */
import { formatDateOrElapsedTime } from '../../../host/draw/axes.js';
import { explainJob } from '../../../host/explain/explain.js';
import type { Explanation } from '../../../host/explain/explanation.js';
import { isBackfillingDiscipline } from '../../../host/options/configuration.js';
import {
  formatDecision,
  makeTimeFormatterOfLog,
  makeTitleOfDecision,
  runWithTimeFormatter,
  type TimeFormatter,
} from '../../../host/reports/decisionReasons.js';
import { formatExplanationHeadline, makeWaitTimeline } from '../../../host/reports/waitReasons.js';
import { describeWaitByCause } from '../../../host/reports/waitSentences.js';
import { Recorder } from '../../../host/simulate/recorder.js';
import { makeTerminalColors } from '../../../host/view/terminal.js';
import type { Workload } from '../../../host/workload/workload.js';
import type { JobExplanationTexts } from '../protocol.js';
import { forkSimulator, type StoredRun } from './run.js';

const PLAIN_TEXT_COLORS = makeTerminalColors(false);
/** Characters per line of a table. */
const EXPLANATION_TABLE_WIDTH = 64;
/** Largest number of recorded events; more than nearly any wait has. */
const MAX_RECORDED_WAIT_EVENT_COUNT = 1 << 16;

/** Replays a run and records one job. */
function explainJobByReplay({ experiment, simulation, course }: StoredRun, job: number): Explanation {
  const recorder = new Recorder(experiment.workload, job, MAX_RECORDED_WAIT_EVENT_COUNT);
  let { simulator } = recorder;
  simulator.begin(course[0].configuration);
  for (const { from, configuration } of course.slice(1)) {
    // Jobs that started before a fork are recorded in the run before it, so later forks are not simulated.
    if (simulation.schedule.start[job] <= from) break;
    simulator.runUntil(from);
    simulator = forkSimulator(simulator, configuration);
  }
  simulator.run();
  return explainJob(
    { simulator, entries: () => recorder.entries(), lostEntryCount: recorder.lostEntryCount },
    job,
  );
}

/** Returns the page's clock: dates if the log has them, otherwise days since the first submission. */
export function makePageTimeFormatter(workload: Workload): TimeFormatter {
  const { unixStartTime, submit } = workload;
  if (unixStartTime !== undefined) return makeTimeFormatterOfLog(workload);
  return {
    write: (time) => formatDateOrElapsedTime(time - submit[0], undefined),
    formatNote: 'times are days and hours since the first submit',
  };
}

/** Returns the explanation of a job. */
export function makeJobExplanation(run: StoredRun, job: number): JobExplanationTexts {
  return runWithTimeFormatter(makePageTimeFormatter(run.experiment.workload), () =>
    formatExplanationTexts(explainJobByReplay(run, job)),
  );
}

function formatExplanationTexts(explanation: Explanation): JobExplanationTexts {
  const [headline, ...rules] = formatExplanationHeadline(explanation, PLAIN_TEXT_COLORS).split('\n');
  const isPlanned = isBackfillingDiscipline(explanation.rules.discipline);
  return {
    headline,
    rules: rules.join('; '),
    waits: explanation.waits.map((wait) => ({
      summary: wait.until > wait.from ? describeWaitByCause(wait, isPlanned) : '',
      events: makeWaitTimeline(explanation, wait),
      decision: formatDecision(explanation, wait, PLAIN_TEXT_COLORS, EXPLANATION_TABLE_WIDTH),
      why: makeTitleOfDecision(wait),
    })),
  };
}
