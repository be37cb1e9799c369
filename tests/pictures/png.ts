/** Reads PNG files written by browsers, and writes PNG files with a palette. */
import { crc32, deflateSync, inflateSync } from 'node:zlib';

/** Pixels row by row, each as three bytes: red, green, blue. */
export interface RgbPixels {
  readonly width: number;
  readonly height: number;
  readonly rgb: Uint8Array;
}

const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
/** Bytes per pixel by PNG colour type: true colour, palette, true colour with alpha. */
const CHANNELS_BY_COLOR_TYPE: Readonly<Record<number, number>> = { 2: 3, 3: 1, 6: 4 };

/** Chunks of a PNG file by type; chunks of the same type are joined. */
function splitPngIntoChunks(fileBytes: Buffer): Map<string, Buffer> {
  const chunks = new Map<string, Buffer>();
  for (let chunkStart = PNG_SIGNATURE.length; chunkStart < fileBytes.length; ) {
    const length = fileBytes.readUInt32BE(chunkStart);
    const chunkType = fileBytes.toString('latin1', chunkStart + 4, chunkStart + 8);
    const chunkBody = fileBytes.subarray(chunkStart + 8, chunkStart + 8 + length);
    const earlierChunk = chunks.get(chunkType);
    chunks.set(chunkType, earlierChunk === undefined ? chunkBody : Buffer.concat([earlierChunk, chunkBody]));
    chunkStart += length + 12;
  }
  return chunks;
}

/**
 * Paeth predictor of PNG: of the left, upper and upper left value, the one nearest to left + upper
 * - upper left.
 */
function paethPredictor(leftByte: number, pixelAbove: number, upperLeft: number): number {
  const [a, b, c] = [pixelAbove - upperLeft, leftByte - upperLeft, leftByte + pixelAbove - 2 * upperLeft].map(
    Math.abs,
  );
  if (a <= b && a <= c) return leftByte;
  return b <= c ? pixelAbove : upperLeft;
}

/** Reverses the PNG row filters; each row begins with the number of its filter. */
function unfilterScanlines(
  filteredBytes: Buffer,
  width: number,
  height: number,
  channelValues: number,
): Uint8Array {
  const rowBytes = width * channelValues;
  const pixelBytes = new Uint8Array(rowBytes * height);
  for (let y = 0; y < height; y++) {
    const filterType = filteredBytes[y * (rowBytes + 1)];
    const row = y * rowBytes;
    for (let x = 0; x < rowBytes; x++) {
      const leftByte = x < channelValues ? 0 : pixelBytes[row + x - channelValues];
      const byteAbove = y === 0 ? 0 : pixelBytes[row + x - rowBytes];
      let predictedByte = 0;
      if (filterType === 1) predictedByte = leftByte;
      else if (filterType === 2) predictedByte = byteAbove;
      else if (filterType === 3) predictedByte = (leftByte + byteAbove) >> 1;
      else if (filterType === 4)
        predictedByte = paethPredictor(
          leftByte,
          byteAbove,
          x < channelValues || y === 0 ? 0 : pixelBytes[row + x - rowBytes - channelValues],
        );
      pixelBytes[row + x] = filteredBytes[row + y + x + 1] + predictedByte;
    }
  }
  return pixelBytes;
}

/** Reads a PNG file with 8 bits per channel and no transparency, or with a palette. */
export function readPng(fileBytes: Buffer): RgbPixels {
  const chunks = splitPngIntoChunks(fileBytes);
  const header = chunks.get('IHDR') as Buffer;
  const [width, height, colorType] = [header.readUInt32BE(0), header.readUInt32BE(4), header[9]];
  const channelValues = CHANNELS_BY_COLOR_TYPE[colorType];
  if (header[8] !== 8 || header[12] !== 0 || channelValues === undefined)
    throw new Error('a PNG of another kind');
  const bytes = unfilterScanlines(inflateSync(chunks.get('IDAT') as Buffer), width, height, channelValues);
  const paletteBytes = chunks.get('PLTE');
  const rgb = new Uint8Array(3 * width * height);
  for (let pixel = 0; pixel < width * height; pixel++) {
    for (let i = 0; i < 3; i++)
      rgb[3 * pixel + i] =
        paletteBytes === undefined ? bytes[channelValues * pixel + i] : paletteBytes[3 * bytes[pixel] + i];
  }
  return { width, height, rgb };
}

/**
 * Number of colours of a palette, and how many of them are the most frequent; the others are those
 * furthest from all previous ones.
 */
const [COLORS, FREQUENT] = [256, 160];
/** Bits per channel by which colours are distinguished. */
const PALETTE_BITS = 5;

type RgbColor = readonly number[];

const colorDistance = (a: RgbColor, b: RgbColor) =>
  (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 + (a[2] - b[2]) ** 2;

/** Chooses the palette colours, and the nearest of them for each colour. */
function choosePalette(colors: readonly RgbColor[]): {
  readonly chosen: readonly RgbColor[];
  readonly nearest: Uint8Array;
} {
  const palette: RgbColor[] = [];
  const paletteIndexOfColors = new Uint8Array(colors.length);
  const distances = colors.map(() => Number.POSITIVE_INFINITY);
  while (palette.length < Math.min(COLORS, colors.length)) {
    const indexOfNextColor =
      palette.length < FREQUENT
        ? palette.length
        : distances.indexOf(distances.reduce((a, b) => Math.max(a, b)));
    colors.forEach((color, i) => {
      const pixelDistance = colorDistance(color, colors[indexOfNextColor]);
      if (pixelDistance < distances[i])
        [distances[i], paletteIndexOfColors[i]] = [pixelDistance, palette.length];
    });
    palette.push(colors[indexOfNextColor]);
  }
  return { chosen: palette, nearest: paletteIndexOfColors };
}

/** Palette of a picture, made of means of similar colours, and the palette index of each pixel. */
function makePalette({ rgb }: RgbPixels): { readonly palette: Uint8Array; readonly places: Uint8Array } {
  const colorKeyAtOffset = (pixelOffset: number) =>
    [0, 1, 2].reduce((key, i) => (key << PALETTE_BITS) | (rgb[pixelOffset + i] >> (8 - PALETTE_BITS)), 0);
  const colorKeyOfPixels = Uint16Array.from({ length: rgb.length / 3 }, (_, pixel) =>
    colorKeyAtOffset(3 * pixel),
  );
  const channelSumsByColorKey = new Map<number, number[]>();
  colorKeyOfPixels.forEach((key, pixel) => {
    const sum = channelSumsByColorKey.get(key) ?? [0, 0, 0, 0];
    if (sum[3]++ === 0) channelSumsByColorKey.set(key, sum);
    for (let i = 0; i < 3; i++) sum[i] += rgb[3 * pixel + i];
  });
  const colorKeysInOrderOfCount = [...channelSumsByColorKey].sort(
    ([a, [, , , one]], [b, [, , , other]]) => other - one || a - b,
  );
  const { chosen: palette, nearest: paletteIndices } = choosePalette(
    colorKeysInOrderOfCount.map(([, [red, green, blue, count]]) =>
      [red, green, blue].map((sum) => Math.round(sum / count)),
    ),
  );
  const paletteIndexByColor = new Map(colorKeysInOrderOfCount.map(([key], i) => [key, paletteIndices[i]]));
  return {
    palette: Uint8Array.from(palette.flat()),
    places: Uint8Array.from(colorKeyOfPixels, (key) => paletteIndexByColor.get(key) as number),
  };
}

function makePngChunk(chunkType: string, chunkBody: Uint8Array): Buffer {
  const chunkContent = Buffer.concat([Buffer.from(chunkType, 'latin1'), chunkBody]);
  const chunkChecksum = Buffer.alloc(8);
  chunkChecksum.writeUInt32BE(chunkBody.length, 0);
  chunkChecksum.writeUInt32BE(crc32(chunkContent), 4);
  return Buffer.concat([chunkChecksum.subarray(0, 4), chunkContent, chunkChecksum.subarray(4)]);
}

/** Writes a PNG file with a palette of the picture's main colours. */
export function writePng(rgbPixels: RgbPixels): Buffer {
  const { width, height } = rgbPixels;
  const { palette, places } = makePalette(rgbPixels);
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 3, 0, 0, 0]);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y++) rows.set(places.subarray(y * width, (y + 1) * width), y * (width + 1) + 1);
  return Buffer.concat([
    PNG_SIGNATURE,
    makePngChunk('IHDR', header),
    makePngChunk('PLTE', palette),
    makePngChunk('IDAT', deflateSync(rows, { level: 9 })),
    makePngChunk('IEND', new Uint8Array()),
  ]);
}
