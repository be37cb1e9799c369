/**
 * Encodes the settings and the view in the page's address (behind `#`), so that a link restores them.
 * User-written functions travel as text and run only after the user's consent.
 */
import type { CodeText, Setup, Texts } from './protocol.js';

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
export interface Look {
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

const LOOK = ['view', 'span', 'at', 'job', 'color', 'charts'] as const;

/** Everything that a link contains. */
export interface Address {
  readonly setup: Setup;
  readonly code: readonly CodeText[];
  readonly forks: readonly ForkRequest[];
  readonly look: Look;
}

const METHOD = 'method';
const CODE = 'code.';
const FORK = 'whatif';

const toText = (entries: Texts) => new URLSearchParams(entries).toString();

/** Address of a local `gridalloc explore` server with its secret token, which must not be shared. */
const LOCAL_ADDRESS_WITH_TOKEN = /^(http:\/\/(?:127\.0\.0\.1|localhost):\d+)\/[\w-]{43}\//;

/** Returns the address without the local server's token; `gridalloc explore LINK` opens the result. */
export function shareableAddress(address: string): string {
  return address.replace(LOCAL_ADDRESS_WITH_TOKEN, '$1/');
}

/** Formats the part of an address behind `#`. */
export function writeAddress({ setup, code, forks, look }: Address): string {
  const parts = new URLSearchParams(setup.options);
  for (const method of setup.methods) parts.append(METHOD, toText(method));
  for (const { name, text } of code) parts.append(CODE + name, text);
  for (const { run, time, change } of forks) parts.append(FORK, `${run},${time ?? ''},${toText(change)}`);
  for (const name of LOOK) if (look[name] !== undefined) parts.set(name, look[name]);
  return parts.toString();
}

/** Parses the part of an address behind `#`; undefined if it names no workload. */
export function readAddress(hash: string): Address | undefined {
  const parts = new URLSearchParams(hash.replace(/^#/, ''));
  if (!parts.has('workload')) return undefined;
  const options: Record<string, string> = {};
  const code: CodeText[] = [];
  for (const [name, value] of parts) {
    if (name.startsWith(CODE)) code.push({ name: name.slice(CODE.length), text: value });
    else if (![METHOD, FORK, ...LOOK].includes(name)) options[name] = value;
  }
  const methods = parts.getAll(METHOD).map((text) => Object.fromEntries(new URLSearchParams(text)));
  const forks = parts.getAll(FORK).map((text) => {
    const [, run, time, change] = /^(\d+),([^,]*),(.*)$/s.exec(text) ?? [];
    const changed = Object.fromEntries(new URLSearchParams(change));
    return { run: Number(run), ...(time === '' ? {} : { time: Number(time) }), change: changed };
  });
  const look = Object.fromEntries(LOOK.flatMap((name) => (parts.has(name) ? [[name, parts.get(name)]] : [])));
  return { setup: { options, methods }, code, forks, look };
}

/** Parses a `from,to` span of an address, in seconds. */
export function parseSpan(text: string | undefined): readonly [number, number] | undefined {
  const [from, to] = (text ?? '').split(',').map(Number);
  return to > from ? [from, to] : undefined;
}
