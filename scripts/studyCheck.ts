/**
 * Part of `npm run build`: compiles the schema check of studies to a module, because compiling it at run time
 * takes longer than most sweeps.
 */
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import makeStandalone from 'ajv/dist/standalone/index.js';
import { build } from 'esbuild';
import '../host/files/coreFile.js';
import { STUDY_SCHEMA } from '../host/study/schema.js';
import { writeChanged } from './changed.mjs';

const TYPE_DECLARATIONS_TEXT = `import type { ValidateFunction } from 'ajv';
declare const check: ValidateFunction;
export default check;
`;

const ajv = new Ajv({ allErrors: true, verbose: true, strict: false, code: { source: true, esm: true } });
const validatorModuleCode = makeStandalone.default(ajv, ajv.compile(STUDY_SCHEMA));
const { outputFiles } = await build({
  stdin: { contents: validatorModuleCode, resolveDir: fileURLToPath(new URL('.', import.meta.url)) },
  ...{ bundle: true, write: false, minify: true, format: 'esm', target: 'node20', charset: 'ascii' },
});
writeChanged('host/study/studyCheck.js', outputFiles[0]!.text);
writeChanged('host/study/studyCheck.d.ts', TYPE_DECLARATIONS_TEXT);
