/** Combinations of options without the options that have no effect in them. */
import type { Naming, OptionKey } from './options.js';
import { type BrokenOptionRule, findBrokenRule } from './rules.js';

/** Options of a combination that have an effect, and what the rules say of the combination. */
export interface ApplicableOptions<Options> {
  readonly options: Options;
  /** Violated rules of the options that have no effect and are not among these options. */
  readonly omitted: readonly BrokenOptionRule[];
  /** First rule that refuses these options; undefined if none does. */
  readonly refusal: BrokenOptionRule | undefined;
}

/**
 * Option without effect in a combination, since it needs another option; undefined if the rule refuses the
 * combination for another reason.
 */
export function findIneffectiveOption({ rule, options }: BrokenOptionRule): OptionKey | undefined {
  return rule.needs !== undefined && rule.isIdle ? options[0] : undefined;
}

/**
 * Removes the options that have no effect in a combination, such as a half-life beside an order by submission.
 * @param siteCount number of sites, if known.
 */
export function selectApplicableOptions<Given extends Readonly<Partial<Record<OptionKey, unknown>>>>(
  combination: Given,
  naming: Naming,
  siteCount?: number,
): ApplicableOptions<Given> {
  const brokenRules: BrokenOptionRule[] = [];
  let options = combination;
  for (;;) {
    const brokenRule = findBrokenRule(options, naming, siteCount);
    const ineffectiveOption = brokenRule && findIneffectiveOption(brokenRule);
    if (
      brokenRule === undefined ||
      ineffectiveOption === undefined ||
      options[ineffectiveOption] === undefined
    )
      return { options, omitted: brokenRules, refusal: brokenRule };
    brokenRules.push(brokenRule);
    options = { ...options, [ineffectiveOption]: undefined };
  }
}
