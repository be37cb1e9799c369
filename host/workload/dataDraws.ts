/** Data sizes of the jobs of a workload, drawn in job order. */
import type { DataSizes } from './dataSizes.js';
import { gammaStream, uniformStream } from './random.js';
import type { Workload } from './workload.js';

function sizeStream(sizes: DataSizes): () => number {
  switch (sizes.kind) {
    case 'constant':
      return () => sizes.bytes;
    case 'uniform': {
      const uniform = uniformStream(sizes.seed, 'data');
      return () => sizes.from + (sizes.to - sizes.from) * uniform();
    }
    case 'exponential': {
      // A gamma distribution of shape 1 is an exponential one.
      const gamma = gammaStream(sizes.seed, 'data');
      return () => gamma(1, sizes.mean);
    }
  }
}

/** The workload with data sizes, in bytes. */
export function withDataSizes(workload: Workload, sizes: DataSizes): Workload {
  const size = sizeStream(sizes);
  return { ...workload, data: Float64Array.from({ length: workload.count }, size) };
}
