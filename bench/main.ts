/** `npm run bench`: all benchmarks; with --check only that their results are right. */
import '../host/files/coreFile.js';
import { benchAllocators } from './allocators.js';
import { benchDisciplines } from './disciplines.js';
import { benchEnvironment } from './environment.js';
import { benchPlanning } from './planning.js';
import { benchSharing } from './sharing.js';
import { benchStudy } from './study.js';
import { benchSwf } from './swf.js';

const checkOnly = process.argv.includes('--check');
await benchAllocators(checkOnly);
await benchSharing(checkOnly);
await benchDisciplines(checkOnly);
benchPlanning(checkOnly);
await benchEnvironment(checkOnly);

const study = await benchStudy(checkOnly);
const [one, two] = study.seconds.map((seconds) => seconds.toFixed(1));
const gain = `one thread ${one} s, two ${two} s: ${study.speedup.toFixed(2)} times as fast`;
console.log(`study: ${study.runs} runs give the same with two threads${checkOnly ? '' : `; ${gain}`}`);

const { name, checked, megabytesPerSecond } = await benchSwf();
if (!checked) throw new Error(`${name}: what was read is wrong`);
console.log(`${name}: read as written${checkOnly ? '' : `, ${megabytesPerSecond.toFixed(0)} MB/s`}`);
