/** Building blocks of rules on options that need or exclude each other. */
import type { Naming, OptionKey } from './options.js';

/** Condition on one option. Without any of the optional fields: the option has a value other than its default. */
export interface OptionCondition {
  readonly option: OptionKey;
  /** The option has one of these values. */
  readonly is?: readonly string[];
  /** The option is given, even with its default. */
  readonly isGiven?: boolean;
  /** The value satisfies a test; the words describe the accepted values. */
  readonly suchThat?: { readonly isSatisfiedBy: (value: unknown) => boolean; readonly words: string };
  /** Holds if the grid has more sites than this function returns; only for the option `sites`. */
  readonly readLimit?: () => number;
}

/**
 * Rule for an option that needs or excludes others. It applies if any condition of `of` and all conditions of
 * `and` hold.
 */
export interface OptionRule {
  readonly of: readonly OptionCondition[];
  readonly and?: readonly OptionCondition[];
  /** Condition that must hold too. */
  readonly needs?: OptionCondition;
  /** Conditions none of which may hold. */
  readonly excludes?: readonly OptionCondition[];
  /** Reason, appended after `since` in messages. */
  readonly why: string | ((naming: Naming) => string);
  /** Advice at the end of messages, instead of the one to omit an option. */
  readonly remedy?: string;
  /**
   * True if the core ignores the option in this case instead of refusing it, since the option has no effect.
   */
  readonly isIdle?: boolean;
}

/** Condition: the grid has more sites than a number. */
export const makeSiteCountAboveCondition = (readSiteCountLimit: () => number): OptionCondition => ({
  option: 'sites',
  readLimit: readSiteCountLimit,
});
/** Condition: the option is not at its default. */
export const makeOptionIsSetCondition = (option: OptionKey): OptionCondition => ({ option });
/** Condition: the option has one of these values, with any parameters. */
export const makeOptionIsOneOfCondition = (
  option: OptionKey,
  ...acceptedValues: readonly string[]
): OptionCondition => ({
  option,
  is: acceptedValues,
});

/** Condition: the option is given. */
export const makeOptionIsGivenCondition = (option: OptionKey): OptionCondition => ({ option, isGiven: true });

/** Condition: the discipline backfills with reservations. */
export const BACKFILLING_CONDITION = makeOptionIsOneOfCondition('discipline', 'easy', 'conservative');

/** Condition: all sites have one queue. */
export const SHARED_QUEUE_CONDITION = makeOptionIsOneOfCondition('queue', 'shared');
