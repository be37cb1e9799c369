/** Requests that earlier versions saved as command words. */
import { CheckedArguments } from './checkedArguments.js';
import { readCodeFilesOfCommand, readCompareInput, readSimulateInput } from './fromArguments.js';
import type { SimulateOrCompareRequest } from './request.js';

/** Request as command words, the format of earlier versions. */
export interface RequestOfEarlierVersion {
  readonly command?: 'compare' | 'simulate';
  readonly words: readonly string[];
  readonly options: Readonly<Record<string, readonly string[]>>;
}

/** Converts a request of an earlier version to the current format. */
export async function convertEarlierRequest({
  command,
  words,
  options,
}: RequestOfEarlierVersion): Promise<SimulateOrCompareRequest> {
  const args = new CheckedArguments(new Map(Object.entries(options)), words);
  await readCodeFilesOfCommand(args);
  return (command === 'simulate' ? await readSimulateInput(args) : readCompareInput(args)).request;
}
