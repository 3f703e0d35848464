/** Reads image headers before decoding: a few bytes can decode to an image that fills the memory. */
export type ImageHeader = {
  format: 'png' | 'jpeg' | 'gif' | 'webp';
  width: number;
  height: number;
  /** EXIF orientation, 1 to 8; 1 is upright. */
  orientation: number;
};

/** Returns undefined if the format isn't supported. */
export function readImageHeader(bytes: Buffer): ImageHeader | undefined {
  try {
    const header = png(bytes) ?? gif(bytes) ?? webp(bytes) ?? jpeg(bytes);
    return header && header.width > 0 && header.height > 0 ? header : undefined;
  } catch (error) {
    // The header is incomplete.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function png(bytes: Buffer): ImageHeader | undefined {
  if (bytes.toString('latin1', 0, 8) !== '\x89PNG\r\n\x1a\n') return undefined;
  if (bytes.toString('latin1', 12, 16) !== 'IHDR') return undefined;
  return { format: 'png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20), orientation: 1 };
}

function gif(bytes: Buffer): ImageHeader | undefined {
  if (!/^GIF8[79]a$/.test(bytes.toString('latin1', 0, 6))) return undefined;
  return { format: 'gif', width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8), orientation: 1 };
}

function webp(bytes: Buffer): ImageHeader | undefined {
  if (bytes.toString('latin1', 0, 4) !== 'RIFF' || bytes.toString('latin1', 8, 12) !== 'WEBP') {
    return undefined;
  }
  const size = webpSize(bytes);
  return size && { format: 'webp', ...size, orientation: 1 };
}

function webpSize(bytes: Buffer): { width: number; height: number } | undefined {
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case 'VP8X':
      return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
    default:
      return undefined;
  }
}

/** A JPEG is a sequence of segments; the frame header has the size. */
function jpeg(bytes: Buffer): ImageHeader | undefined {
  if (bytes.length < 2 || bytes.readUInt16BE(0) !== 0xffd8) return undefined;
  let orientation = 1;
  for (let offset = 2; ; ) {
    const marker = bytes.readUInt16BE(offset);
    // Padding before a segment.
    if (marker === 0xffff) {
      offset++;
      continue;
    }
    if (marker < 0xff00) return undefined;
    const length = bytes.readUInt16BE(offset + 2);
    if (isFrame(marker)) {
      const [height, width] = [bytes.readUInt16BE(offset + 5), bytes.readUInt16BE(offset + 7)];
      return { format: 'jpeg', width, height, orientation };
    }
    if (marker === 0xffe1) orientation = exifOrientation(bytes.subarray(offset + 4, offset + 2 + length));
    if (length < 2) return undefined;
    offset += 2 + length;
  }
}

/** Three markers in the range of frame headers are tables. */
const isFrame = (marker: number) =>
  marker >= 0xffc0 && marker <= 0xffcf && ![0xffc4, 0xffc8, 0xffcc].includes(marker);

/** Returns 1 if the EXIF segment has no valid orientation. */
function exifOrientation(segment: Buffer): number {
  try {
    if (segment.toString('latin1', 0, 6) !== 'Exif\0\0') return 1;
    const tiff = segment.subarray(6);
    const littleEndian = tiff.toString('latin1', 0, 2) === 'II';
    const read16 = (offset: number) => (littleEndian ? tiff.readUInt16LE(offset) : tiff.readUInt16BE(offset));
    const directory = littleEndian ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
    for (let entry = 0; entry < read16(directory); entry++) {
      const offset = directory + 2 + entry * 12;
      if (read16(offset) !== 0x0112) continue;
      const value = read16(offset + 8);
      return value >= 1 && value <= 8 ? value : 1;
    }
    return 1;
  } catch (error) {
    if (error instanceof RangeError) return 1;
    throw error;
  }
}
