/** What people uploaded beside the pictures of their messages: documents, recordings, and names that deceive. */
import { Readable } from 'node:stream';
import { quarantineMedia } from '../media/quarantine.ts';
import { setProtected } from '../media/quarantine-store.ts';
import { type MediaContext, storeUpload } from '../media/upload.ts';
import type { Random } from './random.ts';

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

/** Uploads of everybody within a time, some quarantined and one protected. @returns how many */
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
    // A few upload most.
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
    context,
    [first, second].filter((id) => id !== undefined),
    moderator,
  );
  if (third !== undefined) await setProtected(context.db, third, true);
  return added.length;
}
