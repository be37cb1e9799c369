/** Browsers that open pages and take their pictures: the same few things from each of them. */

/** How a page is opened. */
export interface Sheet {
  readonly width: number;
  readonly height: number;
  readonly scheme: 'light' | 'dark';
  readonly medium: 'screen' | 'print';
}

/** A browser. */
export interface Camera {
  /** Opens a page in place of the one before. */
  open(url: string, sheet: Sheet): Promise<void>;
  /** The value of an expression in the page, a promise awaited. */
  run(expression: string): Promise<unknown>;
  /** What of the page is in sight, as PNG. */
  picture(): Promise<Buffer>;
  /** What pages have complained about; a browser that does not report them has none. */
  readonly complaints: readonly string[];
  close(): Promise<void>;
}
