/** `npm run bench`: all benchmarks; with --check only that their results are right. */
import { benchAllocators } from './allocators.js';
import { benchSwf } from './swf.js';

const checkOnly = process.argv.includes('--check');
await benchAllocators(checkOnly);
const swf = await benchSwf();
console.log(`${swf.name}: ${swf.checked}${checkOnly ? '' : `, ${swf.megabytesPerSecond.toFixed(0)} MB/s`}`);
