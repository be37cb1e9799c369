/** Converts Parquet files to CSV text, so that they are read like CSV tables. */
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { decompress } from 'fzstd';
import { parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { DamagedLogError } from '../errors.js';
import { escapeNonPrintingText, makePrintableSourceName } from '../format/text.js';
import { findPlainParquetColumns } from './parquetTypes.js';

/** Number of rows converted at a time. */
const PARQUET_ROWS_PER_CHUNK = 10_000;

/** Decompressors of columns by codec; hyparquet includes Snappy. */
const PARQUET_DECOMPRESSORS = {
  GZIP: (packedBytes: Uint8Array) => new Uint8Array(gunzipSync(packedBytes)),
  BROTLI: (packedBytes: Uint8Array) => new Uint8Array(brotliDecompressSync(packedBytes)),
  ZSTD: (packedBytes: Uint8Array, bytes: number) => decompress(packedBytes, new Uint8Array(bytes)),
};

/**
 * Converts a Parquet file to CSV lines, column names first. Columns with nested values are omitted. The whole
 * file is in memory, since its metadata are at its end.
 * @throws DamagedLogError if the file is not a complete Parquet file.
 */
export async function* convertParquetTableToCsv(
  source: string,
  packedFileChunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of packedFileChunks) chunks.push(Uint8Array.from(chunk));
  const fileBytes = Buffer.concat(chunks);
  const file = {
    byteLength: fileBytes.length,
    slice: (start: number, end?: number) => Uint8Array.from(fileBytes.subarray(start, end)).buffer,
  };
  try {
    const metadata = await parquetMetadataAsync(file);
    const columns = findPlainParquetColumns(metadata);
    const columnNames = columns.map(({ name: columnName }) => columnName);
    yield encodeUtf8(
      `${columnNames.map((columnName) => quoteCsvField(columnName.replaceAll(/[\r\n]+/g, ' '))).join(',')}\n`,
    );
    let firstRowOfGroup = 0;
    for (const rowGroup of metadata.row_groups) {
      const endRowOfGroup = firstRowOfGroup + Number(rowGroup.num_rows);
      for (let firstRow = firstRowOfGroup; firstRow < endRowOfGroup; firstRow += PARQUET_ROWS_PER_CHUNK) {
        const endRow = Math.min(firstRow + PARQUET_ROWS_PER_CHUNK, endRowOfGroup);
        const parquetRows = await parquetReadObjects({
          file,
          metadata,
          rowStart: firstRow,
          rowEnd: endRow,
          columns: columnNames,
          compressors: PARQUET_DECOMPRESSORS,
        });
        yield encodeUtf8(
          parquetRows
            .map(
              (row) =>
                `${columns.map(({ name: columnName, textOf }) => quoteCsvField(textOf(row[columnName]))).join(',')}\n`,
            )
            .join(''),
        );
      }
      firstRowOfGroup = endRowOfGroup;
    }
  } catch (error) {
    const { message } = error as Error;
    throw new DamagedLogError(
      `${makePrintableSourceName(source)} holds damaged or incomplete Parquet data (${escapeNonPrintingText(message)}); fetch it again`,
    );
  }
}

const utf8Encoder = new TextEncoder();
const encodeUtf8 = (plainText: string) => utf8Encoder.encode(plainText);

/** Formats a text as a CSV field. */
function quoteCsvField(fieldText: string): string {
  return /[",]/.test(fieldText) ? `"${fieldText.replaceAll('"', '""')}"` : fieldText;
}
