/** Text as LaTeX: escaping, measuring in the type size of tables, and breaking into lines. */

const LATEX_ESCAPES: Readonly<Record<string, string>> = {
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
const LATEX_SPECIAL_PATTERN = new RegExp(
  `[${Object.keys(LATEX_ESCAPES).join('').replace('\\', '\\\\').replace('^', '\\^')}]`,
  'g',
);

/** LaTeX source of the check mark, which requires the package amssymb. */
export const LATEX_CHECK_MARK = LATEX_ESCAPES['\u2713']!;

/** Escapes text as one line of LaTeX. */
export function escapeLatex(plainText: string): string {
  return plainText
    .replaceAll(/\s*\n\s*/g, ' ')
    .replaceAll(LATEX_SPECIAL_PATTERN, (match) => LATEX_ESCAPES[match] ?? match);
}

/** Type size in points that the character widths refer to. */
export const LATEX_FONT_SIZE = 8;

/** Character widths in points of Computer Modern Roman at 8 pt, which is wider than most fonts of papers. */
const LATEX_CHARACTER_WIDTH_CLASSES: readonly (readonly [characters: string, points: number])[] = [
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
const LATEX_CHARACTER_WIDTHS = new Map(
  LATEX_CHARACTER_WIDTH_CLASSES.flatMap(([characters, width]) => [...characters].map((c) => [c, width])),
);
/** Width in points of unlisted characters, equal to the widest symbol. */
const DEFAULT_LATEX_CHARACTER_WIDTH = 8.8;
/** Widths in points of LaTeX symbols by their source. */
const LATEX_SYMBOL_WIDTHS: Readonly<Record<string, number>> = {
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
/** Factor by which bold text is wider than plain text. */
const LATEX_BOLD_WIDTH_FACTOR = 1.18;

/** Tokens of LaTeX source: commands, formulas, escaped characters, plain characters. */
const LATEX_TOKEN_PATTERN = /\\textbf\{|\\[A-Za-z]+\{\}|\$[^$]*\$|\\.|--|''|./gsu;

/** Width in points of a line of LaTeX source at 8 pt. */
export function measureLatexWidth(latexSource: string): number {
  let [width, factor] = [0, 1];
  for (const [token] of latexSource.matchAll(LATEX_TOKEN_PATTERN)) {
    if (token === '\\textbf{') factor = LATEX_BOLD_WIDTH_FACTOR;
    else if (token === '}') factor = 1;
    else
      width +=
        factor *
        (LATEX_SYMBOL_WIDTHS[token] ??
          LATEX_CHARACTER_WIDTHS.get(token.replace(/^\\(?=.$)/, '')) ??
          DEFAULT_LATEX_CHARACTER_WIDTH);
  }
  return width;
}

/** Parts of a word between which it may be broken; bold text is not broken. */
const splitLatexWord = (latexWord: string) =>
  latexWord.match(/\\textbf\{[^}]*\}|\\[A-Za-z]+\{\}|\$[^$]*\$|\\.|--|''|./gsu) ?? [];

/** Characters after which a word is preferably broken. */
const LATEX_BREAK_PATTERN = /^[,/=+*\]-]$/;

/**
 * Pieces of a word after which a line may end: after commas and similar signs, or anywhere if a piece is
 * wider than `maxWidth` points.
 */
function splitAtLatexBreaks(latexWord: string, maxWidth: number): string[] {
  const linePieces: string[] = [];
  let canExtendPiece = false;
  for (const token of splitLatexWord(latexWord)) {
    const lastPiece = linePieces.at(-1);
    if (canExtendPiece && lastPiece !== undefined && measureLatexWidth(lastPiece + token) <= maxWidth)
      linePieces[linePieces.length - 1] = lastPiece + token;
    else linePieces.push(token);
    canExtendPiece = !LATEX_BREAK_PATTERN.test(token);
  }
  return linePieces;
}

/** Splits a line of LaTeX source into words; groups in braces are not split. */
const splitLatexWords = (latexSource: string) => latexSource.match(/(?:\\textbf\{[^}]*\}|[^ ])+/g) ?? [];

/** Breaks LaTeX source into lines of at most `maxWidth` points; unbreakable pieces may be wider. */
export function wrapLatexLines(latexSource: string, maxWidth: number): string[] {
  const lines: string[] = [];
  const addPiece = (piece: string, gap: string) => {
    const lastLine = lines.at(-1);
    const extendedLine = lastLine === undefined ? piece : lastLine + gap + piece;
    if (lastLine !== undefined && measureLatexWidth(extendedLine) <= maxWidth)
      lines[lines.length - 1] = extendedLine;
    else lines.push(piece);
  };
  for (const latexWord of splitLatexWords(latexSource)) {
    const linePieces =
      measureLatexWidth(latexWord) <= maxWidth ? [latexWord] : splitAtLatexBreaks(latexWord, maxWidth);
    for (const [i, piece] of linePieces.entries()) addPiece(piece, i === 0 ? ' ' : '');
  }
  return lines.length === 0 ? [''] : lines;
}

/** Table cell with several lines, aligned with its row by the first or the last line. */
export function formatLatexCell(
  lines: readonly string[],
  align: 'l' | 'c' | 'r',
  verticalPosition: 't' | 'b' = 't',
): string {
  if (lines.length === 1) return lines[0]!;
  const tabularLines = lines.map((line) => line.replace(/^(?=[[*])/, '{}'));
  return `\\begin{tabular}[${verticalPosition}]{@{}${align}@{}}${tabularLines.join('\\\\ ')}\\end{tabular}`;
}

/** LaTeX paragraph whose long words may be broken at commas and similar signs. */
export function formatLatexParagraph(paragraphText: string): string {
  return splitLatexWords(escapeLatex(paragraphText))
    .map((latexWord) =>
      latexWord.length > 24 ? splitAtLatexBreaks(latexWord, 100).join('\\allowbreak{}') : latexWord,
    )
    .join(' ');
}
