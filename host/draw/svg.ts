/**
 * Helpers for reproducible SVG: equal bytes in every run and on every machine, with text widths from a
 * table.
 */

/** Title and description of a drawing, for screen readers. */
export interface PictureWords {
  readonly id: string;
  readonly title: string;
  readonly caption: string;
}

/** Opening of an SVG document: size in pixels, font, title and description. */
export function makeSvgOpeningTag(
  { id, title: pictureTitle, caption }: PictureWords,
  width: number,
  height: number,
  fontFamily: string,
): string {
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" ` +
    `font-family="${escapeMarkup(fontFamily)}" role="img" aria-labelledby="title-${id}">` +
    `<title id="title-${id}">${escapeMarkup(pictureTitle)}</title><desc>${escapeMarkup(caption)}</desc>`
  );
}

/** Number with at most two decimals, as SVG coordinate. */
export function formatSvgCoordinate(coordinate: number): string {
  return String(Math.round(coordinate * 100) / 100 + 0);
}

const MARKUP_ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes text for SVG elements and attributes; characters that XML forbids are dropped. */
export function escapeMarkup(plainText: string): string {
  return plainText
    .replaceAll(/[&<>"']/g, (character) => MARKUP_ENTITIES[character] ?? character)
    .replaceAll(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '');
}

/**
 * Character widths in thousandths of the font size: for each character the wider of Arial and DejaVu Sans,
 * the common substitute.
 */
const CHARACTER_WIDTH_CLASSES: readonly (readonly [characters: string, width: number])[] = [
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

const CHARACTER_WIDTHS = new Map(
  CHARACTER_WIDTH_CLASSES.flatMap(([characters, width]) => [...characters].map((c) => [c, width])),
);
/** Width of unlisted characters, in thousandths of the font size. */
const DEFAULT_CHARACTER_WIDTH = 1015;
/** Factor by which bold text is wider than plain text. */
const BOLD_WIDTH_FACTOR = 1.16;

/** Width of a line of text in pixels, for a font size in pixels. */
export function estimateTextWidth(lineText: string, fontSize: number, isBoldFont = false): number {
  let widthInThousandths = 0;
  for (const character of lineText)
    widthInThousandths += CHARACTER_WIDTHS.get(character) ?? DEFAULT_CHARACTER_WIDTH;
  return (widthInThousandths * fontSize * (isBoldFont ? BOLD_WIDTH_FACTOR : 1)) / 1000;
}

/** Breaks text into lines of at most `maxWidth` pixels; single words may be wider. */
export function breakTextIntoLines(
  longText: string,
  fontSize: number,
  maxWidth: number,
  isBoldFont = false,
): string[] {
  const lines: string[] = [];
  for (const word of longText.split(' ')) {
    const extendedLine = lines.length === 0 ? word : `${lines[lines.length - 1]} ${word}`;
    if (lines.length > 0 && estimateTextWidth(extendedLine, fontSize, isBoldFont) <= maxWidth)
      lines[lines.length - 1] = extendedLine;
    else lines.push(word);
  }
  return lines;
}
