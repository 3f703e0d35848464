/** Generates each platform's icons from the logo. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Resvg } from '@resvg/resvg-js';
import { projectRoot } from '../launch/build.ts';

const linuxSizes = [16, 24, 32, 48, 64, 128, 256, 512];
const windowsSizes = [16, 24, 32, 48, 64, 128, 256];

/** macOS names sizes by four letters, with separate names for double density. */
const macTypes: Record<string, number> = {
  icp4: 16,
  icp5: 32,
  ic11: 32,
  ic12: 64,
  ic07: 128,
  ic08: 256,
  ic13: 256,
  ic09: 512,
  ic14: 512,
  ic10: 1024,
};

/** Writes `icons/16x16.png` … `icons/512x512.png`, `icon.ico` and `icon.icns` to an empty folder. */
export function drawIcons(folder: string): void {
  const mark = readFileSync(join(projectRoot, 'renderer/mark.svg'), 'utf8');
  const draw = (size: number, svg = mark): Buffer =>
    new Resvg(svg, { fitTo: { mode: 'width', value: size } }).render().asPng();
  rmSync(folder, { recursive: true, force: true });
  // electron-builder uses an icon set with this name unchanged; it would download a tool to convert others.
  mkdirSync(join(folder, 'icons'), { recursive: true });
  for (const size of linuxSizes) writeFileSync(join(folder, 'icons', `${size}x${size}.png`), draw(size));
  writeFileSync(
    join(folder, 'icon.ico'),
    windowsIcon(windowsSizes.map((size) => ({ size, png: draw(size) }))),
  );
  const macMark = withMacMargin(mark);
  const pieces = Object.entries(macTypes).map(([type, size]) => ({ type, png: draw(size, macMark) }));
  writeFileSync(join(folder, 'icon.icns'), macIcon(pieces));
}

/** macOS leaves a tenth free on each side: the icon has 824 of 1024 pixels. */
function withMacMargin(svg: string): string {
  const side = (32 * 1024) / 824;
  const margin = (side - 32) / 2;
  return svg.replace('viewBox="0 0 32 32"', `viewBox="${-margin} ${-margin} ${side} ${side}"`);
}

/** A directory of images, then the images. Windows supports PNG there since Vista. */
function windowsIcon(pictures: readonly { size: number; png: Buffer }[]): Buffer {
  const entryBytes = 16;
  const directory = Buffer.alloc(6 + pictures.length * entryBytes);
  directory.writeUInt16LE(1, 2);
  directory.writeUInt16LE(pictures.length, 4);
  let offset = directory.length;
  for (const [index, { size, png }] of pictures.entries()) {
    const entry = directory.subarray(6 + index * entryBytes);
    // One byte each for width and height; 0 means 256.
    entry[0] = entry[1] = size % 256;
    entry.writeUInt16LE(1, 4);
    entry.writeUInt16LE(32, 6);
    entry.writeUInt32LE(png.length, 8);
    entry.writeUInt32LE(offset, 12);
    offset += png.length;
  }
  return Buffer.concat([directory, ...pictures.map(({ png }) => png)]);
}

/** Chunks with type and length; the file has the same header. */
function macIcon(pieces: readonly { type: string; png: Buffer }[]): Buffer {
  const withHead = (type: string, content: Buffer) => {
    const head = Buffer.alloc(8);
    head.write(type, 'latin1');
    head.writeUInt32BE(head.length + content.length, 4);
    return Buffer.concat([head, content]);
  };
  return withHead('icns', Buffer.concat(pieces.map(({ type, png }) => withHead(type, png))));
}
