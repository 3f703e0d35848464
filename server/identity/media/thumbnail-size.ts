/**
 * The sizes that thumbnails have. They are few, so that nobody can have the server make endless pictures:
 * a request gets the one that suits it best, as on the reference homeserver.
 */
type ThumbnailMethod = 'crop' | 'scale';

export type ThumbnailSize = { width: number; height: number; method: ThumbnailMethod };

/** From small to large. */
export const thumbnailSizes: readonly ThumbnailSize[] = [
  { width: 32, height: 32, method: 'crop' },
  { width: 96, height: 96, method: 'crop' },
  { width: 320, height: 240, method: 'scale' },
  { width: 640, height: 480, method: 'scale' },
  { width: 800, height: 600, method: 'scale' },
];

/**
 * The smallest size that is large enough, or the largest of its method. A picture that is cut has to fill
 * both sides; one that is scaled keeps its shape, so one side is enough.
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

/** How a size is called on the disk and in the database. */
export const sizeName = ({ width, height, method }: ThumbnailSize) => `${width}x${height}-${method}`;
