/** Uploading and downloading. Matrix specification, client-server API, "Content repository". */
import { Type } from 'typebox';
import { EmptyObject, failures, JsonObject, SafeInteger, Timestamp } from './common.ts';

/** NUL is the one character that can't be stored. */
const fileName = Type.String({ maxLength: 255, pattern: '^[^\\u0000]*$' });
const uploadQuery = Type.Object({ filename: Type.Optional(fileName) });
const ContentUri = Type.String({ description: 'mxc:// URI' });

/** `POST …/media/v3/upload`: the body is the content itself. */
export const postUpload = {
  querystring: uploadQuery,
  response: { 200: Type.Object({ content_uri: ContentUri }), ...failures },
};

/** `POST …/media/v1/create`: an address to upload to later. */
export const createUpload = {
  response: { 200: Type.Object({ content_uri: ContentUri, unused_expires_at: Timestamp }), ...failures },
};

/** `PUT …/media/v3/upload/{serverName}/{mediaId}`: the content for a reserved mxc URI. */
export const putUpload = {
  params: Type.Object({ serverName: Type.String(), mediaId: Type.String() }),
  querystring: uploadQuery,
  response: { 200: EmptyObject, ...failures },
};

const MediaConfig = Type.Object({ 'm.upload.size': Type.Integer({ description: 'Bytes' }) });
export const getMediaConfig = { response: { 200: MediaConfig, ...failures } };

/** Maximum wait of a download for its upload, even if `timeout_ms` is longer. */
export const maximumUploadWaitMs = 60_000;

const UploadWait = Type.Integer({
  minimum: 0,
  default: 20_000,
  description: 'Maximum wait for media not uploaded yet, in milliseconds',
});

/** `GET …/client/v1/media/download/{serverName}/{mediaId}`, with or without a file name. */
export const getMedia = {
  params: Type.Object({
    serverName: Type.String(),
    mediaId: Type.String(),
    fileName: Type.Optional(Type.String({ maxLength: 255 })),
  }),
  querystring: Type.Object({
    timeout_ms: UploadWait,
    admin_unsafely_bypass_quarantine: Type.Boolean({
      default: false,
      description: 'Also serves quarantined media to server admins',
    }),
  }),
  response: { ...failures },
};

/** `GET …/client/v1/media/thumbnail/{serverName}/{mediaId}`. */
export const getThumbnail = {
  params: Type.Object({ serverName: Type.String(), mediaId: Type.String() }),
  querystring: Type.Object({
    width: Type.Integer({ minimum: 0 }),
    height: Type.Integer({ minimum: 0 }),
    method: Type.Union([Type.Literal('scale'), Type.Literal('crop')], { default: 'scale' }),
    animated: Type.Boolean({ default: false, description: 'Ignored: thumbnails are never animated' }),
    timeout_ms: UploadWait,
  }),
  response: { ...failures },
};

/** `GET …/media/preview_url`: the preview of a linked page. */
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
