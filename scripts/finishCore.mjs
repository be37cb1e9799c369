/**
 * `node scripts/finishCore.mjs CORE.wasm [SHARED.wasm]`: writes 48 bits of a binary's hash into it, which
 * identify it. With a second path, also writes the same code on a memory shared by threads, with an id of its
 * own. Custom cores are finished in the same way.
 */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';

/** Placeholder of the id in the compiled code: assembly/engine/sealState.ts. */
const ID_PLACEHOLDER = Buffer.from(Float64Array.of(7919.0001220703125).buffer);

/** Numbers of module sections in the WebAssembly core specification, section 5.5.2. */
const TYPE_SECTION_ID = 1;
const MEMORY_SECTION_ID = 5;

/** Import of the memory shared by threads, `env.memory`: at least two pages, at most 4 GiB. */
const SHARED_MEMORY_IMPORT = Buffer.from('\x02\x12\x01\x03env\x06memory\x02\x03\x02\x80\x80\x04', 'latin1');

/** Sections of a binary: number, and bytes including the section's head. */
function* readSections(binary) {
  for (let offset = 8; offset < binary.length; ) {
    const sectionBegin = offset++;
    let length = 0;
    for (let placeValue = 1, byte = 128; byte >= 128; placeValue *= 128) {
      byte = binary[offset++];
      length += (byte & 127) * placeValue;
    }
    offset += length;
    yield { id: binary[sectionBegin], bytes: binary.subarray(sectionBegin, offset) };
  }
}

/** Returns the binary with an imported, shared memory instead of its own. */
function importSharedMemory(binary) {
  const sections = [...readSections(binary)].filter(({ id }) => id !== MEMORY_SECTION_ID);
  const sectionBytes = sections.flatMap(({ id, bytes }) =>
    id === TYPE_SECTION_ID ? [bytes, SHARED_MEMORY_IMPORT] : [bytes],
  );
  return Buffer.concat([binary.subarray(0, 8), ...sectionBytes]);
}

/** Writes a binary with its id. */
function writeBinaryWithId(binary, outputPath) {
  const id = Float64Array.of(createHash('sha256').update(binary).digest().readUIntBE(0, 6));
  const placeholderOffsets = [];
  for (
    let offset = binary.indexOf(ID_PLACEHOLDER);
    offset >= 0;
    offset = binary.indexOf(ID_PLACEHOLDER, offset + 1)
  )
    placeholderOffsets.push(offset);
  if (placeholderOffsets.length === 0) throw new Error(`${outputPath} has no place for the id of the build`);
  for (const offset of placeholderOffsets) Buffer.from(id.buffer).copy(binary, offset);
  writeFileSync(outputPath, binary);
}

const [corePath, sharedCorePath] = process.argv.slice(2);
const compiledCoreBytes = readFileSync(corePath);
if (sharedCorePath !== undefined) writeBinaryWithId(importSharedMemory(compiledCoreBytes), sharedCorePath);
writeBinaryWithId(compiledCoreBytes, corePath);
