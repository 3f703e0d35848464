/** Decodes and scales images with WebAssembly, which can't reach beyond its own memory. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { crop, initPhoton, PhotonImage, resize, SamplingFilter } from '@cf-wasm/photon/others';
import { type ImageHeader, readImageHeader } from './image-header.ts';
import { sizeName, thumbnailSizes } from './thumbnail-size.ts';

const wasmPageSize = 65_536;
const jpegQuality = 80;

export type Thumbnail = {
  /** See `sizeName`. */
  name: string;
  contentType: string;
  content: Uint8Array;
};

/**
 * Creates thumbnails of all sizes from one decoding. Returns undefined if the content isn't an image, is damaged, or has
 * too many pixels. Call once per thread.
 *
 * @throws Error if the system lacks a resource, which says nothing about the image
 */
export function createThumbnailImages(content: Buffer, maximumPixels: number): Thumbnail[] | undefined {
  const header = readImageHeader(content);
  if (!header || header.width * header.height > maximumPixels) return undefined;

  const file = createRequire(import.meta.url).resolve('@cf-wasm/photon/photon.wasm');
  const module = boundMemory(readFileSync(file), maximumPages(content, header));
  initPhoton.sync({ module: new WebAssembly.Module(module) });
  try {
    return decodeAndScale(content, header);
  } catch (error) {
    // From memory outside of the decoder's, which is bounded by the image's size.
    if (error instanceof RangeError) throw error;
    return undefined;
  }
}

/** @throws anything for a damaged image */
function decodeAndScale(content: Buffer, header: ImageHeader): Thumbnail[] {
  const original = PhotonImage.new_from_byteslice(content);
  const [width, height] = [original.get_width(), original.get_height()];
  const image = shrinkLarge(original);
  const isRotated = header.orientation >= 5;
  return thumbnailSizes.map((size) => {
    const rotatedSize = isRotated ? { width: size.height, height: size.width } : size;
    const thumbnail =
      size.method === 'crop'
        ? cropToSize(image, rotatedSize)
        : scaleToFit(image, rotatedSize, { width, height });
    return {
      name: sizeName(size),
      ...encode(applyOrientation(thumbnail, header.orientation), header.format),
    };
  });
}

type Sides = { width: number; height: number };

/** Scales to fit, keeping the proportions, but never above the original's size. */
function scaleToFit(image: PhotonImage, size: Sides, original: Sides): PhotonImage {
  const factor = Math.min(size.width / original.width, size.height / original.height, 1);
  const scaled = (length: number) => Math.max(1, Math.round(length * factor));
  return resize(image, scaled(original.width), scaled(original.height), SamplingFilter.CatmullRom);
}

/** Fills the size with the center of the image. */
function cropToSize(image: PhotonImage, { width, height }: Sides): PhotonImage {
  const factor = Math.max(width / image.get_width(), height / image.get_height());
  const range = (side: number, length: number) => {
    const visible = Math.min(length, Math.max(1, Math.round(side / factor)));
    const start = Math.floor((length - visible) / 2);
    return [start, start + visible] as const;
  };
  const [left, right] = range(width, image.get_width());
  const [top, bottom] = range(height, image.get_height());
  return resize(crop(image, left, top, right, bottom), width, height, SamplingFilter.CatmullRom);
}

/** Rotates and flips an image by its EXIF orientation. */
function applyOrientation(image: PhotonImage, orientation: number): PhotonImage {
  if (orientation === 1) return image;
  const [width, height] = [image.get_width(), image.get_height()];
  const [newWidth, newHeight] = orientation >= 5 ? [height, width] : [width, height];
  const source = new Uint32Array(image.get_raw_pixels().slice().buffer);
  const target = new Uint32Array(source.length);
  for (let y = 0; y < newHeight; y++) {
    for (let x = 0; x < newWidth; x++) {
      const [across, down] = orientation >= 5 ? [y, x] : [x, y];
      const sourceX = [2, 3, 7, 8].includes(orientation) ? width - 1 - across : across;
      const sourceY = [3, 4, 6, 7].includes(orientation) ? height - 1 - down : down;
      target[y * newWidth + x] = source[sourceY * width + sourceX] ?? 0;
    }
  }
  return new PhotonImage(new Uint8Array(target.buffer), newWidth, newHeight);
}

/** JPEG for photos; PNG for drawings and transparency. */
function encode(image: PhotonImage, format: ImageHeader['format']): Omit<Thumbnail, 'name'> {
  if (format === 'jpeg' || (format === 'webp' && isOpaque(image))) {
    return { contentType: 'image/jpeg', content: image.get_bytes_jpeg(jpegQuality) };
  }
  return { contentType: 'image/png', content: image.get_bytes() };
}

const isOpaque = (image: PhotonImage) =>
  image.get_raw_pixels().every((value, index) => index % 4 !== 3 || value === 255);

/** Shrinks an image to little more than twice the size of the largest thumbnail, so that each size takes less time. */
function shrinkLarge(original: PhotonImage): PhotonImage {
  const [width, height] = [original.get_width(), original.get_height()];
  const factor = Math.floor(Math.min(Math.max(width / 1600, height / 1200), width / 192, height / 192));
  if (factor < 2) return original;
  const small = resize(
    original,
    Math.round(width / factor),
    Math.round(height / factor),
    SamplingFilter.Triangle,
  );
  original.free();
  return small;
}

/** Enough for the content and several copies of the pixels: an image that needs more has a false header. */
function maximumPages(content: Buffer, { width, height }: ImageHeader): number {
  const bytes = 32 * 1024 * 1024 + 2 * content.length + 24 * width * height;
  return Math.min(Math.ceil(bytes / wasmPageSize), 16_384);
}

/**
 * Sets the maximum of a WebAssembly module's memory, which a worker's resource limits don't include; without one it
 * may grow to 4 GiB.
 *
 * @param bytes a module that has one memory without a maximum
 * @param maximum in pages of 64 KiB
 * @throws Error for other modules
 */
export function boundMemory(bytes: Uint8Array, maximum: number): Uint8Array<ArrayBuffer> {
  const memorySection = 5;
  // After the magic number and the version come sections: ID, length, content.
  for (let offset = 8; offset < bytes.length; ) {
    const id = bytes[offset];
    const { value: length, end: start } = readLeb128(bytes, offset + 1);
    const end = start + length;
    if (id === memorySection) {
      const { value: count, end: flags } = readLeb128(bytes, start);
      if (count !== 1 || bytes[flags] !== 0) break;
      const content = [1, 1, ...bytes.subarray(flags + 1, end), ...writeLeb128(maximum)];
      const section = [memorySection, ...writeLeb128(content.length), ...content];
      return new Uint8Array(
        Buffer.concat([bytes.subarray(0, offset), Buffer.from(section), bytes.subarray(end)]),
      );
    }
    offset = end;
  }
  throw new Error('The module must define one memory without a maximum');
}

/** Unsigned LEB128, WebAssembly's number format. */
function readLeb128(bytes: Uint8Array, start: number): { value: number; end: number } {
  let value = 0;
  for (let end = start, shift = 0; ; shift += 7) {
    const byte = bytes[end++] ?? 0;
    value |= (byte & 0x7f) << shift;
    if (byte < 0x80) return { value, end };
  }
}

const writeLeb128 = (value: number): number[] =>
  value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...writeLeb128(value >>> 7)];
