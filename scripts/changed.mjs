/** Writes generated files only if their text has changed, so that nothing is compiled again without need. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

/** Writes a text to a file, given by its path in the project, unless the file has this text. */
export function writeChanged(path, text) {
  const url = new URL(`../${path}`, import.meta.url);
  if (!existsSync(url) || readFileSync(url, 'utf8') !== text) writeFileSync(url, text);
}
