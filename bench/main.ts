/** `npm run bench`: all benchmarks; with --check only that their results are right. */
import { benchAllocators } from './allocators.js';
import { benchDisciplines } from './disciplines.js';
import { benchSwf } from './swf.js';

const checkOnly = process.argv.includes('--check');
await benchAllocators(checkOnly);
await benchDisciplines(checkOnly);
const { name, checked, megabytesPerSecond } = await benchSwf();
if (!checked) throw new Error(`${name}: what was read is wrong`);
console.log(`${name}: read as written${checkOnly ? '' : `, ${megabytesPerSecond.toFixed(0)} MB/s`}`);
