import { Option } from '../abi/abi';
import { Room } from '../abi/abiColumns';

/** A simulation begins with its seal, if it has one: by it a state is known again that was kept elsewhere. */
@unmanaged
export class Seal {
  /** Tells a sealed state from anything else. */
  magic: u32;
  version: i32;
  build: f64;
  bytes: u64;
  /** A hash of all of the block but itself. */
  hash: u64;
}

/** A line of a cache: what stands behind is copied by forks, slower where it begins in mid-line. */
export const SEAL_ROOM: usize = 64;

/** Behind it stands what the host sets, options and room, each a double; then all scalars (state.ts). */
export const SETTINGS: usize = SEAL_ROOM + (Option.COUNT + Room.COUNT) * sizeof<f64>();
