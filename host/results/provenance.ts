/** What produced a result: the version of the program and of its core. */
import { openCore } from '../core/module.js';
import { coreSha256 } from '../files/coreFile.js';
import { packageVersion } from './version.js';

/** What produced a result. */
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
