/** In which settings two simulations differ, from the commands that run them again. */
import { InputError } from '../errors.js';
import { type Filter, formatFilter } from '../trace/filter.js';
import type { Preset } from '../workload/presets.js';
import { isCodeName } from './code.js';
import { defaultText, OPTIONS, type OptionKey } from './options.js';
import { canonicalOrder } from './order.js';
import { isIdle } from './rules.js';
import { SHORT_FORMS, USUAL_SELECTION } from './run.js';
import { textsIn } from './words.js';

/** An option of which two simulations have different values, as texts; what one of them does not say is as usual. */
export interface SettingDifference {
  readonly name: string;
  readonly a: string;
  readonly b: string;
}

/** Options with one value for all sites, or one per site or pair of sites. */
const BY_SITE: readonly OptionKey[] = ['load', 'speeds', 'heterogeneity', 'bandwidth', 'latency'];

/** Where nothing is said and nothing else decides. */
const USUAL: Partial<Record<OptionKey, string>> = {
  select: USUAL_SELECTION,
  speeds: '1',
  dataSize: JSON.stringify({ kind: 'constant', bytes: 0 }),
};

type Texts = Readonly<Record<string, string>>;

/** One number where all that count are the same: what stands on the diagonal of a matrix has no meaning. */
function folded(text: string): string {
  const rows = text.split(';').map((row) => row.split(','));
  const numbers = rows.flatMap((row, i) => row.filter((_, j) => rows.length === 1 || i !== j)).map(Number);
  return numbers.every((each) => each === numbers[0]) ? String(numbers[0]) : text;
}

/** What a function returns; undefined where it does not know a text, be it a policy of another core or what another version wrote. */
function ifKnown<Value>(of: () => Value): Value | undefined {
  try {
    return of();
  } catch (error) {
    if (error instanceof InputError) return undefined;
    throw error;
  }
}

/** A text as all spellings of its value have it. */
function canonicalText(name: string, text: string): string {
  const { read, print, key } = OPTIONS[name];
  if (isCodeName(text)) return text;
  const value = read(text, name) as never;
  const written: Partial<Record<OptionKey, () => string>> = {
    filter: () => (value as readonly Filter[]).map(formatFilter).join(';'),
    preset: () => (value as Preset).name,
    dataSize: () => JSON.stringify(value),
    order: () => canonicalOrder(value),
    backfillOrder: () => canonicalOrder(value),
  };
  const canonical = written[key]?.() ?? print(value);
  return BY_SITE.includes(key) ? folded(canonical) : canonical;
}

/** What holds without an option, as the same; undefined where no text says it. */
function canonicalDefault(name: string): string | undefined {
  const { key, default: usual, print } = OPTIONS[name];
  const filledIn = USUAL[key];
  if (filledIn !== undefined) return filledIn;
  if (usual === undefined) return undefined;
  return ifKnown(() => canonicalText(name, typeof usual === 'string' ? usual : print(usual)));
}

/** The texts of a simulation by name, short forms and time factors as what they come to. */
function spelledOut(words: readonly string[]): Texts {
  const { discipline = 'fcfs', heterogeneity, ...texts } = textsIn(words);
  const order = SHORT_FORMS[discipline as keyof typeof SHORT_FORMS];
  const factors = heterogeneity?.split(',').map(Number) ?? [];
  const areSpeeds = factors.length > 0 && factors.every((factor) => 1 / (1 / factor) === factor);
  return {
    ...texts,
    ...(order === undefined ? { discipline } : { discipline: 'fcfs', order }),
    ...(areSpeeds ? { speeds: factors.map((factor) => 1 / factor).join(',') } : {}),
    ...(areSpeeds || heterogeneity === undefined ? {} : { heterogeneity }),
  };
}

/** The options of a simulation that say something in it, by which those of two are compared. */
function canonicalTexts(texts: Texts): Texts {
  const names = Object.keys(texts);
  const values = names.map((name) => [
    OPTIONS[name].key,
    ifKnown(() => OPTIONS[name].read(texts[name], name)),
  ]);
  const settings = Object.fromEntries(values);
  const heard = names.filter((name) => !isIdle(OPTIONS[name].key, settings));
  return Object.fromEntries(
    heard.map((name) => [name, ifKnown(() => canonicalText(name, texts[name])) ?? texts[name]]),
  );
}

/**
 * The options in which two simulations differ, however they are spelled.
 * @param a the words of the command that runs the one again, as config.json has them.
 */
export function settingDifferences(a: readonly string[], b: readonly string[]): SettingDifference[] {
  const [ofA, ofB] = [spelledOut(a), spelledOut(b)];
  const [canonicalA, canonicalB] = [ofA, ofB].map(canonicalTexts);
  const usual = (name: string) => defaultText(OPTIONS[name]) ?? '-';
  return Object.keys({ ...ofA, ...ofB })
    .filter((name) => {
      const holding = canonicalDefault(name);
      return (canonicalA[name] ?? holding) !== (canonicalB[name] ?? holding);
    })
    .map((name) => ({ name, a: ofA[name] ?? usual(name), b: ofB[name] ?? usual(name) }));
}
