/** The options of a setting, read; every fault with its place. */
import { InputError } from '../errors.js';
import { unknownName } from '../notation.js';
import { OPTIONS, readOption, type Settings } from '../options/options.js';
import type { Setting } from './expand.js';

/** Text that stands for an option not being given, unless it is one of its words. */
const ABSENT = 'none';

/** Whether a text says that an option is not given. */
export function isAbsent(name: string, text: string): boolean {
  return text === ABSENT && OPTIONS[name].choices?.includes(text) !== true;
}

/** Checks the name of an option. */
export function checkOptionName(name: string, place: string): void {
  if (Object.hasOwn(OPTIONS, name)) return;
  throw located(unknownName('option', name, Object.keys(OPTIONS)), place);
}

/**
 * Reads the options of a setting.
 * @throws InputError for a text that an option does not take, or no workload.
 */
export function settingsOf({ options, locate }: Pick<Setting, 'options' | 'locate'>): Settings {
  const settings: Partial<Settings> = {};
  for (const [name, text] of Object.entries(options)) {
    if (isAbsent(name, text)) continue;
    try {
      Object.assign(settings, readOption(name, text));
    } catch (error) {
      throw located(error, locate(name));
    }
  }
  const { workload } = settings;
  if (workload === undefined) {
    throw new InputError(
      `${locate('workload')}: simulate needs a workload: a log, $TRACE, or a model such as lublin99`,
    );
  }
  return { ...settings, workload };
}

/** An InputError with the place in front; other errors as they are. */
export function located(error: unknown, place: string): unknown {
  return error instanceof InputError ? new InputError(`${place}: ${error.message}`) : error;
}
