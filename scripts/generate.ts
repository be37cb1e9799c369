/** `npm run generate`: writes the parts of the docs that the code says; tests compare them with it. */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import './descriptions.js';
import { generatedPages } from './generated.js';

const root = fileURLToPath(new URL('../', import.meta.url));

for (const { path, expected } of await generatedPages()) writeFileSync(root + path, expected);
