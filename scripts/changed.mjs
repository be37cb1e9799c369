/** How what is generated is written: only where it has changed, so that nothing is compiled again for it. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

/** Writes a file of the project, given by its path in it, unless it holds that text. */
export function writeChanged(path, text) {
  const url = new URL(`../${path}`, import.meta.url);
  if (!existsSync(url) || readFileSync(url, 'utf8') !== text) writeFileSync(url, text);
}
