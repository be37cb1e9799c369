/** Which files a log is in: one, or several that follow one another. */

import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { InputError } from '../errors.js';
import { escapeText } from '../format/escape.js';
import { firstOf } from '../lists.js';
import { shellWord } from '../trace/quote.js';
import { isModelText } from '../workload/models.js';

/** Several files as one text: `{first.swf,second.swf}`; one file is its path. */
export function joinFiles(files: readonly string[]): string {
  if (files.length === 1) return firstOf(files);
  return `{${files.map((file) => file.replaceAll(/[\\{},]/g, '\\$&')).join(',')}}`;
}

/** A workload as `joinFiles` writes it, with its paths from the root; a model as it is. */
export function absoluteFiles(text: string): string {
  if (isModelText(text) || text === '-') return text;
  return isList(text) && !existsSync(text)
    ? joinFiles(splitList(text.slice(1, -1)).map((file) => resolve(file)))
    : resolve(text);
}

const isList = (text: string) => /^\{.*\}$/s.test(text);

/** @throws InputError for the address of something on the web, with the command that fetches it. */
export function refuseAddress(source: string): void {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(source) || existsSync(source)) return;
  const file = basename(source.replace(/[?#].*$/s, '')) || 'FILE';
  throw new InputError(
    `${escapeText(source)} is a URL; fetch it first: curl -L -o ${shellWord(file)} ${shellWord(source)}, then give ${escapeText(file)}`,
  );
}

/**
 * The files of a log: a path; `{first.swf,second.swf}`, in this order; or a pattern in which `*` stands for any
 * characters of a name and `?` for one, in the order of their names (numbers in them by size).
 * @throws InputError when no file matches, and for a URL.
 */
export async function expandFiles(text: string): Promise<string[]> {
  if (text === '-' || existsSync(text)) return [text];
  const parts = isList(text) ? splitList(text.slice(1, -1)) : [text];
  const found = await Promise.all(parts.map(matching));
  return found.flat();
}

/** The parts between commas; a backslash takes the meaning of the next character away. */
function splitList(text: string): string[] {
  const parts = text.match(/(?:\\.|[^\\,])+/gs) ?? [];
  return parts.map((part) => part.replaceAll(/\\(.)/gs, '$1'));
}

async function matching(pattern: string): Promise<string[]> {
  refuseAddress(pattern);
  if (!/[*?]/.test(pattern) || existsSync(pattern)) return [pattern];
  const names = pattern.split('/');
  const start = pattern.startsWith('/') ? '/' : '.';
  let found = [start];
  for (const name of names.filter((each) => each !== '')) {
    const below = await Promise.all(found.map((folder) => namesLike(folder, name)));
    found = below.flat();
  }
  if (found.length === 0) {
    throw new InputError(`no file is like ${escapeText(pattern)}; check the path of the job logs`);
  }
  return found;
}

/** Paths in a folder whose last part is like a pattern. */
async function namesLike(folder: string, pattern: string): Promise<string[]> {
  const path = (name: string) => (folder === '.' ? name : join(folder, name));
  if (!/[*?]/.test(pattern)) return existsSync(path(pattern)) ? [path(pattern)] : [];
  const source = [...pattern].map((char) =>
    char === '*' ? '.*' : char === '?' ? '.' : char.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&'),
  );
  const like = new RegExp(`^${source.join('')}$`, 'su');
  const names = await readdir(folder).catch(() => []);
  const visible = names.filter(
    (name) => like.test(name) && (!name.startsWith('.') || pattern.startsWith('.')),
  );
  return visible.sort(new Intl.Collator('en', { numeric: true }).compare).map(path);
}
