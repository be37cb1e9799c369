/** Conditions on options, and rules of which go together. */
import type { Naming, OptionKey } from './options.js';

/** That an option has one of some values, or, where none are named, any but its default; or that it is given at all. */
export interface Condition {
  readonly option: OptionKey;
  readonly is?: readonly string[];
  readonly isGiven?: boolean;
  /** Or a value of which something is true, and in words which these are. */
  readonly suchThat?: { readonly holds: (value: unknown) => boolean; readonly words: string };
}

/** What holds where any of some conditions holds. */
export interface OptionRule {
  readonly of: readonly Condition[];
  /** Only together with these. */
  readonly and?: readonly Condition[];
  /** What must hold too. */
  readonly needs?: Condition;
  /** None of which may hold. */
  readonly excludes?: readonly Condition[];
  /** How many sites the grid has at most. */
  readonly mostSites?: () => number;
  /** Why; behind `since`. */
  readonly why: string | ((naming: Naming) => string);
  /** Whether the core would take no notice: without what it needs, or with what it excludes, it has no effect. */
  readonly isIdle?: boolean;
}

/** That an option is not its default. */
export const set = (option: OptionKey): Condition => ({ option });
/** That it is one of these, with whatever parameters. */
export const is = (option: OptionKey, ...values: readonly string[]): Condition => ({ option, is: values });

/** That it is given at all. */
export const given = (option: OptionKey): Condition => ({ option, isGiven: true });
