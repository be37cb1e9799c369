/** One simulation of a study, alone, with every job. */
import { InputError } from '../errors.js';
import { OPTIONS } from '../options/options.js';
import type { OptionTexts, Study } from '../study/definition.js';
import { expandStudy } from '../study/expand.js';
import type { Plan } from '../study/plan.js';
import { isAbsent } from '../study/settings.js';
import { Arguments } from './arguments.js';
import { simulateCommand } from './commands/simulate.js';
import type { Context } from './context.js';

/**
 * The options of the first setting that comes to a run.
 * @throws InputError for an id that no run has.
 */
export function settingOf(id: string, study: Study, { runs, points, trace }: Plan): OptionTexts {
  const run = /^[0-9a-f]{16}$/.test(id) ? runs.find(id) : undefined;
  if (run === undefined) {
    throw new InputError(
      `no simulation of this study has the run.id '${id}'; they stand in the column run.id of results.csv`,
    );
  }
  let point = 0;
  for (const { options } of expandStudy(study, trace ?? undefined)) {
    if (points.run(point++) === run) return options;
  }
  throw new Error(`no setting comes to run ${id}`);
}

/** Simulates a setting as `gridalloc simulate --out` does; returns the exit code. */
export function runSetting(
  { workload, ...options }: OptionTexts,
  out: string,
  given: Arguments,
  context: Context,
): Promise<number> {
  const entries = Object.entries(options).flatMap(([name, text]): [string, string[]][] => {
    const { isSwitch, isRepeatable } = OPTIONS[name];
    if (isAbsent(name, text)) return [];
    if (isSwitch) return text === 'true' ? [[name, []]] : [];
    return [[name, isRepeatable ? text.split(';') : [text]]];
  });
  const shared = ['json', 'quiet'].filter((name) => given.has(name));
  const all = new Map<string, string[]>([
    ...entries,
    ['out', [out]],
    ...given.texts('core').map((path): [string, string[]] => ['core', [path]]),
    ...shared.map((name): [string, string[]] => [name, []]),
  ]);
  return simulateCommand.run(new Arguments(all, [workload]), context);
}
