/** Format version, writing and provenance of the JSON documents of this program. */
import { readFileSync } from 'node:fs';
import { openCore } from '../core/module.js';
import { InputError } from '../errors.js';
import { hashCoreBinarySha256 } from '../files/coreFile.js';
import { stringifyJsonSafely } from '../format/text.js';

/**
 * Current format version. Documents without a version (gridalloc 0.1.0) have format 1; the version rises
 * when the meaning of a field changes.
 */
export const DOCUMENT_FORMAT_VERSION = 2;

/** Adds the format version to an object; other values, such as lists, are returned unchanged. */
export function addDocumentFormat(document: unknown): unknown {
  if (typeof document !== 'object' || document === null || Array.isArray(document)) return document;
  return { format: DOCUMENT_FORMAT_VERSION, ...document };
}

/** Text of a JSON document, for files and standard output. */
export function stringifyDocument(document: unknown): string {
  return `${stringifyJsonSafely(addDocumentFormat(document))}\n`;
}

/**
 * Format version of a document read from a file.
 * @throws InputError if a later program wrote it.
 */
export function readDocumentFormatVersion(document: unknown, path: string): number {
  const { format = 1 } = (document ?? {}) as { format?: unknown };
  if (typeof format === 'number' && format <= DOCUMENT_FORMAT_VERSION) return format;
  throw new InputError(
    `${path} is of format ${String(format)}, this program reads up to format ${DOCUMENT_FORMAT_VERSION}; read it with the gridalloc that wrote it, or a later one`,
  );
}

/** Version of the package (package.json). */
export function readPackageVersion(): string {
  const file = new URL('../../package.json', import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}

/** Versions and hash of the program that produced a result. */
export interface ProgramVersions {
  /** Version of the package. */
  readonly gridalloc: string;
  /** Version of the contract between core and host (ABI). */
  readonly abi: number;
  /** Build of the core: `release` for simulations, `shared` (shared memory) for the threads of studies. */
  readonly coreBuild: 'release' | 'shared';
  /** SHA-256 of the core's binary. */
  readonly coreSha256: string;
}

/** Versions and hash of the running program. */
export function readProgramVersions(): ProgramVersions {
  return {
    gridalloc: readPackageVersion(),
    abi: openCore().abiVersion(),
    coreBuild: 'release',
    coreSha256: hashCoreBinarySha256('release'),
  };
}
