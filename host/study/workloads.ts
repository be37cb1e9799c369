/** The jobs of a study: logs read once, models made when they are needed, a few of them kept. */
import { InputError } from '../errors.js';
import { type Grid, makeGrid } from '../grid/grid.js';
import { parseSpeeds } from '../grid/speeds.js';
import { readTrace } from '../trace/read.js';
import type { Trace } from '../trace/trace.js';
import { requireEstimates, withEstimates } from '../workload/estimates.js';
import { makeWorkload } from '../workload/make.js';
import { isModelText, makeModelTrace } from '../workload/models.js';
import { widestJobs, widestSites } from '../workload/pieces.js';
import type { Workload } from '../workload/workload.js';
import { placementOf, type Settings } from './options.js';

/** Workloads and logs of models that are kept: a study goes through its settings workload by workload. */
const KEPT = 8;

/** A map that forgets what was not asked for the longest. */
class Recent<Value> {
  readonly #values = new Map<string, Value>();

  get(key: string, make: () => Value): Value {
    const value = this.#values.get(key) ?? make();
    this.#values.delete(key);
    this.#values.set(key, value);
    if (this.#values.size > KEPT) this.#values.delete(this.#values.keys().next().value as string);
    return value;
  }
}

/** Makes grids and workloads of settings. */
export class Workloads {
  readonly #logs = new Map<string, Promise<Trace>>();
  readonly #models = new Recent<Trace>();
  readonly #made = new Recent<Workload>();

  async #trace({ workload, sort = false }: Settings): Promise<Trace> {
    if (isModelText(workload)) return this.#models.get(workload, () => makeModelTrace(workload));
    if (workload === '-')
      throw new InputError('a study reads its log more than once; give a file, not standard input');
    const key = `${sort} ${workload}`;
    let log = this.#logs.get(key);
    if (log === undefined) {
      log = readTrace(workload, { sort });
      this.#logs.set(key, log);
    }
    return log;
  }

  /** The grid of a setting: without sites, one as large as the machine of the log. */
  async grid(settings: Settings): Promise<Grid> {
    const { speeds, heterogeneity } = settings;
    const capacities = settings.sites ?? settings.preset?.capacities ?? (await this.#machine(settings));
    return makeGrid({
      capacities,
      speeds: speeds === undefined ? undefined : parseSpeeds(speeds, capacities),
      heterogeneity,
    });
  }

  async #machine(settings: Settings): Promise<number[]> {
    const { source, header } = await this.#trace(settings);
    if (header.maxProcessors !== undefined) return [header.maxProcessors];
    throw new InputError(`${source} does not give the size of its machine; give the sites`);
  }

  /** What decides the jobs of a setting: settings with the same key have the same jobs. */
  key(settings: Settings, grid: Grid): string {
    const { capacities, speeds } = grid;
    const minSpeedRatio = settings['min-speed-ratio'];
    const widths = { capacities, speeds, minSpeedRatio, placement: placementOf(settings) };
    const { workload, preset, filter, sort, home, rc, oversize, estimates } = settings;
    return JSON.stringify([
      workload,
      preset?.name,
      filter,
      sort,
      home,
      rc,
      settings['max-width'],
      oversize,
      settings['arrival-scale'],
      settings['runtime-scale'],
      estimates,
      settings['moldable-threshold'] !== undefined,
      capacities,
      widestSites(widths),
      widestJobs(widths),
    ]);
  }

  /** The jobs of a setting. */
  async workload(settings: Settings, grid: Grid): Promise<Workload> {
    const trace = await this.#trace(settings);
    return this.#made.get(this.key(settings, grid), () => {
      const { preset, filter = [], home, rc, oversize } = settings;
      const workload = makeWorkload(trace, {
        filters: [...(preset?.filters ?? []), ...filter],
        home: home ?? preset?.home,
        siteCount: grid.capacities.length,
        capacities: grid.capacities,
        speeds: grid.speeds,
        minSpeedRatio: settings['min-speed-ratio'],
        rc,
        maxWidth: settings['max-width'],
        oversize,
        placement: placementOf(settings),
        arrivalScale: settings['arrival-scale'],
        runtimeScale: settings['runtime-scale'],
      });
      const { estimates = { source: 'trace' } } = settings;
      const isNeeded = settings['moldable-threshold'] !== undefined;
      if (estimates.source === 'trace' && isNeeded) requireEstimates(trace);
      return withEstimates(workload, estimates);
    });
  }
}
