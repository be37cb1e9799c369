/** A log as text in SWF. */
import { InputError } from '../errors.js';
import { escapeText } from '../format/escape.js';
import { SwfParser } from './swf.js';
import { SWF_FIELDS, type Trace } from './trace.js';

/** Records per piece of text. */
const PIECE = 1024;

/**
 * The text of a log, in pieces: the header lines as they are, then a line per record, numbers in the shortest
 * form that reads back to the same number.
 * @throws InputError when a header line would not read back as it is, or a number is not finite.
 * @example
 * console.log([...encodeTrace(trace)].join('').split('\n').length); // 210
 */
export function* encodeTrace(trace: Trace): Generator<string> {
  checkHeader(trace);
  if (trace.header.lines.length > 0) yield `${trace.header.lines.join('\n')}\n`;
  const columns = SWF_FIELDS.map((field) => trace.columns[field]);
  for (let from = 0; from < trace.count; from += PIECE) {
    let text = '';
    for (let record = from; record < Math.min(from + PIECE, trace.count); record++) {
      for (let field = 0; field < columns.length; field++) {
        const value = columns[field][record];
        if (!Number.isFinite(value)) throw notFinite(trace, record, field);
        text += field === 0 ? value : ` ${value}`;
      }
      text += '\n';
    }
    yield text;
  }
}

/** Every line must come back from the parser as it is. */
function checkHeader({ source, header }: Trace): void {
  let readBack: readonly string[] = [];
  const parser = new SwfParser({
    header: (lines) => {
      readBack = lines;
    },
    records: () => {},
    problem: () => {},
    leaveOut: () => {},
  });
  parser.push(new TextEncoder().encode(header.lines.map((line) => `${line}\n`).join('')));
  parser.end();
  const wrong = header.lines.findIndex((line, index) => line !== readBack[index]);
  if (wrong < 0) return;
  throw new InputError(
    `${escapeText(source)}: header line ${wrong + 1} cannot be written: found '${escapeText(header.lines[wrong].slice(0, 40))}', ` +
      'expected one line of printable text that starts with ;',
  );
}

function notFinite({ source }: Trace, record: number, field: number): InputError {
  return new InputError(
    `${escapeText(source)}: record ${record + 1}, field ${field + 1} (${SWF_FIELDS[field]}) cannot be written: ` +
      'it is not a finite number; use -1 for what is unknown',
  );
}
