/** What the page of a report and the script that makes its figures live (web/figures) agree on. */

/** The class of the scripts that hold the data of figures. */
export const DATA_CLASS = 'figure-data';
