/** Stored reference pictures, and their differences from new ones. */
import type { RgbPixels } from './png.js';

/** Side of the square of page pixels that form one pixel of a stored picture. */
const PICTURE_REDUCTION_FACTOR = 2;
/**
 * Tolerated difference per colour channel (0 to 255); edges of letters differ between palettes and
 * browser versions.
 */
const CHANNEL_TOLERANCE = 48;
/** Number of pixels that may differ by more. */
export const MAX_DIFFERING_PIXEL_COUNT = 12;

/** Reduces a picture of a page to the size in which pictures are stored. */
export function reducePictureSize({ width, height, rgb }: RgbPixels): RgbPixels {
  const reducedSize = {
    width: Math.floor(width / PICTURE_REDUCTION_FACTOR),
    height: Math.floor(height / PICTURE_REDUCTION_FACTOR),
  };
  const meanColorBytes = new Uint8Array(3 * reducedSize.width * reducedSize.height);
  for (let y = 0; y < reducedSize.height; y++) {
    for (let x = 0; x < reducedSize.width; x++) {
      for (let channelIndex = 0; channelIndex < 3; channelIndex++) {
        let channelSum = 0;
        for (let rowInBlock = 0; rowInBlock < PICTURE_REDUCTION_FACTOR; rowInBlock++) {
          const pixelOffset =
            3 * ((PICTURE_REDUCTION_FACTOR * y + rowInBlock) * width + PICTURE_REDUCTION_FACTOR * x) +
            channelIndex;
          for (let right = 0; right < PICTURE_REDUCTION_FACTOR; right++)
            channelSum += rgb[pixelOffset + 3 * right];
        }
        meanColorBytes[3 * (y * reducedSize.width + x) + channelIndex] = Math.round(
          channelSum / PICTURE_REDUCTION_FACTOR ** 2,
        );
      }
    }
  }
  return { ...reducedSize, rgb: meanColorBytes };
}

/**
 * Compares a picture with a stored one.
 * @returns the number of differing pixels (infinite if the sizes differ), and the stored picture in
 * pale colours with these pixels in red.
 */
export function compareWithStoredPicture(
  storedPicture: RgbPixels,
  takenPicture: RgbPixels,
): { readonly count: number; readonly picture: RgbPixels } {
  if (storedPicture.width !== takenPicture.width || storedPicture.height !== takenPicture.height)
    return { count: Number.POSITIVE_INFINITY, picture: storedPicture };
  let differingPixelCount = 0;
  const differenceRgb = new Uint8Array(storedPicture.rgb.length);
  for (let byteIndex = 0; byteIndex < differenceRgb.length; byteIndex += 3) {
    const channelValues = [0, 1, 2].map((i) => storedPicture.rgb[byteIndex + i]);
    const isDifferentColor = channelValues.some(
      (channelValue, i) => Math.abs(channelValue - takenPicture.rgb[byteIndex + i]) > CHANNEL_TOLERANCE,
    );
    if (isDifferentColor) differingPixelCount++;
    differenceRgb.set(
      isDifferentColor ? [255, 0, 0] : channelValues.map((channelValue) => 170 + channelValue / 3),
      byteIndex,
    );
  }
  return { count: differingPixelCount, picture: { ...storedPicture, rgb: differenceRgb } };
}
