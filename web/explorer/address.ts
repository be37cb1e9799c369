/** Settings in the address of the page, so that a link shows the same. Functions are in it as text, and do not run. */
import type { CodeText, Setup, Texts } from './protocol.js';

/** A what-if: of the run at a place, from a time on or from the beginning, with other options. */
export interface ForkAsked {
  readonly run: number;
  readonly time?: number;
  readonly change: Texts;
}

/** How it is looked at, each as one text. */
export interface Look {
  /** From one time to another, in seconds on the clock of the log: what is shown, and what is asked about. */
  readonly view?: string;
  readonly span?: string;
  /** The moment and the job that are looked at. */
  readonly at?: string;
  readonly job?: string;
  /** By what jobs are coloured, and the places of the runs shown. */
  readonly color?: string;
  readonly charts?: string;
}

const LOOK = ['view', 'span', 'at', 'job', 'color', 'charts'] as const;

/** All that a link says. */
export interface Address {
  readonly setup: Setup;
  readonly code: readonly CodeText[];
  readonly forks: readonly ForkAsked[];
  readonly look: Look;
}

const METHOD = 'method';
const CODE = 'code.';
const FORK = 'whatif';

const toText = (entries: Texts) => new URLSearchParams(entries).toString();

/** An address of `gridalloc explore` with its token, which is only for the user who has started it. */
const WITH_TOKEN = /^(http:\/\/(?:127\.0\.0\.1|localhost):\d+)\/[\w-]{43}\//;

/** An address as it may be handed on; `gridalloc explore LINK` shows what it says. */
export function linkOf(address: string): string {
  return address.replace(WITH_TOKEN, '$1/');
}

/** The part of an address behind `#`. */
export function writeAddress({ setup, code, forks, look }: Address): string {
  const parts = new URLSearchParams(setup.options);
  for (const method of setup.methods) parts.append(METHOD, toText(method));
  for (const { name, text } of code) parts.append(CODE + name, text);
  for (const { run, time, change } of forks) parts.append(FORK, `${run},${time ?? ''},${toText(change)}`);
  for (const name of LOOK) if (look[name] !== undefined) parts.set(name, look[name]);
  return parts.toString();
}

/** What an address says; undefined where it says no workload. */
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

/** A span of an address. */
export function spanIn(text: string | undefined): readonly [number, number] | undefined {
  const [from, to] = (text ?? '').split(',').map(Number);
  return to > from ? [from, to] : undefined;
}
