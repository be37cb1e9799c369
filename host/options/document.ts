/** What was decided for a run, written down. */
import { type CodeFile, codeNamed, isCodeName } from './code.js';
import type { GivenOptions, RunKey, RunSettings } from './configuration.js';
import type { Option } from './kinds.js';
import { type OptionKey, optionName, optionOf } from './options.js';
import { isIdle } from './rules.js';
import { orderOf, RUN_OPTIONS } from './run.js';

const ENTRIES = Object.entries(RUN_OPTIONS) as [RunKey, Option<unknown>][];

/**
 * What was decided, by key, as plain data: words, numbers, lists, and in their notation what has one. The order is the
 * one that holds, also where the discipline is short for it.
 */
export function runDocument(run: RunSettings): Record<string, unknown> {
  const said = { ...run, order: orderOf(run) };
  return Object.fromEntries(
    ENTRIES.map(([key, { hasNotation, print }]) => [key, hasNotation ? print(said[key]) : said[key]]),
  );
}

/** The files with functions that a run names. */
export function codeOf(run: RunSettings): CodeFile[] {
  const names = ENTRIES.map(([key, { print }]) => print(run[key])).filter(isCodeName);
  return [...new Set(names)].map((name) => codeNamed(name, 'code'));
}

/** What was decided as plain data, that threads may be given: functions from files by the names of these. */
export function plainOptions(run: RunSettings): GivenOptions {
  const plain = ENTRIES.map(([key, { print }]) => {
    const text = print(run[key]);
    return [key, isCodeName(text) ? text : run[key]];
  });
  return Object.fromEntries(plain);
}

/** What holds without some options, as text by name; left out is what no text says. */
export function usualTexts(keys: readonly OptionKey[]): Record<string, string> {
  const usual = keys.flatMap((key) => {
    const { default: value, otherwise, print } = optionOf(key);
    return value === undefined || otherwise !== undefined ? [] : [[optionName(key), print(value)]];
  });
  return Object.fromEntries(usual);
}

/** The options of a run as text by name, defaults filled in; left out are those that say nothing in this run. */
export function printRun(run: RunSettings): Record<string, string> {
  const written = ENTRIES.filter(([key, { default: usual, otherwise }]) => {
    const isDefault = otherwise !== undefined && run[key] === usual;
    return !isDefault && !isIdle(key, run);
  });
  return Object.fromEntries(written.map(([key, { print }]) => [optionName(key), print(run[key])]));
}
