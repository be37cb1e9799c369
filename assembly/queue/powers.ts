/** Powers of 2 with the same bits on every host (Sun Microsystems 1993, fdlibm, e_exp.c). */

/** ln 2. */
const LN_2: f64 = 0.6931471805599453;
/** Powers with exponents beyond this number are +infinity or 0. */
const LARGEST_EXPONENT: f64 = 1100;

/** e to the power x, for |x| of at most ln(2) / 2. */
@inline
function exponential(x: f64): f64 {
  if (abs<f64>(x) < 1.0 / <f64>(1 << 28)) return 1 + x;
  const t = x * x;
  const c =
    x -
    t *
      (0.16666666666666602 +
        t *
          (-0.0027777777777015593 +
            t * (0.00006613756321437934 + t * (-0.0000016533902205465252 + t * 4.1381367970572385e-8))));
  return 1 - ((x * c) / (c - 2) - x);
}

/** 2 to the power x. */
export function powerOf2(x: f64): f64 {
  if (isNaN(x)) return x;
  if (x > LARGEST_EXPONENT) return Infinity;
  if (x < -LARGEST_EXPONENT) return 0;
  const n = floor<f64>(x + 0.5);
  const fraction = exponential((x - n) * LN_2);
  // Scaled in two steps, of which only the last one may round.
  if (n > 1023) return fraction * 2 * powerOf2WholeNumber(<i32>n - 1);
  if (n < -1022) return fraction * powerOf2WholeNumber(<i32>n + 100) * powerOf2WholeNumber(-100);
  return fraction * powerOf2WholeNumber(<i32>n);
}

/** 2 to the power of a whole number from -1022 to 1023; +infinity above. */
@inline
function powerOf2WholeNumber(n: i32): f64 {
  return n > 1023 ? Infinity : reinterpret<f64>((<u64>(1023 + n)) << 52);
}

/** x to the power of a whole number of at least 0, by squaring from the lowest bit. */
export function raiseToWholePower(x: f64, n: f64): f64 {
  let power: f64 = 1;
  for (let bits = <u64>n; bits !== 0; bits >>= 1) {
    if ((bits & 1) !== 0) power *= x;
    x *= x;
  }
  return power;
}

/** Natural logarithm (fdlibm, e_log.c): -infinity at 0, NaN below. */
export function logarithm(x: f64): f64 {
  if (x === 0) return -Infinity;
  if (!(x > 0)) return NaN;
  if (x === Infinity) return x;
  const isSubnormal = reinterpret<u64>(x) >> 52 === 0;
  const bits = reinterpret<u64>(isSubnormal ? x * 18014398509481984 : x);
  const high = <i32>(bits >> 32);
  const fraction = high & 0xfffff;
  const i = (fraction + 0x95f64) & 0x100000;
  const f = reinterpret<f64>(((<u64>(fraction | (i ^ 0x3ff00000))) << 32) | (bits & 0xffffffff)) - 1;
  const k = <f64>((high >> 20) - 1023 + (i >> 20) - (isSubnormal ? 54 : 0));
  const multipleOfLargeLn2Part = k * 0.6931471803691238;
  const multipleOfSmallLn2Part = k * 1.9082149292705877e-10;
  if ((0xfffff & (2 + fraction)) < 3) {
    if (f === 0) return multipleOfLargeLn2Part + multipleOfSmallLn2Part;
    const rest = f * f * (0.5 - 0.3333333333333333 * f);
    return k === 0 ? f - rest : multipleOfLargeLn2Part - (rest - multipleOfSmallLn2Part - f);
  }
  const s = f / (2 + f);
  const z = s * s;
  const w = z * z;
  const oddTerms = w * (0.3999999999940942 + w * (0.22222198432149784 + w * 0.15313837699209373));
  const evenTerms =
    z * (0.6666666666666735 + w * (0.2857142874366239 + w * (0.1818357216161805 + w * 0.14798198605116586)));
  const rest = evenTerms + oddTerms;
  if (((fraction - 0x6147a) | (0x6b851 - fraction)) > 0) {
    const halfSquare = 0.5 * f * f;
    const halfSquareWithoutRest = halfSquare - s * (halfSquare + rest);
    return k === 0
      ? f - halfSquareWithoutRest
      : multipleOfLargeLn2Part - (halfSquare - (s * (halfSquare + rest) + multipleOfSmallLn2Part) - f);
  }
  return k === 0
    ? f - s * (f - rest)
    : multipleOfLargeLn2Part - (s * (f - rest) - multipleOfSmallLn2Part - f);
}
