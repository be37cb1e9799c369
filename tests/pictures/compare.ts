/** Stored reference pictures, and their differences from new ones. */
import type { RgbPixels } from './png.js';

/** Side of the square of page pixels that form one pixel of a stored picture. */
const PICTURE_REDUCTION = 2;
/**
 * Tolerated difference per colour channel (0 to 255); edges of letters differ between palettes and
 * browser versions.
 */
const CHANNEL_TOLERANCE = 48;
/** Number of pixels that may differ by more. */
export const MAX_DIFFERING_PIXELS = 12;

/** Reduces a picture of a page to the size in which pictures are stored. */
export function reducePictureSize({ width, height, rgb }: RgbPixels): RgbPixels {
  const small = {
    width: Math.floor(width / PICTURE_REDUCTION),
    height: Math.floor(height / PICTURE_REDUCTION),
  };
  const means = new Uint8Array(3 * small.width * small.height);
  for (let y = 0; y < small.height; y++) {
    for (let x = 0; x < small.width; x++) {
      for (let channelIndex = 0; channelIndex < 3; channelIndex++) {
        let sum = 0;
        for (let down = 0; down < PICTURE_REDUCTION; down++) {
          const at = 3 * ((PICTURE_REDUCTION * y + down) * width + PICTURE_REDUCTION * x) + channelIndex;
          for (let right = 0; right < PICTURE_REDUCTION; right++) sum += rgb[at + 3 * right];
        }
        means[3 * (y * small.width + x) + channelIndex] = Math.round(sum / PICTURE_REDUCTION ** 2);
      }
    }
  }
  return { ...small, rgb: means };
}

/**
 * Compares a picture with a stored one.
 * @returns the number of differing pixels (infinite if the sizes differ), and the stored picture in
 * pale colours with these pixels in red.
 */
export function compareWithStoredPicture(
  kept: RgbPixels,
  taken: RgbPixels,
): { readonly count: number; readonly picture: RgbPixels } {
  if (kept.width !== taken.width || kept.height !== taken.height)
    return { count: Number.POSITIVE_INFINITY, picture: kept };
  let count = 0;
  const rgb = new Uint8Array(kept.rgb.length);
  for (let at = 0; at < rgb.length; at += 3) {
    const channelValues = [0, 1, 2].map((i) => kept.rgb[at + i]);
    const isDifferentColor = channelValues.some(
      (value, i) => Math.abs(value - taken.rgb[at + i]) > CHANNEL_TOLERANCE,
    );
    if (isDifferentColor) count++;
    rgb.set(isDifferentColor ? [255, 0, 0] : channelValues.map((value) => 170 + value / 3), at);
  }
  return { count, picture: { ...kept, rgb } };
}
