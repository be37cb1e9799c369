import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { CoreBuild } from '../../host/core/module.js';
import { coreFile } from '../../host/files/coreFile.js';
import { FEATURES } from '../../scripts/contractFiles.js';

/**
 * Checks the interface of the compiled core: it imports nothing, and its functions take and return only
 * single numbers.
 */

const readBytesOfBuild = (coreBuild: CoreBuild) => readFileSync(coreFile(coreBuild));

/** Reader of the sections of a WebAssembly module; see the WebAssembly core specification, chapter 5. */
class ModuleReader {
  readonly #bytes: Uint8Array;
  #at = 8;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  #byte(): number {
    return this.#bytes[this.#at++];
  }

  /** Reads an unsigned LEB128 number. */
  #number(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.#byte();
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  }

  #list<T>(read: () => T): T[] {
    return Array.from({ length: this.#number() }, read);
  }

  #name(): string {
    return String.fromCharCode(...this.#list(() => this.#byte()));
  }

  /**
   * Types of parameters and results of the exported functions, by name. Only for modules without
   * imported functions.
   */
  signatures(): Map<string, { parameters: number[]; results: number[] }> {
    const sectionsByName: { types?: { parameters: number[]; results: number[] }[]; functions?: number[] } =
      {};
    const signatures = new Map<string, { parameters: number[]; results: number[] }>();
    while (this.#at < this.#bytes.length) {
      const section = this.#byte();
      const end = this.#number() + this.#at;
      if (section === 1) sectionsByName.types = this.#list(() => this.#type());
      if (section === 3) sectionsByName.functions = this.#list(() => this.#number());
      if (section === 7) {
        for (const { name, kind, index } of this.#list(() => this.#export())) {
          if (kind === 0) signatures.set(name, sectionsByName.types![sectionsByName.functions![index]]);
        }
      }
      this.#at = end;
    }
    return signatures;
  }

  #type() {
    expect(this.#byte()).toBe(0x60);
    return { parameters: this.#list(() => this.#byte()), results: this.#list(() => this.#byte()) };
  }

  #export() {
    return { name: this.#name(), kind: this.#byte(), index: this.#number() };
  }
}

const WASM_TYPE_I32 = 0x7f;
const WASM_TYPE_F64 = 0x7c;

/** True if wabt's validator accepts the release binary with these WebAssembly features disabled. */
function isValidWithoutFeatures(disabledFeatures: readonly string[]): boolean {
  const commandWords = disabledFeatures.map((wasmFeature) => `--disable-${wasmFeature}`);
  try {
    execFileSync('wasm-validate', [...commandWords, fileURLToPath(coreFile('release'))], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

test.skipIf(!isValidWithoutFeatures([]) && process.env.CI === undefined)(
  'the release binary needs only the listed features beyond the first version of WebAssembly',
  () => {
    expect(isValidWithoutFeatures(['simd', 'multi-value', 'mutable-globals'])).toBe(true);
    expect(FEATURES.filter((wasmFeature) => isValidWithoutFeatures([wasmFeature]))).toEqual([]);
  },
);

describe('the release binary', () => {
  const module = new WebAssembly.Module(readBytesOfBuild('release'));

  test('imports nothing', () => {
    expect(WebAssembly.Module.imports(module)).toEqual([]);
  });

  test('takes and gives only i32 and f64', () => {
    const signatures = new ModuleReader(readBytesOfBuild('release')).signatures();
    const functions = WebAssembly.Module.exports(module).filter(
      ({ kind: exportKind }) => exportKind === 'function',
    );
    expect([...signatures.keys()].sort()).toEqual(functions.map(({ name: exportName }) => exportName).sort());
    expect(signatures.get('runUntil')).toEqual({
      parameters: [WASM_TYPE_I32, WASM_TYPE_I32, WASM_TYPE_F64],
      results: [WASM_TYPE_I32],
    });
    for (const [name, { parameters, results }] of signatures) {
      const unexpectedTypes = [...parameters, ...results].filter(
        (type) => type !== WASM_TYPE_I32 && type !== WASM_TYPE_F64,
      );
      expect(unexpectedTypes, name).toEqual([]);
    }
  });

  test('exports functions, its memory and numbers that never change', () => {
    const wasmInstance = new WebAssembly.Instance(module);
    const exportsExceptFunctions = WebAssembly.Module.exports(module).filter(
      ({ kind: exportKind }) => exportKind !== 'function',
    );
    expect(
      exportsExceptFunctions
        .filter(({ kind: exportKind }) => exportKind === 'memory')
        .map(({ name: exportName }) => exportName),
    ).toEqual(['memory']);
    for (const { name: exportName } of exportsExceptFunctions.filter(
      ({ kind: exportKind }) => exportKind === 'global',
    )) {
      const exportedGlobal = wasmInstance.exports[exportName] as WebAssembly.Global;
      expect(() => {
        exportedGlobal.value = 0;
      }, exportName).toThrow(TypeError);
    }
  });
});

test('only the build for explanations records anything', () => {
  const listExportsOfBuild = (coreBuild: CoreBuild) =>
    WebAssembly.Module.exports(new WebAssembly.Module(readBytesOfBuild(coreBuild))).map(
      ({ name: exportName }) => exportName,
    );
  const exportsOfExplainingBuildOnly = listExportsOfBuild('explaining').filter(
    (name) => !listExportsOfBuild('release').includes(name),
  );
  expect(exportsOfExplainingBuildOnly.filter((name) => !name.startsWith('Note.')).sort()).toEqual([
    'recordedCount',
    'recordedLost',
    'watch',
  ]);
  expect(
    listExportsOfBuild('release').filter((name) => !listExportsOfBuild('explaining').includes(name)),
  ).toEqual([]);
  for (const build of ['shared', 'checked'] as const) {
    expect(listExportsOfBuild(build).filter((name) => exportsOfExplainingBuildOnly.includes(name))).toEqual(
      [],
    );
  }
  // The release build must be clearly smaller than the build that records explanations; otherwise
  // the flag has no effect.
  expect(readBytesOfBuild('explaining').length - readBytesOfBuild('release').length).toBeGreaterThan(5000);
});

test('the shared binary imports its memory and nothing else', () => {
  const moduleImports = WebAssembly.Module.imports(new WebAssembly.Module(readBytesOfBuild('shared')));
  expect(moduleImports).toEqual([{ module: 'env', name: 'memory', kind: 'memory' }]);
});

const generatedTypesPath = fileURLToPath(new URL('../../build/release.d.ts', import.meta.url));

test.skipIf(!existsSync(generatedTypesPath))('the host has the types that the compiler found', () => {
  const bindingsPath = fileURLToPath(new URL('../../host/core/bindings.d.ts', import.meta.url));
  expect(readFileSync(bindingsPath, 'utf8')).toBe(readFileSync(generatedTypesPath, 'utf8'));
});
