/** What one sample says of methods: little. */

/** What is said of a simulation that stands alone. */
export const ONE_SAMPLE = 'One simulation is one sample: differences of a few percent may be chance.';

/** One sample says nothing of smaller differences: submits that move by 30 s move a mean by two or three percent either way. */
export const NOISE = 0.05;

/** The place of the value that is ahead of all others by more than the noise of one sample; undefined where none is. */
export function clearlyBest(values: readonly number[], better: 'less' | 'more'): number | undefined {
  const ordered = values
    .map((_, i) => i)
    .sort((a, b) => (better === 'less' ? values[a]! - values[b]! : values[b]! - values[a]!));
  const [best, next] = ordered.map((place) => values[place]!);
  if (best === undefined || next === undefined) return ordered[0];
  return Math.abs(next - best) > NOISE * Math.max(Math.abs(best), Math.abs(next)) ? ordered[0] : undefined;
}
