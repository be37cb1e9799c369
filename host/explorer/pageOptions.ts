/** Options that the explorer takes. */
import { InputError } from '../errors.js';
import type { OptionStrings } from '../options/options.js';

/**
 * Option missing from the explorer: it would change the submission times from run to run, and the runs could
 * not share them.
 */
export const OPTION_MISSING_FROM_PAGE = 'dependencies';

/**
 * Refuses options that the explorer lacks.
 * @param optionTexts given options as texts by name.
 * @throws InputError.
 */
export function checkOptionsOfExplorer(optionTexts: OptionStrings): void {
  if (!(OPTION_MISSING_FROM_PAGE in optionTexts)) return;
  throw new InputError(
    `--${OPTION_MISSING_FROM_PAGE} is not for the explorer, whose charts must have the same submit times; use simulate or compare`,
  );
}
