import { Simulation } from '../memory/state';
import * as columns from '../memory/columns';
import { at } from '../memory/memory';

/**
 * Seconds to bring a job's data from its home to a site: none at home, else bytes / bandwidth + latency
 * (Zhang et al. 2006, section 3.2).
 */
@inline
export function transferTime(simulation: Simulation, job: i32, site: i32): f64 {
  if (simulation.hasTransfers === 0) return 0;
  const home = at<i32>(columns.homes, job);
  if (site === home) return 0;
  const pair = home * simulation.siteCount + site;
  const bytes: f64 = columns.data === 0 ? 0 : at<f64>(columns.data, job);
  return bytes / at<f64>(columns.bandwidths, pair) + at<f64>(columns.latencies, pair);
}
