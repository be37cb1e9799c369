/**
 * Results of the reference for the cases of a kind, as hashes of batches of cases, kept with a hash of the sources that
 * made them. What was recorded by other sources does not count.
 */
import { createHash, type Hash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Cases of a batch. */
export const BATCH = 50;

const here = fileURLToPath(new URL('.', import.meta.url));

/** Lines of comments alone. */
const COMMENTS = /^[ \t]*(?:\/\/.*|\/\*(?:[^*]|\*(?!\/))*\*\/)[ \t]*\n/gm;

/** The hash of the reference and of the cases that it is asked, but for comments on their own lines. */
const SOURCES = (() => {
  const hash = createHash('sha256');
  for (const folder of ['simulator', 'cases'])
    for (const name of readdirSync(`${here}${folder}`).sort()) {
      const text = readFileSync(`${here}${folder}/${name}`, 'utf8');
      hash.update(`${folder}/${name}\n`).update(text.replace(COMMENTS, ''));
    }
  return hash.digest('hex');
})();

const folder = `${here}recorded/`;
const fileOf = (kind: string) => `${folder}${kind.replaceAll(/\W+/g, '-')}.json`;

/** The files of results recorded by other sources than today's. */
export function staleRecords(): readonly string[] {
  return readdirSync(folder).filter(
    (name) => JSON.parse(readFileSync(`${folder}${name}`, 'utf8')).sources !== SOURCES,
  );
}

/** Hashes of the batches of a kind; none where there are none by today's sources. */
export function recordedHashes(kind: string): readonly string[] {
  if (!existsSync(fileOf(kind))) return [];
  const { sources, batches } = JSON.parse(readFileSync(fileOf(kind), 'utf8'));
  return sources === SOURCES ? batches : [];
}

/** Keeps the hashes of all batches of a kind. */
export function recordHashes(kind: string, batches: readonly string[]): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(fileOf(kind), `${JSON.stringify({ sources: SOURCES, batches }, null, 1)}\n`);
}

/** Hashes results by value: equal ones alike, to the bit of every number, whatever the order of their keys. */
export class ResultHash {
  readonly #hash: Hash = createHash('sha256');
  readonly #numbers: number[] = [];
  #shape = '';

  add(result: unknown): void {
    this.#walk(result);
    this.#hash.update(`${this.#shape}\n`).update(Float64Array.from(this.#numbers));
    this.#numbers.length = 0;
    this.#shape = '';
  }

  digest(): string {
    return this.#hash.digest('hex').slice(0, 16);
  }

  #walk(value: unknown): void {
    if (typeof value === 'number') this.#numbers.push(value);
    else if (Array.isArray(value)) {
      this.#shape += `[${value.length}`;
      for (const each of value) this.#walk(each);
    } else if (typeof value === 'object' && value !== null) {
      this.#shape += '{';
      for (const [key, each] of Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) {
        if (each === undefined) continue;
        this.#shape += `${key}:`;
        this.#walk(each);
      }
      this.#shape += '}';
    } else this.#shape += JSON.stringify(value ?? null);
  }
}
