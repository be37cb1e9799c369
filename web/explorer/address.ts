/** Settings in the address of the page, so that a link shows the same. Functions are in it as text, and do not run. */
import type { CodeText, Setup, Texts } from './protocol.js';

/** A fork: from a run, at a time, under a policy. */
export interface ForkAsked {
  readonly run: number;
  readonly time: number;
  readonly policy: string;
}

/** All that a link says. */
export interface Address {
  readonly setup: Setup;
  readonly code: readonly CodeText[];
  readonly forks: readonly ForkAsked[];
  /** What is looked at, in seconds on the clock of the log. */
  readonly window?: readonly [number, number];
  readonly job?: string;
}

const METHOD = 'method';
const CODE = 'code.';
const FORK = 'fork';

const toText = (entries: Texts) => new URLSearchParams(entries).toString();

/** An address of `gridalloc explore` with its token, which is for nobody but whoever has started that. */
const WITH_TOKEN = /^(http:\/\/(?:127\.0\.0\.1|localhost):\d+)\/[\w-]{43}\//;

/** An address as it may be handed on; `gridalloc explore LINK` shows what it says. */
export function linkOf(address: string): string {
  return address.replace(WITH_TOKEN, '$1/');
}

/** The part of an address behind `#`. */
export function writeAddress({ setup, code, forks, window, job }: Address): string {
  const parts = new URLSearchParams(setup.options);
  for (const method of setup.methods) parts.append(METHOD, toText(method));
  for (const { name, text } of code) parts.append(CODE + name, text);
  for (const { run, time, policy } of forks) parts.append(FORK, `${run},${time},${policy}`);
  if (window !== undefined) parts.set('view', window.join(','));
  if (job !== undefined) parts.set('job', job);
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
    else if (![METHOD, FORK, 'view', 'job'].includes(name)) options[name] = value;
  }
  const methods = parts.getAll(METHOD).map((text) => Object.fromEntries(new URLSearchParams(text)));
  const forks = parts.getAll(FORK).map((text) => {
    const [run, time, ...policy] = text.split(',');
    return { run: Number(run), time: Number(time), policy: policy.join(',') };
  });
  const [from, to] = (parts.get('view') ?? '').split(',').map(Number);
  const job = parts.get('job');
  return {
    setup: { options, methods: methods.length === 0 ? [{}] : methods },
    code,
    forks,
    ...(to > from ? { window: [from, to] } : {}),
    ...(job === null ? {} : { job }),
  };
}
