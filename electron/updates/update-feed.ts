/**
 * A feed for updates: the text that the packages' builder writes, and a last line that signs it. electron-updater takes
 * feeds in nearly any form and from anybody, so it gets to read none that the key's owner did not sign for this platform.
 */
import { type KeyLike, type KeyObject, sign, verify } from 'node:crypto';
import { posix } from 'node:path';
import { Type } from 'typebox';
import { Value } from 'typebox/value';

/** In bytes: a feed is a page of text, and the packages are a fifth of that. */
export const mostFeedBytes = 1024 * 1024;
/** Beside the app in a package that looks for updates: the public key that they are signed with. */
export const updateKeyFile = 'update-key.pem';
const mostPackageBytes = 1024 * 1024 * 1024;

const number = '(0|[1-9][0-9]{0,8})';

/** In the one way to write it: it is shown, compared and looked up as it stands. */
export const Release = Type.String({ pattern: `^${number}\\.${number}\\.${number}$` });

/** What is read of it. */
const Announced = Type.Object({
  version: Release,
  files: Type.Array(
    Type.Object({
      // Beside the feed, and put away under this name.
      url: Type.String({ pattern: '^\\w[\\w.-]{0,200}$' }),
      sha512: Type.String({ pattern: '^[A-Za-z0-9+/]{86}==$' }),
      size: Type.Integer({ minimum: 1, maximum: mostPackageBytes }),
    }),
    { minItems: 1, maxItems: 20 },
  ),
});

/**
 * @returns the size of the largest package that is announced, in bytes
 * @throws Error where it says anything that no release of this app does
 */
export function announcedBytes(feed: unknown): number {
  if (Value.Check(Announced, feed)) return Math.max(...feed.files.map(({ size }) => size));
  const [problem] = Value.Errors(Announced, feed);
  throw new Error(`Invalid update feed: ${problem?.instancePath} ${problem?.message}`);
}

/** A comment in YAML, which is what a feed is written in. */
const signatureLine = /^# signature: ([A-Za-z0-9+/]{86}==)\n$/;

/** With its file's name, which says for which platform it is, and on Linux for which processor. */
const signedText = (name: string, text: string) => Buffer.from(`Gatehouse ${name}\n${text}`);

/**
 * @param name of its file, such as `latest-linux.yml`
 * @param text ends with a line break
 * @param key of the kind Ed25519
 */
export const signedFeed = (name: string, text: string, key: KeyObject): string =>
  `${text}# signature: ${sign(null, signedText(name, text), key).toString('base64')}\n`;

/** @throws Error unless all of it was signed under this name, with the key whose public half is given as PEM */
function checkSignature(name: string, feed: string, key: KeyLike): void {
  const lastLine = feed.lastIndexOf('\n', feed.length - 2) + 1;
  const signature = signatureLine.exec(feed.slice(lastLine))?.[1];
  const text = signedText(name, feed.slice(0, lastLine));
  if (!signature || !verify(null, text, key, Buffer.from(signature, 'base64'))) {
    throw new Error(`${name} isn't signed with this app's key`);
  }
}

type FeedRequest = { path?: string | null; headers?: Record<string, unknown> | null };

/** As electron-updater reads feeds, and nothing else: packages are downloaded in another way. */
export type FeedReader = {
  request(options: FeedRequest, ...more: unknown[]): Promise<string | null>;
};

/**
 * From now on a feed is given on as it came, and only where it is signed.
 *
 * @param key the public half, as PEM, asked for each time
 */
export function believeSigned(reader: FeedReader, key: () => KeyLike): void {
  const { request } = reader;
  reader.request = async (options, ...more) => {
    const { path, headers } = options;
    // It would tell by which installation it is asked.
    if (headers) delete headers['x-user-staging-id'];
    const feed = await request.call(reader, options, ...more);
    checkSignature(posix.basename(path?.split('?', 1)[0] ?? ''), feed ?? '', key());
    return feed;
  };
}
