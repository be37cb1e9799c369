/** `npm run generate`: writes the parts of the docs that the code says, and keeps the types of the core as built; tests hold them against it. */
import { copyFileSync, existsSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { generatedPages } from './generated.js';

const root = fileURLToPath(new URL('../', import.meta.url));

const types = `${root}build/release.d.ts`;
if (existsSync(types)) copyFileSync(types, `${root}host/core/bindings.d.ts`);

for (const { path, expected } of await generatedPages()) writeFileSync(root + path, expected);
