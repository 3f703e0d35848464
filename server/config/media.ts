/** What is uploaded, and where it is kept. */
import { resolve } from 'node:path';
import { Type } from 'typebox';
import { section } from './section.ts';
import { Size, wholeSize } from './size.ts';

export const media = section(
  {
    media_store_path: Type.String({
      default: 'media',
      description: 'Directory for media, relative to the data directory',
    }),
    max_upload_size: Size({ default: '50M', description: 'Maximum upload size in bytes' }),
    max_image_pixels: Size({ default: '32M', description: 'Largest image that gets a thumbnail, in pixels' }),
    enable_authenticated_media: Type.Boolean({
      default: true,
      description: 'Requires a token to download media uploaded from now on',
    }),
  },
  (settings, { dataDir }) => ({
    mediaStorePath: resolve(dataDir, settings.media_store_path),
    /** The largest upload, in bytes. */
    maxUploadSize: wholeSize(settings.max_upload_size),
    /** Pictures with more pixels get no thumbnail. */
    maxImagePixels: wholeSize(settings.max_image_pixels),
    /** Whether what is uploaded from now on is for signed-in users only. */
    enableAuthenticatedMedia: settings.enable_authenticated_media,
  }),
);
