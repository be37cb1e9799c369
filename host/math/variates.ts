/** Numbers from distributions, drawn from a stream of random numbers. */
import { exp, ln, pow } from './fdlibm.js';
import { type Generator, mersenneTwister } from './mersenneTwister.js';

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

// Seeded streams. A stream belongs to a seed and a name, so that one quantity of a model can change without moving
// the draws of another. All are built on plain arithmetic: a stream gives the same bits on every machine. Nothing
// is global.

/** Seed array of the Mersenne Twister: low and high half of the seed, then the letters of the name. */
function seedArray(seed: number, name: string): number[] {
  const high = Math.floor(seed / 2 ** 32);
  return [seed >>> 0, high, ...Array.from(name, (letter) => letter.codePointAt(0)!)];
}

const generator = (seed: number, name: string) => mersenneTwister(seedArray(seed, name));

/** Draws from [0, 1), 53 bits each. `seed` is a whole number from 0 to 2^53 - 1. */
export function uniformStream(seed: number, name: string): () => number {
  return generator(seed, name).uniform;
}

/** Draws from gamma distributions of the given shape and scale (mean: shape times scale). */
export function gammaStream(seed: number, name: string): (shape: number, scale: number) => number {
  const draw = gammaDraws(generator(seed, name));
  return (shape, scale) => draw(shape) * scale;
}

/** Draws from the normal distribution of mean 0 and variance 1. */
export function normalStream(seed: number, name: string): () => number {
  return normalDraws(generator(seed, name));
}
