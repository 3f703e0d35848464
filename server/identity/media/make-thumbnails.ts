import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { crop, initPhoton, PhotonImage, resize, SamplingFilter } from '@cf-wasm/photon/others';
import { type PictureHeader, readPictureHeader } from './picture-header.ts';
import { sizeName, thumbnailSizes } from './thumbnail-size.ts';

/**
 * Gives a WebAssembly module's own memory an upper bound. A worker's resource limits do not count it, and
 * without a bound a module may take four gigabytes.
 *
 * @param bytes a module that has one memory, without a bound of its own
 * @param maximumPages how large the memory may grow, in pages of 64 KiB
 * @throws Error for another kind of module
 */
export function boundMemory(bytes: Uint8Array, maximumPages: number): Uint8Array<ArrayBuffer> {
  const memorySection = 5;
  // Behind magic number and version a module is a row of sections: identifier, length, content.
  for (let place = 8; place < bytes.length; ) {
    const identifier = bytes[place];
    const { value: length, end: start } = readNumber(bytes, place + 1);
    const end = start + length;
    if (identifier === memorySection) {
      const { value: count, end: flags } = readNumber(bytes, start);
      if (count !== 1 || bytes[flags] !== 0) break;
      const initial = bytes.subarray(flags + 1, end);
      const content = [1, 1, ...initial, ...writeNumber(maximumPages)];
      const section = Uint8Array.from([memorySection, ...writeNumber(content.length), ...content]);
      const bounded = new Uint8Array(place + section.length + bytes.length - end);
      bounded.set(bytes.subarray(0, place));
      bounded.set(section, place);
      bounded.set(bytes.subarray(end), place + section.length);
      return bounded;
    }
    place = end;
  }
  throw new Error('The module must define one memory without a maximum');
}

/** A number as WebAssembly writes it: seven bits a byte, the lowest first. */
function readNumber(bytes: Uint8Array, place: number): { value: number; end: number } {
  let value = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[place++] ?? 0;
    value |= (byte & 0x7f) << shift;
    if (byte < 0x80) return { value, end: place };
  }
}

function writeNumber(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...writeNumber(value >>> 7)];
}

type Pixels = {
  /** Red, green, blue and how opaque, a byte each, row by row. */
  pixels: Uint8Array;
  width: number;
  height: number;
};

/**
 * Makes a picture smaller by a whole factor: each pixel becomes the average of a square. Several times faster
 * than resampling all of a large picture, and as good where that is resampled afterwards. What is left over at
 * the right and at the bottom is cut off.
 */
function shrink({ pixels: from, ...sides }: Pixels, factor: number): Pixels {
  const [width, height] = [Math.floor(sides.width / factor), Math.floor(sides.height / factor)];
  const pixels = new Uint8Array(width * height * 4);
  const sums = new Float64Array(width * 4);
  for (let y = 0; y < height; y++) {
    sums.fill(0);
    for (let row = y * factor; row < (y + 1) * factor; row++)
      addRow(sums, from, row * sides.width * 4, factor);
    for (let place = 0; place < sums.length; place += 4) {
      const alpha = sums[place + 3] as number;
      // What shines through counts less: its colour is nobody's to see.
      for (let channel = 0; alpha > 0 && channel < 3; channel++) {
        pixels[y * width * 4 + place + channel] = Math.round((sums[place + channel] as number) / alpha);
      }
      pixels[y * width * 4 + place + 3] = Math.round(alpha / (factor * factor));
    }
  }
  return { pixels, width, height };
}

/** Adds a row to the sums of the squares that it belongs to. */
function addRow(sums: Float64Array, from: Uint8Array, start: number, factor: number): void {
  let source = start;
  for (let place = 0; place < sums.length; place += 4) {
    let red = 0;
    let green = 0;
    let blue = 0;
    let alpha = 0;
    for (let count = 0; count < factor; count++, source += 4) {
      const weight = from[source + 3] as number;
      red += (from[source] as number) * weight;
      green += (from[source + 1] as number) * weight;
      blue += (from[source + 2] as number) * weight;
      alpha += weight;
    }
    (sums[place] as number) += red;
    (sums[place + 1] as number) += green;
    (sums[place + 2] as number) += blue;
    (sums[place + 3] as number) += alpha;
  }
}

/** Decoding a picture and making it small: WebAssembly, which can't reach beyond its own memory. */

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
