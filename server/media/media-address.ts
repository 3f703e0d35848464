/** What media are called: `mxc://example.org/4f2a…`. Matrix specification, "Matrix Content (mxc://) URIs". */

export type MediaAddress = { serverName: string; mediaId: string };

/** The address under which clients know an upload. */
export const addressOf = (serverName: string, mediaId: string) => `mxc://${serverName}/${mediaId}`;

/** What an `mxc:` address says; undefined for anything else. */
export function parseAddress(address: unknown): MediaAddress | undefined {
  if (typeof address !== 'string') return undefined;
  const [, serverName, mediaId] = /^mxc:\/\/([A-Za-z0-9.:[\]-]{1,255})\/([^/?#]+)$/.exec(address) ?? [];
  return serverName && mediaId && isMediaId(mediaId) ? { serverName, mediaId } : undefined;
}

/** Whether this can be the identifier of media at all. */
export const isMediaId = (text: string) => /^[\w=-]{1,255}$/.test(text);
