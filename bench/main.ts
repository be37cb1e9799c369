/**
 * `npm run bench`: all benchmarks; with --check only their correctness; with --json FILE all times as JSON
 * too.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describeThisMachine } from '../host/bench/bench.js';
import { hashCoreBinarySha256 } from '../host/files/coreFile.js';
import { benchAccounting } from './accounting.js';
import { benchAllocators } from './allocators.js';
import { benchChoosing } from './choosing.js';
import { benchDisciplines } from './disciplines.js';
import { benchEnvironment } from './environment.js';
import { benchLibrary } from './library.js';
import { benchLiveStates } from './liveStates.js';
import { readCompilerVersion } from './native.js';
import { benchPasses } from './passes.js';
import { benchPlanning } from './planning.js';
import { benchSharing } from './sharing.js';
import { benchStreams } from './streams.js';
import { benchSwf } from './swf.js';

const isCheckOnly = process.argv.includes('--check');
const jsonOptionIndex = process.argv.indexOf('--json');

/** Returns the version of an installed package. */
function readPackageVersion(name: string): string {
  const path = fileURLToPath(new URL(`../node_modules/${name}/package.json`, import.meta.url));
  return JSON.parse(readFileSync(path, 'utf8')).version;
}

const allocatorTimes = await benchAllocators(isCheckOnly);
const sharingTimes = await benchSharing(isCheckOnly);
await benchDisciplines(isCheckOnly);
await benchPlanning(isCheckOnly);
await benchPasses(isCheckOnly);
await benchLibrary(isCheckOnly);
await benchLiveStates(isCheckOnly);
await benchStreams(isCheckOnly);
await benchChoosing(isCheckOnly);
await benchEnvironment(isCheckOnly);

const reading = await benchSwf();
const { name, checked, megabytesPerSecond } = reading;
if (!checked) throw new Error(`${name}: what was read is wrong`);
console.log(`${name}: read as written${isCheckOnly ? '' : `, ${megabytesPerSecond.toFixed(0)} MB/s`}`);

const readingCosts = await benchAccounting(isCheckOnly);
const { seconds: readSeconds, memory, pythonSeconds } = readingCosts;
const timeRatioTexts = Object.entries(readSeconds).map(
  ([fileFormat, seconds]) => `${fileFormat} ${(seconds / readSeconds.swf).toFixed(2)}`,
);
const pythonRatioText =
  pythonSeconds === undefined ? '' : `, Python's csv module ${(pythonSeconds / readSeconds.swf).toFixed(2)}`;
console.log(
  `reading a million jobs: the same in ${timeRatioTexts.length} forms${isCheckOnly ? '' : `; processor time over that of SWF: ${timeRatioTexts.join(', ')}${pythonRatioText}`}`,
);

const megabytes = Object.entries(memory).map(
  ([fileFormat, { peak, heap }]) => `${fileFormat} ${peak.toFixed(0)} (${heap.toFixed(0)})`,
);
if (!isCheckOnly)
  console.log(`peak memory of reading them, MB (heap of JavaScript): ${megabytes.join(', ')}`);

const peakMegabytes = process.resourceUsage().maxRSS / 1024;
if (!isCheckOnly) console.log(`most memory of this process: ${peakMegabytes.toFixed(0)} MB`);

if (jsonOptionIndex >= 0) {
  const versions = {
    assemblyscript: readPackageVersion('assemblyscript'),
    compiler: readCompilerVersion() ?? null,
  };
  const measuredSystem = {
    machine: describeThisMachine(),
    versions,
    binary: hashCoreBinarySha256('release'),
  };
  const times = {
    allocators: allocatorTimes,
    sharing: sharingTimes,
    reading,
    accounting: readingCosts,
    peakMegabytes,
  };
  writeFileSync(
    process.argv[jsonOptionIndex + 1],
    `${JSON.stringify({ ...measuredSystem, ...times }, null, 2)}\n`,
  );
}
