/** Options for outages, during which sites have fewer processors. */
import { defineCoreWordOption, defineCustomOption } from './kinds.js';
import { checkOutagesNotation, NO_OUTAGES_NOTATION, type OutagesInput } from './outages.js';

const OUTAGE_OPTIONS_HEADING = 'Grid';

/** Options for outages and for the jobs that hold their processors. */
export const OUTAGE_OPTIONS = {
  /** Periods in which sites have fewer processors. */
  outages: defineCustomOption<string, OutagesInput>({
    heading: OUTAGE_OPTIONS_HEADING,
    help: 'periods in which a site has fewer processors: a CSV file with the columns site, from, to, processors or nodes, and planned (see docs/outages.md); begins and ends are dates, or seconds on the clock of the log, as its submit times',
    default: NO_OUTAGES_NOTATION,
    otherwise: 'none',
    entrySeparator: '+',
    read: checkOutagesNotation,
    check: checkOutagesNotation,
  }),
  /** Rule for an outage that needs more processors than are free. */
  onOutage: defineCoreWordOption({
    heading: OUTAGE_OPTIONS_HEADING,
    help: 'if an outage needs more processors than are free: wait until jobs end (drain), or preempt the jobs that started last, which wait again (requeue) or end (kill)',
    core: 'OnOutage',
    words: { drain: 'Drain', requeue: 'Requeue', kill: 'Kill' },
    default: 'drain',
  }),
};
