/** The width of text without a screen, so that drawings come out alike on every machine. */

/** Advance widths of Arial and the fonts made after it, in thousandths of the font size. */
const WIDTHS: readonly (readonly [characters: string, width: number])[] = [
  ["ijl'", 222],
  ['I.,:;/\\[]|!ft ', 278],
  ['r()-`', 333],
  ['"', 355],
  ['*', 389],
  ['^', 469],
  ['Jcksvxyz', 500],
  ['abdeghnopqu?_$#L0123456789', 556],
  ['+<=>~', 584],
  ['FTZ', 611],
  ['ABEKPSVXY&', 667],
  ['CDHNRUw', 722],
  ['GOQ', 778],
  ['mM', 833],
  ['%', 889],
  ['W', 944],
  ['@', 1015],
];

const WIDTH = new Map(WIDTHS.flatMap(([characters, width]) => [...characters].map((c) => [c, width])));
/** Of a character that is not listed. */
const OTHER = 600;

/** Width of a line of text in the units of its font size. */
export function textWidth(text: string, fontSize: number): number {
  let thousandths = 0;
  for (const character of text) thousandths += WIDTH.get(character) ?? OTHER;
  return (thousandths * fontSize) / 1000;
}
