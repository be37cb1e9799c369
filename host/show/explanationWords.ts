/** Words that all parts of an explanation use. */
import type { SiteShare } from '../explain/explanation.js';
import { formatNumber } from '../format/numbers.js';

/** A time on the clock of the log, in seconds. */
export function clockText(time: number): string {
  return formatNumber(time, Number.isInteger(time) ? 0 : 2);
}

/** `site 3`, or `site 3 (64 processors) and site 1 (16)`. */
export function sitesText(sites: readonly SiteShare[]): string {
  if (sites.length === 1) return `site ${sites[0].site}`;
  const shares = sites.map(({ site, processors }) => `site ${site} (${formatNumber(processors)})`);
  return `${shares.slice(0, -1).join(', ')} and ${shares[shares.length - 1]}`;
}
