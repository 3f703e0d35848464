import { Type } from 'typebox';
import { failures, JsonObject, SafeInteger } from './common.ts';

/** `GET …/media/preview_url`: what a page that somebody links to says of itself. */
export const getUrlPreview = {
  querystring: Type.Object({
    url: Type.String({ minLength: 1, maxLength: 4096 }),
    ts: Type.Optional(
      Type.Unsafe<number>({
        ...SafeInteger,
        description: 'Ignored: the preview is always current',
      }),
    ),
  }),
  response: { 200: JsonObject, ...failures },
};
