/** Requests that earlier versions saved as command words. */
import { Arguments, compareInput, readCodeFiles, simulateInput } from './fromArguments.js';
import type { RunsRequest } from './request.js';

/** Request as command words, the format of earlier versions. */
export interface EarlierRequest {
  readonly command?: 'compare' | 'simulate';
  readonly words: readonly string[];
  readonly options: Readonly<Record<string, readonly string[]>>;
}

/** Converts a request of an earlier version to the current format. */
export async function earlierRequest({ command, words, options }: EarlierRequest): Promise<RunsRequest> {
  const args = new Arguments(new Map(Object.entries(options)), words);
  await readCodeFiles(args);
  return (command === 'simulate' ? await simulateInput(args) : compareInput(args)).request;
}
