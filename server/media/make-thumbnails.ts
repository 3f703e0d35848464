/** Decoding a picture and making it small: WebAssembly, which can't reach beyond its own memory. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { crop, initPhoton, PhotonImage, resize, SamplingFilter } from '@cf-wasm/photon/others';
import { boundMemory } from './bounded-memory.ts';
import { type PictureHeader, readPictureHeader } from './picture-header.ts';
import { shrink } from './shrink.ts';
import { sizeName, thumbnailSizes } from './thumbnail-size.ts';

const pageSize = 65_536;
const jpegQuality = 80;

export type Thumbnail = {
  /** What its size is called. */
  name: string;
  contentType: string;
  picture: Uint8Array;
};

/**
 * Makes thumbnails of all sizes from one decoding; undefined for what is no picture, is broken, or has more pixels
 * than allowed. No second call in the same thread is to be made then.
 *
 * @throws Error where the machine lacks something for it, which says nothing of the picture
 */
export function makeThumbnails(content: Buffer, maximumPixels: number): Thumbnail[] | undefined {
  const header = readPictureHeader(content);
  if (!header || header.width * header.height > maximumPixels) return undefined;

  const file = createRequire(import.meta.url).resolve('@cf-wasm/photon/photon.wasm');
  const module = boundMemory(readFileSync(file), pagesFor(content, header));
  initPhoton.sync({ module: new WebAssembly.Module(module) });
  try {
    return decodeAndScale(content, header);
  } catch (error) {
    // The decoder's memory has a bound that the picture must keep to; this is about memory beside it.
    if (error instanceof RangeError) throw error;
    return undefined;
  }
}

/** What is broken may throw anything. */
function decodeAndScale(content: Buffer, header: PictureHeader): Thumbnail[] {
  const original = PhotonImage.new_from_byteslice(content);
  const [width, height] = [original.get_width(), original.get_height()];
  const image = manageable(original);
  const turned = header.orientation >= 5;
  return thumbnailSizes.map((size) => {
    const wanted = turned ? { width: size.height, height: size.width } : size;
    const small = size.method === 'crop' ? cropped(image, wanted) : scaled(image, wanted, width, height);
    return { name: sizeName(size), ...encode(turn(small, header.orientation), header.format) };
  });
}

/**
 * How much memory a picture may take: a decoder holds what arrived, and the pixels at several of its steps.
 * What needs more has lied about its size.
 */
function pagesFor(content: Buffer, { width, height }: PictureHeader): number {
  const bytes = 32 * 1024 * 1024 + 2 * content.length + 24 * width * height;
  return Math.min(Math.ceil(bytes / pageSize), 16_384);
}

/** The same picture, at least twice as large as any thumbnail of it, but not much more than that. */
function manageable(original: PhotonImage): PhotonImage {
  const [width, height] = [original.get_width(), original.get_height()];
  const factor = Math.floor(Math.min(Math.max(width / 1600, height / 1200), width / 192, height / 192));
  if (factor < 2) return original;
  const pixels = original.get_raw_pixels();
  original.free();
  const small = shrink({ pixels, width, height }, factor);
  return new PhotonImage(small.pixels, small.width, small.height);
}

type Sides = { width: number; height: number };

/** As large as fits, in its own shape, and never larger than the original, whose sides are given. */
function scaled(image: PhotonImage, size: Sides, width: number, height: number): PhotonImage {
  const factor = Math.min(size.width / width, size.height / height, 1);
  const side = (length: number) => Math.max(1, Math.round(length * factor));
  return resize(image, side(width), side(height), SamplingFilter.CatmullRom);
}

/** The middle of it, filling all of the size. */
function cropped(image: PhotonImage, { width, height }: Sides): PhotonImage {
  const factor = Math.max(width / image.get_width(), height / image.get_height());
  const cut = (side: number, length: number) => {
    const kept = Math.min(length, Math.max(1, Math.round(side / factor)));
    const start = Math.floor((length - kept) / 2);
    return [start, start + kept] as const;
  };
  const [left, right] = cut(width, image.get_width());
  const [top, bottom] = cut(height, image.get_height());
  return resize(crop(image, left, top, right, bottom), width, height, SamplingFilter.CatmullRom);
}

/** Turns a picture as its EXIF orientation asks. */
function turn(image: PhotonImage, orientation: number): PhotonImage {
  if (orientation === 1) return image;
  const [width, height] = [image.get_width(), image.get_height()];
  const [turnedWidth, turnedHeight] = orientation >= 5 ? [height, width] : [width, height];
  const from = new Uint32Array(image.get_raw_pixels().slice().buffer);
  const to = new Uint32Array(from.length);
  for (let y = 0; y < turnedHeight; y++) {
    for (let x = 0; x < turnedWidth; x++) {
      const [across, down] = orientation >= 5 ? [y, x] : [x, y];
      const sourceX = [2, 3, 7, 8].includes(orientation) ? width - 1 - across : across;
      const sourceY = [3, 4, 6, 7].includes(orientation) ? height - 1 - down : down;
      to[y * turnedWidth + x] = from[sourceY * width + sourceX] ?? 0;
    }
  }
  return new PhotonImage(new Uint8Array(to.buffer), turnedWidth, turnedHeight);
}

/** Photographs stay small as JPEG; what is drawn or lets something shine through needs PNG. */
function encode(image: PhotonImage, format: PictureHeader['format']): Omit<Thumbnail, 'name'> {
  if (format === 'jpeg' || (format === 'webp' && isOpaque(image))) {
    return { contentType: 'image/jpeg', picture: image.get_bytes_jpeg(jpegQuality) };
  }
  return { contentType: 'image/png', picture: image.get_bytes() };
}

const isOpaque = (image: PhotonImage) =>
  image.get_raw_pixels().every((value, index) => index % 4 !== 3 || value === 255);
