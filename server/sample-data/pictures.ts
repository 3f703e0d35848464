import { Readable } from 'node:stream';
import type { JsonObject } from '../../shared/api/common.ts';
import { type MediaContext, storeUpload } from '../media/upload.ts';
import { gradientPicture } from './picture.ts';

const pictures = [
  { name: 'sunset.png', width: 960, height: 540, top: [36, 30, 78], bottom: [244, 148, 92] },
  { name: 'meadow.png', width: 640, height: 640, top: [150, 205, 240], bottom: [86, 140, 60] },
] as const;

/** Uploads the sample pictures and gives the messages that show them. */
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
