/** Browsers that open pages and take their pictures: the same few things from each of them. */

/** Options of opening a page. */
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
  /** Visible part of the page, as PNG. */
  picture(): Promise<Buffer>;
  /** Errors and warnings of the pages; empty for a browser that does not report them. */
  readonly complaints: readonly string[];
  close(): Promise<void>;
}
