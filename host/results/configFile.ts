/** Reads config.json files of this and earlier versions. */
import { parseOptionWords, type SavedSimulationRequest } from '../options/document.js';
import { findOptionByName, type OptionStrings } from '../options/options.js';
import { CONFIG_SHAPE, readCheckedDocument } from './savedFile.js';

/** Fields of earlier versions instead of a request. */
interface ConfigOfEarlierVersion extends SavedSimulationRequest {
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
): Promise<(Config & SavedSimulationRequest) | undefined> {
  const document = await readCheckedDocument<Config & ConfigOfEarlierVersion>(path, CONFIG_SHAPE);
  return document === undefined || document.request !== undefined ? document : addMissingRequest(document);
}

function addMissingRequest<Config extends ConfigOfEarlierVersion>(document: Config): Config {
  const { options, command = [], workload } = document;
  const [, verb, source, ...words] = command;
  const isSimulateRequest = verb === 'simulate' && source !== undefined;
  const workloadSource = options !== undefined ? workload?.source : isSimulateRequest ? source : undefined;
  const corePath =
    options === undefined && words.includes('--core') ? words[words.indexOf('--core') + 1] : undefined;
  if (workloadSource === undefined) return document;
  const optionTexts = addMissingReservations(options ?? parseOptionWords(command));
  const optionTextsByKey = Object.entries(optionTexts).map(([optionName, optionText]) => [
    findOptionByName(optionName).key,
    optionText,
  ]);
  return {
    ...document,
    ...(corePath === undefined ? {} : { core: corePath }),
    request: { command: 'simulate', workload: workloadSource, options: Object.fromEntries(optionTextsByKey) },
  };
}

/** Adds the implicit setting of earlier versions: conservative backfilling replanned in every pass. */
function addMissingReservations(optionTexts: OptionStrings): OptionStrings {
  const isEarlierVersion =
    optionTexts.discipline === 'conservative' && optionTexts.reservations === undefined;
  return isEarlierVersion ? { ...optionTexts, reservations: 'replanned' } : optionTexts;
}
