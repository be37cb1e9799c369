/** Numbers from distributions, drawn from a stream of random numbers. */
import { exp, ln, pow } from './fdlibm.js';
import type { Generator } from './mersenneTwister.js';

/**
 * The ziggurat of the normal density: 128 layers of equal area, the lowest with the tail from TAIL on. EDGES holds
 * where they end, from the lowest up.
 */
const LAYERS = 128;
const TAIL = 3.442619855899;
const AREA = 9.91256303526217e-3;
/** The density, so that it is 1 at 0. */
const density = (x: number) => exp(-0.5 * x * x);
const EDGES = Float64Array.from(layerEdges());

function layerEdges(): number[] {
  const edges = [AREA / density(TAIL), TAIL];
  while (edges.length < LAYERS) {
    const edge = edges[edges.length - 1]!;
    edges.push(Math.sqrt(-2 * ln(AREA / edge + density(edge))));
  }
  return [...edges, 0];
}

/** A draw beyond the tail's beginning, after Marsaglia (1964). */
function tailDraw({ uniform }: Generator): number {
  for (;;) {
    const x = -ln(uniform()) / TAIL;
    if (-2 * ln(uniform()) >= x * x) return TAIL + x;
  }
}

/** Draws from the normal distribution of mean 0 and variance 1: J. A. Doornik's improved ziggurat (2005). */
export function normalDraws(generator: Generator): () => number {
  const { bits, uniform } = generator;
  return () => {
    for (;;) {
      const u = 2 * uniform() - 1;
      const layer = bits() & (LAYERS - 1);
      const edge = EDGES[layer]!;
      const inner = EDGES[layer + 1]!;
      if (Math.abs(u) < inner / edge) return u * edge;
      if (layer === 0) return u < 0 ? -tailDraw(generator) : tailDraw(generator);
      const x = u * edge;
      // Densities at the edges, in those at x.
      const low = exp(-0.5 * (edge * edge - x * x));
      const high = exp(-0.5 * (inner * inner - x * x));
      if (high + uniform() * (low - high) < 1) return x;
    }
  };
}

/** Draws from gamma distributions of scale 1: G. Marsaglia and W. W. Tsang, A simple method (2000). */
export function gammaDraws(generator: Generator): (shape: number) => number {
  const { uniform } = generator;
  const normal = normalDraws(generator);
  const ofShapeFromOne = (shape: number) => {
    const d = shape - 1 / 3;
    const c = 1 / Math.sqrt(9 * d);
    for (;;) {
      const x = normal();
      const root = 1 + c * x;
      if (root <= 0) continue;
      const v = root * (root * root);
      const square = x * x;
      const u = uniform();
      if (u < 1 - 0.0331 * square * square || ln(u) < 0.5 * square + d * (1 - v + ln(v))) return d * v;
    }
  };
  return (shape) =>
    shape < 1 ? ofShapeFromOne(shape + 1) * pow(uniform(), 1 / shape) : ofShapeFromOne(shape);
}
