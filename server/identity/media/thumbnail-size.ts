export type ThumbnailSize = { width: number; height: number; method: 'crop' | 'scale' };

/** In ascending order. A fixed list, as in Synapse, so that requests can't make the server generate unlimited sizes. */
export const thumbnailSizes: readonly ThumbnailSize[] = [
  { width: 32, height: 32, method: 'crop' },
  { width: 96, height: 96, method: 'crop' },
  { width: 320, height: 240, method: 'scale' },
  { width: 640, height: 480, method: 'scale' },
  { width: 800, height: 600, method: 'scale' },
];

/**
 * Returns the smallest size that is large enough, or else the largest of its method. A cropped image has to fill both
 * sides; a scaled one keeps its proportions, so one side is enough.
 */
export function thumbnailSize({ width, height, method }: ThumbnailSize): ThumbnailSize {
  const ofMethod = thumbnailSizes.filter((size) => size.method === method);
  const enough = ofMethod.find((size) =>
    method === 'crop'
      ? size.width >= width && size.height >= height
      : size.width >= width || size.height >= height,
  );
  return enough ?? (ofMethod.at(-1) as ThumbnailSize);
}

/** The name of a size on the disk and in the database. */
export const sizeName = ({ width, height, method }: ThumbnailSize) => `${width}x${height}-${method}`;
