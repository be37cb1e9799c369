/**
 * Natural logarithm of a positive normal number by the operations of e_log.c of fdlibm (Sun
 * Microsystems 1993), since the last bits of Math.log differ between engines.
 */
export function naturalLogarithm(x: number): number {
  if (x === 0) return Number.NEGATIVE_INFINITY;
  if (!(x > 0)) return Number.NaN;
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, x);
  let hx = bits.getInt32(0);
  let k = (hx >> 20) - 1023;
  hx &= 0x000fffff;
  const i = (hx + 0x95f64) & 0x100000;
  bits.setInt32(0, hx | (i ^ 0x3ff00000));
  k += i >> 20;
  const f = bits.getFloat64(0) - 1;
  const high = k * 0.6931471803691238;
  const low = k * 1.9082149292705877e-10;
  if ((0x000fffff & (2 + hx)) < 3) {
    if (f === 0) return high + low;
    const R = f * f * (0.5 - 0.3333333333333333 * f);
    return k === 0 ? f - R : high - (R - low - f);
  }
  const s = f / (2 + f);
  const z = s * s;
  const w = z * z;
  const t1 = w * (0.3999999999940942 + w * (0.22222198432149784 + w * 0.15313837699209373));
  const t2 =
    z * (0.6666666666666735 + w * (0.2857142874366239 + w * (0.1818357216161805 + w * 0.14798198605116586)));
  const R = t1 + t2;
  if (((hx - 0x6147a) | (0x6b851 - hx)) > 0) {
    const hfsq = 0.5 * f * f;
    return k === 0 ? f - (hfsq - s * (hfsq + R)) : high - (hfsq - (s * (hfsq + R) + low) - f);
  }
  return k === 0 ? f - s * (f - R) : high - (s * (f - R) - low - f);
}
