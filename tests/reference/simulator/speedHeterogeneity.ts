/** Speed heterogeneity: population variance of the speeds (Shih et al. 2010, eq. 3). */
export function speedHeterogeneity(speeds: number[]): number {
  let sum = 0;
  for (const speed of speeds) sum += speed;
  const mean = sum / speeds.length;
  let squares = 0;
  for (const speed of speeds) squares += (speed - mean) * (speed - mean);
  return squares / speeds.length;
}
