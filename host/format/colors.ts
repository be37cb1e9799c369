/** Colours of a terminal. */
import pc from 'picocolors';

/** Functions that colour text, or leave it alone. */
export type Colors = ReturnType<typeof pc.createColors>;

/** Colours, or the same functions doing nothing. */
export function makeColors(enabled: boolean): Colors {
  return pc.createColors(enabled);
}
