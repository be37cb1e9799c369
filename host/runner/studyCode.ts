/** Files with functions that a study names. */
import { readCode, requireAllowed } from '../code/read.js';
import { type CodeFile, isCodeName, TAKING_CODE } from '../options/code.js';
import type { RunSettings } from '../options/configuration.js';
import { codeOf } from '../options/document.js';
import type { Setting } from '../study/expand.js';

/** The files of a study, each read once. */
export class StudyCode {
  readonly #isAllowed: boolean;
  readonly #files = new Map<string, CodeFile>();

  constructor(isAllowed: boolean) {
    this.#isAllowed = isAllowed;
  }

  get files(): readonly CodeFile[] {
    return [...this.#files.values()];
  }

  /**
   * Reads the files that a setting names; nothing in them runs.
   * @throws InputError when that is not allowed, or one cannot be read.
   */
  async read({ options, locate }: Pick<Setting, 'options' | 'locate'>): Promise<void> {
    for (const [option, text] of Object.entries(options)) {
      if (!TAKING_CODE.includes(option) || !isCodeName(text) || this.#files.has(text)) continue;
      requireAllowed(this.#isAllowed, `${locate(option)}: ${option} is the file ${text}`);
      this.#files.set(text, await readCode(text));
    }
  }
}

/** The hashes of the files that a run names, by name; undefined where it names none. */
export function hashesOf(run: RunSettings): Readonly<Record<string, string>> | undefined {
  const files = codeOf(run);
  return files.length === 0 ? undefined : Object.fromEntries(files.map(({ name, sha256 }) => [name, sha256]));
}
