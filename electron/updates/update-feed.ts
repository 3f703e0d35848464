/**
 * Signed update feeds: the builder's text with a signature line. electron-updater accepts feeds of almost any form
 * and origin, so it only gets those signed by the key's owner for this platform.
 */
import { type KeyLike, type KeyObject, sign, verify } from 'node:crypto';
import { posix } from 'node:path';
import { Type } from 'typebox';
import { Value } from 'typebox/value';

/** In bytes: a feed is a short text, and packages are a fifth of that maximum. */
export const mostFeedBytes = 1024 * 1024;
/** The public key for updates, in packages that look for them. */
export const updateKeyFile = 'update-key.pem';
const mostPackageBytes = 1024 * 1024 * 1024;

const number = '(0|[1-9][0-9]{0,8})';

/** In its only valid notation, because it is shown, compared and looked up. */
export const Release = Type.String({ pattern: `^${number}\\.${number}\\.${number}$` });

/** The fields that are read. */
const Announced = Type.Object({
  version: Release,
  files: Type.Array(
    Type.Object({
      // Name of the downloaded package, relative to the feed.
      url: Type.String({ pattern: '^\\w[\\w.-]{0,200}$' }),
      sha512: Type.String({ pattern: '^[A-Za-z0-9+/]{86}==$' }),
      size: Type.Integer({ minimum: 1, maximum: mostPackageBytes }),
    }),
    { minItems: 1, maxItems: 20 },
  ),
});

/**
 * @returns size of the largest package in bytes
 * @throws Error for any content that a release doesn't have
 */
export function announcedBytes(feed: unknown): number {
  if (Value.Check(Announced, feed)) return Math.max(...feed.files.map(({ size }) => size));
  const [problem] = Value.Errors(Announced, feed);
  throw new Error(`Invalid update feed: ${problem?.instancePath} ${problem?.message}`);
}

/** A comment in YAML, which is the feed's format. */
const signatureLine = /^# signature: ([A-Za-z0-9+/]{86}==)\n$/;

/** Signs the file name too, which contains the platform and, on Linux, the architecture. */
const signedText = (name: string, text: string) => Buffer.from(`Gatehouse ${name}\n${text}`);

/**
 * @param name of the file, such as `latest-linux.yml`
 * @param text ends with a line break
 * @param key Ed25519
 */
export const signedFeed = (name: string, text: string, key: KeyObject): string =>
  `${text}# signature: ${sign(null, signedText(name, text), key).toString('base64')}\n`;

/** @throws Error unless the whole feed was signed under this name with this key, given as public PEM */
function checkSignature(name: string, feed: string, key: KeyLike): void {
  const lastLine = feed.lastIndexOf('\n', feed.length - 2) + 1;
  const signature = signatureLine.exec(feed.slice(lastLine))?.[1];
  const text = signedText(name, feed.slice(0, lastLine));
  if (!signature || !verify(null, text, key, Buffer.from(signature, 'base64'))) {
    throw new Error(`${name} isn't signed with this app's key`);
  }
}

type FeedRequest = { path?: string | null; headers?: Record<string, unknown> | null };

/** Hooks into electron-updater's feed requests only; packages are downloaded elsewhere. */
export type FeedReader = {
  request(options: FeedRequest, ...more: unknown[]): Promise<string | null>;
};

/**
 * From now on feeds are passed on unchanged, and only if signed.
 *
 * @param key public, as PEM, read each time
 */
export function believeSigned(reader: FeedReader, key: () => KeyLike): void {
  const { request } = reader;
  reader.request = async (options, ...more) => {
    const { path, headers } = options;
    // It would identify the installation.
    if (headers) delete headers['x-user-staging-id'];
    const feed = await request.call(reader, options, ...more);
    checkSignature(posix.basename(path?.split('?', 1)[0] ?? ''), feed ?? '', key());
    return feed;
  };
}
