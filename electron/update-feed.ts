/** What a feed for updates says, which electron-updater takes in nearly any form and from anybody. */
import { type KeyLike, type KeyObject, sign, verify } from 'node:crypto';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';

/** In bytes: a feed is a page of text, and the packages are a fifth of that. */
export const mostFeedBytes = 1024 * 1024;
/** Beside the app in a package that looks for updates: the public key that they are signed with. */
export const updateKeyFile = 'update-key.pem';
const mostPackageBytes = 1024 * 1024 * 1024;

const number = '(0|[1-9][0-9]{0,8})';

/** As the packages' builder writes it, and signs it. */
const Announced = Type.Object({
  // Nothing but a release, in the one way to write it: it is shown, compared and looked up as it stands.
  version: Type.String({ pattern: `^${number}\\.${number}\\.${number}$` }),
  files: Type.Array(
    Type.Object({
      // Beside the feed, and put away under this name.
      url: Type.String({ pattern: '^\\w[\\w.-]{0,200}$' }),
      sha512: Type.String({ pattern: '^[A-Za-z0-9+/]{86}==$' }),
      size: Type.Integer({ minimum: 1, maximum: mostPackageBytes }),
    }),
    { minItems: 1, maxItems: 20 },
  ),
  signature: Type.String({ pattern: '^[A-Za-z0-9+/]{86}==$' }),
});
type Announced = Omit<Static<typeof Announced>, 'signature'>;

/** All that is believed of a feed, as JSON: the version, and the name, the SHA-512 and the size of each file. */
const signedText = ({ version, files }: Announced): Buffer =>
  Buffer.from(JSON.stringify([version, files.map(({ url, sha512, size }) => [url, sha512, size])]));

/** The signature of a feed with an Ed25519 key, in base64. */
export const signatureOf = (feed: Announced, key: KeyObject): string =>
  sign(null, signedText(feed), key).toString('base64');

/**
 * @param key the public half of the key that the packages are signed with, as PEM
 * @returns the size of the largest package, in bytes
 * @throws Error where the feed says anything that no release of this app does, or somebody else says it
 */
export function announcedBytes(feed: unknown, key: KeyLike): number {
  if (!Value.Check(Announced, feed)) {
    const [problem] = Value.Errors(Announced, feed);
    throw new Error(`The feed has another form than a release: ${problem?.instancePath} ${problem?.message}`);
  }
  if (!verify(null, signedText(feed), key, Buffer.from(feed.signature, 'base64'))) {
    throw new Error('The feed is not signed with the key of this app');
  }
  return Math.max(...feed.files.map(({ size }) => size));
}
