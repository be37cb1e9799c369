/** Rules for options that need or exclude each other: what such a rule consists of. */
import type { Naming, OptionKey } from './options.js';

/** Condition on one option. Without any of the optional fields: the option has a value other than its default. */
export interface OptionCondition {
  readonly option: OptionKey;
  /** The option has one of these values. */
  readonly is?: readonly string[];
  /** The option is given, even with its default. */
  readonly isGiven?: boolean;
  /** The value meets a test; the words describe such values. */
  readonly suchThat?: { readonly holds: (value: unknown) => boolean; readonly words: string };
  /** Of the option `sites`: the grid has more sites than this number. */
  readonly moreThan?: () => number;
}

/** Rule for an option that needs or excludes others. It applies if any condition of `of` holds, and all of `and` do. */
export interface OptionRule {
  readonly of: readonly OptionCondition[];
  readonly and?: readonly OptionCondition[];
  /** Condition that must hold too. */
  readonly needs?: OptionCondition;
  /** Conditions none of which may hold. */
  readonly excludes?: readonly OptionCondition[];
  /** Reason, which follows `since` in messages. */
  readonly why: string | ((naming: Naming) => string);
  /** The core ignores the option instead of refusing it, since the option has no effect where the rule is broken. */
  readonly isIdle?: boolean;
}

/** The grid has more sites than a number. */
export const siteCountAbove = (moreThan: () => number): OptionCondition => ({ option: 'sites', moreThan });
/** The option is not at its default. */
export const optionIsSet = (option: OptionKey): OptionCondition => ({ option });
/** The option is one of these, whatever the parameters. */
export const optionIsOneOf = (option: OptionKey, ...values: readonly string[]): OptionCondition => ({
  option,
  is: values,
});

/** The option is given at all. */
export const optionIsGiven = (option: OptionKey): OptionCondition => ({ option, isGiven: true });

/** The discipline backfills by reservations. */
export const BACKFILLING_CONDITION = optionIsOneOf('discipline', 'easy', 'conservative');
