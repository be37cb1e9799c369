/** SVG as it is kept: named, small, and without anything that differs between two runs or machines, widths of text included. */

/** Title of a picture, and its description for screen readers. */
export interface PictureWords {
  readonly id: string;
  readonly title: string;
  readonly caption: string;
}

/** The beginning of every SVG: its size in pixels, its font, its words; `</svg>` ends it. */
export function svgOpening(
  { id, title, caption }: PictureWords,
  width: number,
  height: number,
  font: string,
): string {
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" ` +
    `font-family="${escapeMarkup(font)}" role="img" aria-labelledby="title-${id}">` +
    `<title id="title-${id}">${escapeMarkup(title)}</title><desc>${escapeMarkup(caption)}</desc>`
  );
}

/** A number with at most two decimals. */
export function coordinate(value: number): string {
  return String(Math.round(value * 100) / 100 + 0);
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text as it may occur in an element or a quoted attribute; characters that XML does not know are dropped. */
export function escapeMarkup(text: string): string {
  return text
    .replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
    .replaceAll(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '');
}

/**
 * Room for characters, in thousandths of the font size: the wider of Arial, after which most fonts of pages are made, and of
 * DejaVu Sans, which replaces it where no such font is installed.
 */
const WIDTHS: readonly (readonly [characters: string, width: number])[] = [
  ["Iijl'", 295],
  [' ,./:;\\|', 337],
  ['-f', 361],
  ['!()[]rt', 411],
  ['"', 460],
  ['*J`\u2013', 500],
  ['sz', 525],
  ['?_c', 556],
  ['Lk', 579],
  ['FTaovxy', 613],
  ['$0123456789bdeghnpqu{}', 636],
  ['ABEKPSVXYZ', 686],
  ['CR', 722],
  ['HNU', 752],
  ['&DGOQ', 787],
  ['#+<=>^w~\u00d7\u2212', 838],
  ['M', 863],
  ['%', 950],
  ['Wm', 989],
];

const WIDTH = new Map(WIDTHS.flatMap(([characters, width]) => [...characters].map((c) => [c, width])));
/** The width of a character that is not listed. */
const OTHER = 1015;
/** Width of bold text relative to plain text. */
const BOLD = 1.16;

/** The room that a line of text needs, in the units of its font size. */
export function textWidth(text: string, fontSize: number, isBold = false): number {
  let thousandths = 0;
  for (const character of text) thousandths += WIDTH.get(character) ?? OTHER;
  return (thousandths * fontSize * (isBold ? BOLD : 1)) / 1000;
}

/** Text in as many lines as it takes to be no wider than `most`, but for words that are. */
export function textLines(text: string, fontSize: number, most: number, isBold = false): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const longer = lines.length === 0 ? word : `${lines[lines.length - 1]} ${word}`;
    if (lines.length > 0 && textWidth(longer, fontSize, isBold) <= most) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}
