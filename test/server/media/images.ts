/** Images of every format, and malicious ones. */
import { crc32, deflateSync } from 'node:zlib';
import { PhotonImage } from '@cf-wasm/photon';
import { gradientPicture } from '../../../server/administration/sample-data/uploads.ts';

export const png = (width: number, height: number) =>
  gradientPicture(width, height, [255, 0, 0], [0, 0, 255]);

/** Returns a PhotonImage with a red left half and a blue right half. */
function twoHalves(width: number, height: number, alpha = 255): PhotonImage {
  const pixels = new Uint8Array(width * height * 4);
  for (let index = 0; index < width * height; index++) {
    pixels.set(index % width < width / 2 ? [255, 0, 0, alpha] : [0, 0, 255, alpha], index * 4);
  }
  return new PhotonImage(pixels, width, height);
}

export const jpeg = (width: number, height: number) =>
  Buffer.from(twoHalves(width, height).get_bytes_jpeg(90));
export const webp = (width: number, height: number, alpha?: number) =>
  Buffer.from(twoHalves(width, height, alpha).get_bytes_webp());

/** A single-pixel GIF. */
export const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

/** Returns the JPEG with an EXIF orientation tag. */
export function withOrientation(picture: Buffer, orientation: number): Buffer {
  const tiff = Buffer.alloc(26);
  tiff.write('MM\0*', 'latin1');
  tiff.writeUInt32BE(8, 4);
  tiff.writeUInt16BE(1, 8);
  tiff.writeUInt16BE(0x0112, 10);
  tiff.writeUInt16BE(3, 12);
  tiff.writeUInt32BE(1, 14);
  tiff.writeUInt16BE(orientation, 18);
  const segment = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff]);
  const head = Buffer.from([0xff, 0xe1, 0, segment.length + 2]);
  return Buffer.concat([picture.subarray(0, 2), head, segment, picture.subarray(2)]);
}

/** Returns a PNG with arbitrary header values. */
export function pngThatClaims(
  width: number,
  height: number,
  content: Buffer,
  more: Buffer = Buffer.alloc(0),
) {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    pngChunk('IHDR', header),
    more,
    pngChunk('IDAT', deflateSync(content)),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

export function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}

/** Returns a GIF with a frame far larger than its canvas. */
export function gifWithHugeFrame(): Buffer {
  const bytes = Buffer.from(gif);
  // The frame follows the header, two colors and the transparency: marker, position, size.
  const frame = bytes.indexOf(0x2c);
  bytes.writeUInt16LE(65_535, frame + 5);
  bytes.writeUInt16LE(65_535, frame + 7);
  return bytes;
}

/** Returns a WebP with a small canvas and a frame of 268 million pixels. */
export function webpWithHugeFrame(): Buffer {
  const canvas = Buffer.from([0, 0, 0, 0, 9, 0, 0, 9, 0, 0]);
  const frame = Buffer.alloc(56);
  frame[0] = 0x2f;
  frame.writeUInt32LE(0x0fff_ffff, 1);
  const chunk = (type: string, data: Buffer) => {
    const length = Buffer.alloc(4);
    length.writeUInt32LE(data.length);
    return Buffer.concat([Buffer.from(type, 'latin1'), length, data]);
  };
  const chunks = Buffer.concat([chunk('VP8X', canvas), chunk('VP8L', frame)]);
  return chunk('RIFF', Buffer.concat([Buffer.from('WEBP', 'latin1'), chunks]));
}
