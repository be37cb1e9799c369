/** Interface of the browsers that open pages and take pictures of them. */

/** Options for opening a page. */
export interface PageSettings {
  readonly width: number;
  readonly height: number;
  readonly scheme: 'light' | 'dark';
  readonly medium: 'screen' | 'print';
}

/** A browser that takes pictures. */
export interface PictureBrowser {
  /** Opens a page, replacing the previous one. */
  open(url: string, pageSettings: PageSettings): Promise<void>;
  /** Evaluates an expression in the page, awaiting promises, and returns its value. */
  run(expression: string): Promise<unknown>;
  /** Visible part of the page, as PNG. */
  picture(): Promise<Buffer>;
  /** Errors and warnings of the pages; empty for a browser that does not report them. */
  readonly complaints: readonly string[];
  close(): Promise<void>;
}
