/** What a feed for updates says, which electron-updater takes in nearly any form. */
import { Type } from 'typebox';
import { Value } from 'typebox/value';

/** In bytes: a feed is a page of text, and the packages are a fifth of that. */
export const mostFeedBytes = 1024 * 1024;
const mostPackageBytes = 1024 * 1024 * 1024;

const number = '(0|[1-9][0-9]{0,8})';

/** As the packages' builder writes it. */
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
});

/**
 * @returns the size of the largest package, in bytes
 * @throws Error where the feed says anything that no release of this app does
 */
export function announcedBytes(feed: unknown): number {
  if (!Value.Check(Announced, feed)) {
    const [problem] = Value.Errors(Announced, feed);
    throw new Error(`The feed has another form than a release: ${problem?.instancePath} ${problem?.message}`);
  }
  return Math.max(...feed.files.map(({ size }) => size));
}
