/** e to the power x for |x| up to ln(2) / 2, after e_exp.c of fdlibm (Sun Microsystems 1993), operation by operation. */
function expByFdlibm(x: number): number {
  if (Math.abs(x) < 2 ** -28) return 1 + x;
  const t = x * x;
  const p5 = -1.6533902205465252e-6 + t * 4.1381367970572385e-8;
  const p3 = -2.7777777777015593e-3 + t * (6.613756321437934e-5 + t * p5);
  const c = x - t * (1.6666666666666602e-1 + t * p3);
  return 1 - ((x * c) / (c - 2) - x);
}

/** 2 to the power x: of its whole part exactly, and of the rest by e_exp. */
export function raise2ToPower(x: number): number {
  if (Number.isNaN(x) || Math.abs(x) > 5000)
    return Number.isNaN(x) ? x : x > 0 ? Number.POSITIVE_INFINITY : 0;
  const n = Math.floor(x + 0.5);
  let value = expByFdlibm((x - n) * Math.LN2);
  // Doubling and halving are exact but for the last step into the subnormal numbers.
  for (let k = 0; k < n; k++) value *= 2;
  if (n >= -1000) return n < 0 ? value * 2 ** n : value;
  return value * 2 ** -900 * 2 ** (n + 900);
}

/** A power with a whole exponent, by squaring from the least bit. */
export function raiseToWholePower(base: number, exponent: number): number {
  let result = 1;
  let square = base;
  for (let rest = exponent; rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) result *= square;
    square *= square;
  }
  return result;
}
