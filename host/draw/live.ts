/** What the page of a report and the script that makes its drawings live (web/figures) agree on. */
import type { DifferenceData } from './differenceGantt.js';
import type { GanttData } from './gantt.js';
import type { OccupancyData } from './occupancy.js';
import type { Figure } from './types.js';

/** The class of the scripts that hold the data of drawings. */
export const DATA_CLASS = 'figure-data';

/** A drawing over time that its page can draw anew. */
export type TimeDrawing = GanttData | OccupancyData | DifferenceData;

/** Whatever a page can draw anew. */
export type LiveData = Figure | TimeDrawing;
