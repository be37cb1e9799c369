/**
 * `node scripts/finishCore.mjs CORE.wasm [SHARED.wasm]`: writes 48 bits of a binary's hash into it, which
 * identify it. With a second path, also writes the same code on a memory shared by threads, with an id of its
 * own. Custom cores are finished in the same way.
 */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';

/** Placeholder of the id in the compiled code: assembly/engine/sealState.ts. */
const STAND_IN = Buffer.from(Float64Array.of(7919.0001220703125).buffer);

/** Numbers of module sections in the WebAssembly core specification, section 5.5.2. */
const TYPES = 1;
const MEMORY = 5;

/** Import of the memory shared by threads, `env.memory`: at least two pages, at most 4 GiB. */
const IMPORT = Buffer.from('\x02\x12\x01\x03env\x06memory\x02\x03\x02\x80\x80\x04', 'latin1');

/** Sections of a binary: number, and bytes including the section's head. */
function* sectionsOf(binary) {
  for (let at = 8; at < binary.length; ) {
    const begin = at++;
    let length = 0;
    for (let scale = 1, byte = 128; byte >= 128; scale *= 128) {
      byte = binary[at++];
      length += (byte & 127) * scale;
    }
    at += length;
    yield { id: binary[begin], bytes: binary.subarray(begin, at) };
  }
}

/** Returns the binary with an imported, shared memory instead of its own. */
function onSharedMemory(binary) {
  const sections = [...sectionsOf(binary)].filter(({ id }) => id !== MEMORY);
  const kept = sections.flatMap(({ id, bytes }) => (id === TYPES ? [bytes, IMPORT] : [bytes]));
  return Buffer.concat([binary.subarray(0, 8), ...kept]);
}

/** Writes a binary with its id. */
function finish(binary, path) {
  const id = Float64Array.of(createHash('sha256').update(binary).digest().readUIntBE(0, 6));
  const places = [];
  for (let at = binary.indexOf(STAND_IN); at >= 0; at = binary.indexOf(STAND_IN, at + 1)) places.push(at);
  if (places.length === 0) throw new Error(`${path} has no place for the id of the build`);
  for (const at of places) Buffer.from(id.buffer).copy(binary, at);
  writeFileSync(path, binary);
}

const [path, shared] = process.argv.slice(2);
const compiled = readFileSync(path);
if (shared !== undefined) finish(onSharedMemory(compiled), shared);
finish(compiled, path);
