import { type Static, Type } from 'typebox';
import { failures } from './common.ts';

/** `POST …/media/v3/upload`: the body is the content itself. */
export const postUpload = {
  querystring: Type.Object({ filename: Type.Optional(Type.String({ maxLength: 255 })) }),
  response: { 200: Type.Object({ content_uri: Type.String() }), ...failures },
};

export const MediaConfig = Type.Object({ 'm.upload.size': Type.Integer({ description: 'Bytes' }) });
export type MediaConfig = Static<typeof MediaConfig>;
export const getMediaConfig = { response: { 200: MediaConfig, ...failures } };

/** `GET …/client/v1/media/download/{serverName}/{mediaId}`, with or without a file name. */
export const getMedia = {
  params: Type.Object({
    serverName: Type.String(),
    mediaId: Type.String(),
    fileName: Type.Optional(Type.String({ maxLength: 255 })),
  }),
  response: { ...failures },
};
