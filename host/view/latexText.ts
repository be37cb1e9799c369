/** Text as LaTeX: escaped, measured in the type of tables, and broken into lines. */

const LATEX_SIGNS: Readonly<Record<string, string>> = {
  '&': '\\&',
  '%': '\\%',
  $: '\\$',
  '#': '\\#',
  _: '\\_',
  '{': '\\{',
  '}': '\\}',
  '\\': '\\textbackslash{}',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
  '<': '\\textless{}',
  '>': '\\textgreater{}',
  '|': '\\textbar{}',
  '"': "''",
  '\u2212': '$-$',
  '\u2013': '--',
  '\u00a0': '~',
  '\u00d7': '$\\times$',
  '\u00b1': '$\\pm$',
  '\u2192': '$\\to$',
  '\u2264': '$\\le$',
  '\u2265': '$\\ge$',
  '\u2026': '\\dots{}',
  '\u2248': '$\\approx$',
  '\u2713': '$\\checkmark$',
  '\u2717': '$\\times$',
};
const LATEX_SPECIAL = new RegExp(
  `[${Object.keys(LATEX_SIGNS).join('').replace('\\', '\\\\').replace('^', '\\^')}]`,
  'g',
);

/** Source of the check mark, which needs the package amssymb. */
export const CHECK_MARK = LATEX_SIGNS['\u2713']!;

/** Text as LaTeX sets it in any document, in one line. */
export function latexText(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, ' ').replaceAll(LATEX_SPECIAL, (found) => LATEX_SIGNS[found] ?? found);
}

/** Size in points of the type that measures are for. */
export const TYPE_SIZE = 8;

/** Widths in points of characters of Computer Modern Roman in 8 pt, which is wider than most fonts of papers. */
const WIDTHS: readonly (readonly [characters: string, points: number])[] = [
  ["!',.:;[]`il|", 2.37],
  ['fj', 2.6],
  [' -', 2.84],
  ['I_', 3.07],
  ['()rst', 3.36],
  ['cez', 3.78],
  ['"$*/0123456789?\\^ago{}~', 4.26],
  ['Jkqvxy', 4.49],
  ['Sbdhnpu', 4.73],
  ['LZ', 5.31],
  ['EFP', 5.79],
  ['BCTw', 6.14],
  ['AHNRUVXY', 6.37],
  ['&+<=>DGKOQ@', 6.67],
  ['#m%', 7.09],
  ['M', 7.79],
  ['W', 8.73],
];
const WIDTH = new Map(WIDTHS.flatMap(([characters, width]) => [...characters].map((c) => [c, width])));
/** Width of a character that is not listed, and of the widest symbol in formulas. */
const OTHER = 8.8;
/** Widths of symbols that are not a letter of LaTeX's source. */
const SYMBOLS: Readonly<Record<string, number>> = {
  '~': 2.84,
  '--': 4.26,
  "''": 4.26,
  '\\dots{}': 11.4,
  '\\textbackslash{}': 4.26,
  '\\textasciitilde{}': 4.26,
  '\\textasciicircum{}': 4.26,
  '\\textless{}': 6.62,
  '\\textgreater{}': 6.62,
  '\\textbar{}': 2.37,
  '\\,': 1.34,
};
/** Width of bold text relative to plain text. */
const BOLD = 1.18;

/** The parts of a line of source: commands without text, formulas, escaped characters, characters. */
const TOKEN = /\\textbf\{|\\[A-Za-z]+\{\}|\$[^$]*\$|\\.|--|''|./gsu;

/** Width in points of a line of LaTeX, as `latexText` writes it, set in 8 pt. */
export function latexWidth(source: string): number {
  let [width, factor] = [0, 1];
  for (const [token] of source.matchAll(TOKEN)) {
    if (token === '\\textbf{') factor = BOLD;
    else if (token === '}') factor = 1;
    else width += factor * (SYMBOLS[token] ?? WIDTH.get(token.replace(/^\\(?=.$)/, '')) ?? OTHER);
  }
  return width;
}

/** The parts of a word between which it may be broken; bold text is one. */
const tokensOf = (word: string) =>
  word.match(/\\textbf\{[^}]*\}|\\[A-Za-z]+\{\}|\$[^$]*\$|\\.|--|''|./gsu) ?? [];

/** Signs after which a word is broken rather than elsewhere. */
const BREAKS = /^[,/=+*\]-]$/;

/** The pieces of a word after which a line may end: behind commas and other signs, or where these are wider than `most` anywhere. */
function piecesOf(word: string, most: number): string[] {
  const pieces: string[] = [];
  let isOpen = false;
  for (const token of tokensOf(word)) {
    const last = pieces.at(-1);
    if (isOpen && last !== undefined && latexWidth(last + token) <= most)
      pieces[pieces.length - 1] = last + token;
    else pieces.push(token);
    isOpen = !BREAKS.test(token);
  }
  return pieces;
}

/** The words of a line of LaTeX, none cut inside a group. */
const wordsOf = (source: string) => source.match(/(?:\\textbf\{[^}]*\}|[^ ])+/g) ?? [];

/** A line of LaTeX in as many lines as it takes to be no wider than `most`, but for pieces of words that are. */
export function latexLines(source: string, most: number): string[] {
  const lines: string[] = [];
  const add = (piece: string, gap: string) => {
    const last = lines.at(-1);
    const longer = last === undefined ? piece : last + gap + piece;
    if (last !== undefined && latexWidth(longer) <= most) lines[lines.length - 1] = longer;
    else lines.push(piece);
  };
  for (const word of wordsOf(source)) {
    const pieces = latexWidth(word) <= most ? [word] : piecesOf(word, most);
    for (const [i, piece] of pieces.entries()) add(piece, i === 0 ? ' ' : '');
  }
  return lines.length === 0 ? [''] : lines;
}

/** Several lines of one cell, of which the first is level with its row, or the last. */
export function latexCell(lines: readonly string[], align: 'l' | 'c' | 'r', level: 't' | 'b' = 't'): string {
  if (lines.length === 1) return lines[0]!;
  const rows = lines.map((line) => line.replace(/^(?=[[*])/, '{}'));
  return `\\begin{tabular}[${level}]{@{}${align}@{}}${rows.join('\\\\ ')}\\end{tabular}`;
}

/** Text of which long words may be broken at commas and the like, for paragraphs. */
export function latexParagraph(text: string): string {
  return wordsOf(latexText(text))
    .map((word) => (word.length > 24 ? piecesOf(word, 100).join('\\allowbreak{}') : word))
    .join(' ');
}
