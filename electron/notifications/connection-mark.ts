/** Name and color of a connection outside of the window. */
import { type NativeImage, nativeImage } from 'electron';
import type { Connection } from '../../shared/connection.ts';
import { type ConnectionColor, colorOf, connectionColors, type Looks } from '../../shared/connection-look.ts';
import { plainServerName } from '../../shared/plain-server-name.ts';
import { say } from '../words.ts';

/** `name` includes the production mark. */
export type ConnectionMark = { name: string; color: ConnectionColor | undefined };

export function markOf(connection: Connection, { of }: Looks): ConnectionMark {
  const look = of[connection.id] ?? {};
  const server = look.label?.replaceAll(/[\p{Cc}\p{Cf}<>]/gu, '').trim() || plainServerName(connection);
  return {
    name: look.isProduction ? say(/*i18n*/ '{server} (production)', { server }) : server,
    color: colorOf(look),
  };
}

export const discOf = (color: ConnectionColor, size: number): NativeImage =>
  nativeImage.createFromBitmap(drawDisc(size, connectionColors[color]), { width: size, height: size });

/**
 * @param color `#rrggbb`
 * @returns blue, green, red and alpha of each pixel, premultiplied
 */
function drawDisc(size: number, color: string): Buffer {
  const [red = 0, green = 0, blue = 0] = Buffer.from(color.slice(1), 'hex');
  const pixels = Buffer.alloc(size ** 2 * 4);
  const center = (size - 1) / 2;
  for (let pixel = 0; pixel < size ** 2; pixel++) {
    const distance = Math.hypot((pixel % size) - center, Math.floor(pixel / size) - center);
    // With a margin of an eighth.
    const opacity = Math.max(0, Math.min(1, size * 0.375 - distance + 0.5));
    pixels.set(
      [blue, green, red, 0xff].map((value) => Math.round(value * opacity)),
      pixel * 4,
    );
  }
  return pixels;
}
