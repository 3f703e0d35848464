/** Uploads and downloads, as any client would do them. */
import { expect } from 'vitest';
import type { Reply, TestHomeserver } from '../homeserver.ts';

export type Bytes = string | Uint8Array;

const blobOf = (content: Bytes) => new Blob([typeof content === 'string' ? content : content.slice()]);

/** Sends content to a path and returns the reply. */
export async function sendContent(
  homeserver: TestHomeserver,
  person: string,
  method: 'POST' | 'PUT',
  path: string,
  content: Bytes,
  contentType = 'text/plain',
): Promise<Reply> {
  const { accessToken } = homeserver.as(person);
  const response = await fetch(homeserver.url + path, {
    method,
    headers: {
      'content-type': contentType,
      ...(accessToken !== undefined && { authorization: `Bearer ${accessToken}` }),
    },
    body: blobOf(content),
  });
  return { status: response.status, body: await response.json(), headers: response.headers };
}

/** Uploads content and returns the media ID. */
export async function upload(
  homeserver: TestHomeserver,
  person: string,
  content: Bytes,
  contentType?: string,
  query = '',
): Promise<string> {
  const path = `/_chat/media/v3/upload${query}`;
  const { status, body } = await sendContent(homeserver, person, 'POST', path, content, contentType);
  expect({ status, body }).toMatchObject({ status: 200 });
  return idOf(body.content_uri);
}

/** Returns the media ID of a local `mxc:` URI. */
export const idOf = (contentUri: string) => contentUri.replace('mxc://localhost/', '');

/**
 * Fetches a path below the client prefix without translation. Reads the reply completely, so the connection is free.
 */
export async function fetchContent(
  homeserver: TestHomeserver,
  person: string,
  path: string,
  headers: Record<string, string> = {},
): Promise<Response> {
  const { accessToken } = homeserver.as(person);
  const response = await fetch(`${homeserver.url}/_chat/${path}`, {
    headers: { ...headers, ...(accessToken !== undefined && { authorization: `Bearer ${accessToken}` }) },
  });
  const body = await response.arrayBuffer();
  return new Response(body.byteLength > 0 ? body : null, response);
}

export const download = (homeserver: TestHomeserver, person: string, mediaId: string, query = '') =>
  fetchContent(homeserver, person, `client/v1/media/download/localhost/${mediaId}${query}`);

export const thumbnail = (homeserver: TestHomeserver, person: string, mediaId: string, query: string) =>
  fetchContent(homeserver, person, `client/v1/media/thumbnail/localhost/${mediaId}?${query}`);
