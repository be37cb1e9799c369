/**
 * Encodes the settings and the view in the page's address (behind `#`), so that a link restores them.
 * User-written functions travel as text and run only after the user's consent.
 */
import type { CodeFileText, ExplorerSetup, Texts } from './protocol.js';

/**
 * A what-if fork: the run that it continues, from a time (in seconds) or from the beginning, with other
 * options.
 */
export interface ForkRequest {
  readonly run: number;
  readonly time?: number;
  readonly change: Texts;
}

/** View settings of a link, each as the text of one address parameter. */
export interface ExplorerViewSettings {
  /** Time ranges as `from,to`, in seconds on the log's clock: the visible part, and the selected span. */
  readonly view?: string;
  readonly span?: string;
  /** Selected time (seconds) and selected job. */
  readonly at?: string;
  readonly job?: string;
  /** Colouring of jobs, and the indices of the runs in the two charts. */
  readonly color?: string;
  readonly charts?: string;
}

const VIEW_SETTING_KEYS = ['view', 'span', 'at', 'job', 'color', 'charts'] as const;

/** Complete content of a link. */
export interface ExplorerAddress {
  readonly setup: ExplorerSetup;
  readonly code: readonly CodeFileText[];
  readonly forks: readonly ForkRequest[];
  readonly viewSettings: ExplorerViewSettings;
}

const METHOD_ADDRESS_PARAMETER_NAME = 'method';
const CODE_ADDRESS_PARAMETER_PREFIX = 'code.';
const FORK_ADDRESS_PARAMETER_NAME = 'whatif';

const formatQueryString = (queryEntries: Texts) => new URLSearchParams(queryEntries).toString();

/** Matches the address of a local `gridalloc explore` server with its secret token, which nobody else may know. */
const LOCAL_TOKEN_ADDRESS_PATTERN = /^(http:\/\/(?:127\.0\.0\.1|localhost):\d+)\/[\w-]{43}\//;

/** Returns the address without the local server's token; `gridalloc explore LINK` opens the result. */
export function removeTokenFromAddress(address: string): string {
  return address.replace(LOCAL_TOKEN_ADDRESS_PATTERN, '$1/');
}

/** Formats the part of an address behind `#`. */
export function formatExplorerAddress({ setup, code, forks, viewSettings }: ExplorerAddress): string {
  const parameters = new URLSearchParams(setup.options);
  for (const method of setup.methods)
    parameters.append(METHOD_ADDRESS_PARAMETER_NAME, formatQueryString(method));
  for (const { name: fileName, text: fileText } of code)
    parameters.append(CODE_ADDRESS_PARAMETER_PREFIX + fileName, fileText);
  for (const { run, time, change } of forks)
    parameters.append(FORK_ADDRESS_PARAMETER_NAME, `${run},${time ?? ''},${formatQueryString(change)}`);
  for (const viewSettingKey of VIEW_SETTING_KEYS)
    if (viewSettings[viewSettingKey] !== undefined)
      parameters.set(viewSettingKey, viewSettings[viewSettingKey]);
  return parameters.toString();
}

/** Parses the part of an address behind `#`; undefined if it names no workload. */
export function parseExplorerAddress(hash: string): ExplorerAddress | undefined {
  const parameters = new URLSearchParams(hash.replace(/^#/, ''));
  if (!parameters.has('workload')) return undefined;
  const options: Record<string, string> = {};
  const codeFiles: CodeFileText[] = [];
  for (const [name, value] of parameters) {
    if (name.startsWith(CODE_ADDRESS_PARAMETER_PREFIX))
      codeFiles.push({ name: name.slice(CODE_ADDRESS_PARAMETER_PREFIX.length), text: value });
    else if (
      ![METHOD_ADDRESS_PARAMETER_NAME, FORK_ADDRESS_PARAMETER_NAME, ...VIEW_SETTING_KEYS].includes(name)
    )
      options[name] = value;
  }
  const methods = parameters
    .getAll(METHOD_ADDRESS_PARAMETER_NAME)
    .map((methodText) => Object.fromEntries(new URLSearchParams(methodText)));
  const forks = parameters.getAll(FORK_ADDRESS_PARAMETER_NAME).map((forkText) => {
    const [, run, time, change] = /^(\d+),([^,]*),(.*)$/s.exec(forkText) ?? [];
    const changedOptions = Object.fromEntries(new URLSearchParams(change));
    return { run: Number(run), ...(time === '' ? {} : { time: Number(time) }), change: changedOptions };
  });
  const viewSettings = Object.fromEntries(
    VIEW_SETTING_KEYS.flatMap((viewSettingKey) =>
      parameters.has(viewSettingKey) ? [[viewSettingKey, parameters.get(viewSettingKey)]] : [],
    ),
  );
  return { setup: { options, methods }, code: codeFiles, forks, viewSettings };
}

/** Parses a `from,to` span of an address, in seconds. */
export function parseTimeSpan(timeSpanText: string | undefined): readonly [number, number] | undefined {
  const [from, to] = (timeSpanText ?? '').split(',').map(Number);
  return to > from ? [from, to] : undefined;
}
