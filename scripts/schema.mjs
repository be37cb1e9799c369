/** `npm run schema`: writes the schema of study files for editors, studies/study.schema.json, from its one source. */
import { writeFileSync } from 'node:fs';
import { STUDY_SCHEMA } from '../dist/study/schema.js';

writeFileSync(
  new URL('../studies/study.schema.json', import.meta.url),
  `${JSON.stringify(STUDY_SCHEMA, null, 2)}\n`,
);
