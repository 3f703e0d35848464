import { Readable } from 'node:stream';
import { crc32, deflateSync } from 'node:zlib';
import type { JsonObject } from '../../../shared/api/common.ts';
import { quarantineMedia } from '../../identity/media/quarantine.ts';
import { setProtected } from '../../identity/media/quarantine-store.ts';
import { type MediaContext, storeUpload } from '../../identity/media/upload.ts';
import type { Random } from './content.ts';

type Color = readonly [red: number, green: number, blue: number];

/** A PNG with a vertical color gradient. */
export function gradientPicture(width: number, height: number, top: Color, bottom: Color): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Eight bits per channel: red, green and blue.
  header.set([8, 2], 8);

  const rows = Array.from({ length: height }, (_, y) => {
    const color = top.map((channel, index) => channel + (((bottom[index] ?? 0) - channel) * y) / height);
    const row = Buffer.alloc(1 + width * 3);
    for (let x = 0; x < width; x++) row.set(color, 1 + x * 3);
    return row;
  });
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}

const pictures = [
  { name: 'sunset.png', width: 960, height: 540, top: [36, 30, 78], bottom: [244, 148, 92] },
  { name: 'meadow.png', width: 640, height: 640, top: [150, 205, 240], bottom: [86, 140, 60] },
] as const;

/** Uploads the sample images and returns messages with them. */
export async function pictureMessages(context: MediaContext, userId: string): Promise<JsonObject[]> {
  return Promise.all(
    pictures.map(async ({ name, width, height, top, bottom }) => {
      const content = gradientPicture(width, height, top, bottom);
      const url = await storeUpload(context, {
        userId,
        contentType: 'image/png',
        uploadName: name,
        content: Readable.from([content]),
      });
      const info = { mimetype: 'image/png', w: width, h: height, size: content.length };
      return { msgtype: 'm.image', body: name, url, info };
    }),
  );
}

/** Documents, recordings, and deceptive file names. */
const kinds = [
  { contentType: 'application/pdf', name: 'minutes.pdf', bytes: 30_000 },
  { contentType: 'image/jpeg', name: 'IMG_2041.jpg', bytes: 60_000 },
  { contentType: 'audio/ogg', name: 'voice message.ogg', bytes: 24_000 },
  { contentType: 'video/mp4', name: 'clip.mp4', bytes: 90_000 },
  { contentType: 'text/plain', name: 'notes.txt', bytes: 900 },
  { contentType: 'application/octet-stream', name: 'invoice\u202Efdp.exe', bytes: 40_000 },
  { contentType: 'image/svg+xml', name: '<img src=x onerror=alert(1)>.svg', bytes: 2_000 },
] as const;

const count = 48;

type MovableClock = { moveTo(time: number): void };

/** Adds uploads by all members, some quarantined and one protected. Returns their number. */
export async function addUploads(
  context: MediaContext,
  clock: MovableClock,
  random: Random,
  members: readonly string[],
  { from, until }: { from: number; until: number },
): Promise<number> {
  const added: string[] = [];
  for (let index = 0; index < count; index++) {
    const kind = kinds[index % kinds.length] ?? kinds[0];
    clock.moveTo(Math.floor(from + ((until - from) * (index + random.next())) / count));
    // A few users upload most.
    const userId = members[Math.floor(random.next() ** 2 * members.length)] ?? '';
    const size = Math.max(1, Math.floor(kind.bytes * (0.3 + random.next())));
    const address = await storeUpload(context, {
      userId,
      contentType: kind.contentType,
      uploadName: kind.name,
      content: Readable.from([Buffer.alloc(size, `${index} ${random.next()} `)]),
    });
    added.push(address.slice(address.lastIndexOf('/') + 1));
  }
  const [first, second, third] = added;
  const [moderator = ''] = members;
  await quarantineMedia(
    context.db,
    [first, second].filter((id) => id !== undefined),
    moderator,
  );
  if (third !== undefined) await setProtected(context.db, third, true);
  return added.length;
}
