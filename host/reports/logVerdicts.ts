/** Verdicts on each of several logs, by the replications of that log, in sentences. */
import { countOf, listed } from '../format/numbers.js';
import { firstOf } from '../lists.js';
import type { JudgedComparison } from '../runs/comparison.js';
import { piecesSentence } from './replicationsText.js';
import { verdictNotes, verdictText, verdictWord } from './verdictText.js';

/** Several logs, on each of which methods are judged by its own replications. */
export interface JudgedLogs {
  /** Names of the logs. */
  readonly logs: readonly string[];
  /** Comparisons by log. */
  readonly ofLogs: readonly JudgedComparison[];
}

/** Texts of the logs, each text once behind the names of its logs. */
function byLog(logs: readonly string[], texts: readonly string[]): [string, string[]][] {
  const found = new Map<string, string[]>();
  for (const [i, text] of texts.entries()) found.set(text, [...(found.get(text) ?? []), logs[i]!]);
  return [...found];
}

/**
 * The verdict on each log by a metric, in sentences; logs with the same sentences are named together.
 * @param metric its place.
 * @param names those of the methods.
 */
export function logVerdicts(
  { logs, ofLogs }: JudgedLogs,
  metric: number,
  names: readonly string[],
): string[] {
  const texts = ofLogs.map(({ metrics, population }) => {
    const judged = metrics[metric]!;
    return [
      verdictText(judged.judgement, names, population),
      ...verdictNotes(judged.judgement, names, judged.name, population),
      ...piecesSentence(judged, names),
    ].join(' ');
  });
  return byLog(logs, texts).map(([text, own]) => `${listed(own)}: ${text}`);
}

/** `easy on 3 logs; undecided on 1 log`. */
export function bestByLog({ logs, ofLogs }: JudgedLogs, metric: number, names: readonly string[]): string {
  const texts = ofLogs.map(({ metrics }) => {
    const { judgement } = metrics[metric]!;
    const best = judgement.methods.flatMap((each, i) => (verdictWord(each) === 'best' ? [names[i]!] : []));
    return !judgement.isJudged ? 'not judged' : best.length === 0 ? 'undecided' : listed(best);
  });
  return byLog(logs, texts)
    .map(([text, own]) => `${text} on ${countOf(own.length, 'log')}`)
    .join('; ');
}

const ON_EACH_LOG =
  'Verdicts on a log are by its own replications and hold with 95 % on that log by itself, not on all logs together.';

/** Caveats of the verdicts on each log, each once. */
export function logCaveats({ ofLogs }: JudgedLogs): string[] {
  const { population } = firstOf(ofLogs);
  const pieces = ofLogs.flatMap(({ withoutPieces }) => withoutPieces ?? []);
  const isJudged = ofLogs.some(({ metrics }) => metrics.some(({ judgement }) => judgement.isJudged));
  return [...(isJudged ? [ON_EACH_LOG] : []), population.caveat, ...new Set(pieces)];
}
