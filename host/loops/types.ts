/** Number types of AssemblyScript. */

/** A 32-bit whole number. */
export type i32 = number;
