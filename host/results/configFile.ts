/** Reads config.json files of this and earlier versions. */
import { optionTextsIn, type SavedRequest } from '../options/document.js';
import { type OptionStrings, optionNamed } from '../options/options.js';
import { CONFIG_SHAPE, readDocument } from './savedFile.js';

/** Fields of earlier versions instead of a request. */
interface EarlierConfig extends SavedRequest {
  /** Options as texts by name; the first versions stored only command words. */
  readonly options?: OptionStrings;
  readonly command?: readonly string[];
  readonly core?: string;
  readonly workload?: { readonly source?: string };
}

/**
 * Reads a config.json and converts older formats to a request.
 * @returns undefined if there is no such file.
 */
export async function readConfigFile<Config extends object>(
  path: string,
): Promise<(Config & SavedRequest) | undefined> {
  const document = await readDocument<Config & EarlierConfig>(path, CONFIG_SHAPE);
  return document === undefined || document.request !== undefined ? document : withRequest(document);
}

function withRequest<Config extends EarlierConfig>(document: Config): Config {
  const { options, command = [], workload } = document;
  const [, verb, source, ...words] = command;
  const isRun = verb === 'simulate' && source !== undefined;
  const found = options !== undefined ? workload?.source : isRun ? source : undefined;
  const core =
    options === undefined && words.includes('--core') ? words[words.indexOf('--core') + 1] : undefined;
  if (found === undefined) return document;
  const texts = withReservations(options ?? optionTextsIn(command));
  const optionNamesByKey = Object.entries(texts).map(([name, text]) => [optionNamed(name).key, text]);
  return {
    ...document,
    ...(core === undefined ? {} : { core }),
    request: { command: 'simulate', workload: found, options: Object.fromEntries(optionNamesByKey) },
  };
}

/** Earlier versions always planned conservative backfilling anew in every pass. */
function withReservations(texts: OptionStrings): OptionStrings {
  const isEarlierVersion = texts.discipline === 'conservative' && texts.reservations === undefined;
  return isEarlierVersion ? { ...texts, reservations: 'replanned' } : texts;
}
