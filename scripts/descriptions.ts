/**
 * Part of `npm run build`: writes what editors and other programs read and nobody reads on a forge. These files are in the
 * package, and not in git.
 */
import { writeFileSync } from 'node:fs';
import '../host/files/coreFile.js';
import { STUDY_SCHEMA } from '../host/study/schema.js';
import { description, header, wrappers } from './contractFiles.js';
import { SUMMARY_SCHEMA } from './summarySchema.js';

const json = (value: object) => `${JSON.stringify(value, null, 2)}\n`;

const FILES: Readonly<Record<string, () => string>> = {
  'studies/study.schema.json': () => json(STUDY_SCHEMA),
  'docs/summary.schema.json': () => json(SUMMARY_SCHEMA),
  'native/gridalloc.c': wrappers,
  'native/gridalloc.h': header,
  'docs/abi.json': () => json(description()),
};

for (const [path, make] of Object.entries(FILES))
  writeFileSync(new URL(`../${path}`, import.meta.url), make());
