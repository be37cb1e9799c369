/** Random numbers that count: the k-th of a seed depends on nothing else (Steele, Lea, Flood 2014). */

/** Output k = 1, 2, ... of the splitmix64 generator of a seed, uniform over 64 bits. */
export function output(seed: f64, k: u64): u64 {
  let bits = <u64>seed + k * 0x9e3779b97f4a7c15;
  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111eb;
  return bits ^ (bits >> 31);
}
