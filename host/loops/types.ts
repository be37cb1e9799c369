/** Numbers as AssemblyScript has them. */

/** A whole number of 32 bits. */
export type i32 = number;
