/**
 * Recorded results of the reference simulator, as hashes of batches of cases, with a hash of the
 * source files that produced them. Recordings from other sources are ignored.
 */
import { createHash, type Hash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Number of cases per batch. */
export const CASES_PER_BATCH = 50;

const recordedTestsFolder = fileURLToPath(new URL('.', import.meta.url));

/** Matches lines that contain only a comment. */
const COMMENT_PATTERN = /^[ \t]*(?:\/\/.*|\/\*(?:[^*]|\*(?!\/))*\*\/)[ \t]*\n/gm;

/**
 * Hash of the sources of the reference simulator and of the cases, without comments on lines of
 * their own.
 */
const SOURCES_HASH = (() => {
  const hash = createHash('sha256');
  for (const folder of ['simulator', 'cases'])
    for (const name of readdirSync(`${recordedTestsFolder}${folder}`).sort()) {
      const sourceText = readFileSync(`${recordedTestsFolder}${folder}/${name}`, 'utf8');
      hash.update(`${folder}/${name}\n`).update(sourceText.replace(COMMENT_PATTERN, ''));
    }
  return hash.digest('hex');
})();

const folder = `${recordedTestsFolder}recorded/`;
const recordedFilePath = (caseKind: string) => `${folder}${caseKind.replaceAll(/\W+/g, '-')}.json`;

/** Files with results recorded from other sources than the current ones. */
export function findStaleRecordings(): readonly string[] {
  return readdirSync(folder).filter(
    (name) => JSON.parse(readFileSync(`${folder}${name}`, 'utf8')).sources !== SOURCES_HASH,
  );
}

/** Hashes of the batches of a kind; empty if the recording is missing or from other sources. */
export function readRecordedHashes(caseKind: string): readonly string[] {
  if (!existsSync(recordedFilePath(caseKind))) return [];
  const { sources, batches } = JSON.parse(readFileSync(recordedFilePath(caseKind), 'utf8'));
  return sources === SOURCES_HASH ? batches : [];
}

/** Records the hashes of all batches of a kind. */
export function writeRecordedHashes(caseKind: string, batches: readonly string[]): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    recordedFilePath(caseKind),
    `${JSON.stringify({ sources: SOURCES_HASH, batches }, null, 1)}\n`,
  );
}

/** Hashes results by value: equal numbers to the last bit, in any order of object keys. */
export class SimulationResultHash {
  readonly #hash: Hash = createHash('sha256');
  readonly #numbers: number[] = [];
  #shape = '';

  add(referenceResult: unknown): void {
    this.#walk(referenceResult);
    this.#hash.update(`${this.#shape}\n`).update(Float64Array.from(this.#numbers));
    this.#numbers.length = 0;
    this.#shape = '';
  }

  digest(): string {
    return this.#hash.digest('hex').slice(0, 16);
  }

  #walk(hashedValue: unknown): void {
    if (typeof hashedValue === 'number') this.#numbers.push(hashedValue);
    else if (Array.isArray(hashedValue)) {
      this.#shape += `[${hashedValue.length}`;
      for (const each of hashedValue) this.#walk(each);
    } else if (typeof hashedValue === 'object' && hashedValue !== null) {
      this.#shape += '{';
      for (const [key, each] of Object.entries(hashedValue).sort(([a], [b]) => (a < b ? -1 : 1))) {
        if (each === undefined) continue;
        this.#shape += `${key}:`;
        this.#walk(each);
      }
      this.#shape += '}';
    } else this.#shape += JSON.stringify(hashedValue ?? null);
  }
}
