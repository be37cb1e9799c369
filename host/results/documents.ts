/** The JSON documents of this program carry the version of their format, so that a later program knows how to read them. */
import { readFileSync } from 'node:fs';
import { openCore } from '../core/module.js';
import { InputError } from '../errors.js';
import { coreSha256 } from '../files/coreFile.js';
import { jsonText } from '../format/text.js';

/** Documents without a version, those of gridalloc 0.1.0, are of format 1; the version rises when old entries change. */
export const DOCUMENT_FORMAT = 2;

/** A document with the version of its format in front. A list stays one: its entries only ever gain keys. */
export function withFormat(document: unknown): unknown {
  if (typeof document !== 'object' || document === null || Array.isArray(document)) return document;
  return { format: DOCUMENT_FORMAT, ...document };
}

/** A document as the text of a file or of standard output. */
export function documentText(document: unknown): string {
  return `${jsonText(withFormat(document))}\n`;
}

/**
 * The version of the format of a document from a file.
 * @throws InputError when a later program has written it.
 */
export function formatOf(document: unknown, path: string): number {
  const { format = 1 } = (document ?? {}) as { format?: unknown };
  if (typeof format === 'number' && format <= DOCUMENT_FORMAT) return format;
  throw new InputError(
    `${path} is of format ${String(format)}, this program reads up to format ${DOCUMENT_FORMAT}; read it with the gridalloc that wrote it, or a later one`,
  );
}

/** The version in package.json. */
export function packageVersion(): string {
  const file = new URL('../../package.json', import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}

/** Version, core and sources that produced a result. */
export interface Provenance {
  /** Version of the package. */
  readonly gridalloc: string;
  /** Version of the contract between core and host. */
  readonly abi: number;
  /** The build of the core that ran: simulations have the release build, the threads of studies one with shared memory. */
  readonly coreBuild: 'release' | 'shared';
  /** SHA-256 of its binary. */
  readonly coreSha256: string;
}

/** Versions and hash of this program. */
export function readProvenance(): Provenance {
  return {
    gridalloc: packageVersion(),
    abi: openCore().abiVersion(),
    coreBuild: 'release',
    coreSha256: coreSha256('release'),
  };
}
