/** Quarantine, protection and deletion of media. */

import { i18n } from '@lingui/core';
import { IconPhotoCheck, IconPhotoOff, IconShieldCheck, IconShieldOff, IconTrash } from '@tabler/icons-react';
import pLimit from 'p-limit';
import { ConnectionFailure } from '../../../shared/connection.ts';
import { getMedium } from '../../api/media.ts';
import { deleteMedium, isProtected, setProtected, setQuarantined } from '../../api/media-changes.ts';
import { NoSuchEndpoint, NotFound } from '../../transport/refusal.ts';
import type { Server } from '../../transport/server.ts';
import { action } from '../action.ts';
import { changedSince } from './changes.ts';

// Quarantine.

const atOnce = 4;

/** Returns who quarantined a file; null if it isn't quarantined, undefined if unknown. */
const keptBy = (server: Server, uri: string): Promise<string | null | undefined> =>
  getMedium(server, uri).then(
    ({ quarantined_by: by }) => by ?? null,
    (error) => {
      if (error instanceof NotFound || error instanceof NoSuchEndpoint) return undefined;
      throw error;
    },
  );

/** Undoes the user's own quarantine. @throws ConnectionFailure if another admin has quarantined it since */
export async function releaseOwn(server: Server, uri: string): Promise<void> {
  const by = await keptBy(server, uri);
  if (by === null) return;
  if (by !== undefined && by !== server.connection.userId) throw changedSince();
  await setQuarantined(server, uri, false);
}

async function releaseAny(server: Server, uri: string): Promise<void> {
  await setQuarantined(server, uri, false);
}

/** Removes files from quarantine. Stops at the first refusal. Returns their number. */
export async function release(server: Server, uris: readonly string[], one = releaseAny): Promise<number> {
  const turn = pLimit(atOnce);
  await turn.map(uris, (uri) => one(server, uri)).finally(() => turn.clearQueue());
  return uris.length;
}

/** Returns the result for the log and the tray. */
export const counted = (media: number) => ({ media, detail: `${media} media` });

/** Servers silently skip protected media. */
async function quarantine(server: Server, uri: string) {
  if (await isProtected(server, uri)) {
    throw new ConnectionFailure('refused', /*i18n*/ 'Protected from quarantine. Unprotect it first.');
  }
  await setQuarantined(server, uri, true);
}

const idOf = (uri: string) => uri.slice(uri.lastIndexOf('/') + 1);

const one = {
  quarantined: /*i18n*/ '{count, plural, one {Media quarantined} other {# media quarantined}}',
  released:
    /*i18n*/ '{count, plural, one {Media removed from quarantine} other {# media removed from quarantine}}',
};
const safe = {
  done: /*i18n*/ '{count, plural, one {Media protected} other {# media protected}}',
  lifted: /*i18n*/ '{count, plural, one {Media unprotected} other {# media unprotected}}',
};

export const media = [
  action<'media'>({
    id: 'quarantine-media',
    role: 'moderator',
    label: /*i18n*/ '{count, plural, one {Quarantine media} other {Quarantine # media}}',
    hint: /*i18n*/ 'Blocks access for everyone',
    kind: 'media',
    group: 'event',
    icon: IconPhotoOff,
    key: 'q',
    needs: ['quarantine', 'unquarantine'],
    appliesTo: (medium) => !medium?.quarantinedBy && !medium?.isProtected,
    words: {
      will: /*i18n*/ 'Blocks access to {count, plural, one {this file} other {# files}} until removed from quarantine.',
      doing: /*i18n*/ '{count, plural, one {Quarantining media} other {Quarantining # media}}',
      done: one.quarantined,
      undone: one.released,
    },
    async run({ server, first }, { uri }) {
      const unchanged = await first(async () => Boolean(await keptBy(server, uri)));
      await quarantine(server, uri);
      return { detail: uri, unchanged };
    },
    undo: ({ server }, { uri }) => releaseOwn(server, uri),
  }),
  action<'media'>({
    id: 'release-media',
    role: 'moderator',
    label: /*i18n*/ '{count, plural, one {Remove from quarantine} other {Remove # media from quarantine}}',
    hint: /*i18n*/ 'Restores access',
    kind: 'media',
    group: 'event',
    icon: IconPhotoCheck,
    key: 'q',
    needs: ['quarantine', 'unquarantine'],
    appliesTo: (medium) => !medium || medium.quarantinedBy !== undefined,
    words: {
      will: /*i18n*/ 'Restores access to {count, plural, one {this file} other {# files}}.',
      doing:
        /*i18n*/ '{count, plural, one {Removing media from quarantine} other {Removing # media from quarantine}}',
      done: one.released,
      undone: one.quarantined,
    },
    async run({ server }, { uri }) {
      const unchanged = (await keptBy(server, uri)) === null;
      await setQuarantined(server, uri, false);
      return { detail: uri, unchanged };
    },
    async undo({ server }, { uri }) {
      // Another admin's quarantine stays.
      if (!(await keptBy(server, uri))) await setQuarantined(server, uri, true);
    },
  }),
  action<'media'>({
    id: 'protect-media',
    role: 'moderator',
    label: /*i18n*/ '{count, plural, one {Protect media} other {Protect # media}}',
    hint: /*i18n*/ 'Prevents quarantine',
    kind: 'media',
    group: 'event',
    icon: IconShieldCheck,
    key: 'p',
    localOnly: true,
    needs: ['protect', 'unprotect'],
    appliesTo: (medium) => medium?.isProtected === false,
    words: {
      will: /*i18n*/ 'Prevents quarantine of {count, plural, one {this file} other {# files}}, including by user or room.',
      doing: /*i18n*/ '{count, plural, one {Protecting media} other {Protecting # media}}',
      done: safe.done,
      undone: safe.lifted,
    },
    forecast: async (server, { uri }) => {
      const medium = await getMedium(server, uri).catch(() => undefined);
      if (!medium?.quarantined_by) return { sentences: [] };
      return { sentences: [i18n.t("Already quarantined; protecting it doesn't change that.")] };
    },
    async run({ server }, { uri }) {
      const unchanged = await isProtected(server, uri);
      await setProtected(server, idOf(uri), true);
      return { detail: uri, unchanged };
    },
    undo: ({ server }, { uri }) => setProtected(server, idOf(uri), false).then(() => undefined),
  }),
  action<'media'>({
    id: 'unprotect-media',
    role: 'moderator',
    label: /*i18n*/ '{count, plural, one {Unprotect media} other {Unprotect # media}}',
    hint: /*i18n*/ 'Allows quarantine again',
    kind: 'media',
    group: 'event',
    icon: IconShieldOff,
    key: 'p',
    localOnly: true,
    needs: ['protect', 'unprotect'],
    appliesTo: (medium) => medium?.isProtected === true,
    words: {
      will: /*i18n*/ 'Allows quarantine of {count, plural, one {this file} other {# files}} again.',
      doing: /*i18n*/ '{count, plural, one {Unprotecting media} other {Unprotecting # media}}',
      done: safe.lifted,
      undone: safe.done,
    },
    run: ({ server }, { uri }) => setProtected(server, idOf(uri), false).then(() => ({ detail: uri })),
    undo: ({ server }, { uri }) => setProtected(server, idOf(uri), true).then(() => undefined),
  }),
  action<'media'>({
    id: 'delete-media',
    role: 'moderator',
    label: /*i18n*/ '{count, plural, one {Delete media} other {Delete # media}}',
    hint: /*i18n*/ 'Permanently deletes the media from this server',
    kind: 'media',
    group: 'event',
    icon: IconTrash,
    localOnly: true,
    needs: ['medium'],
    removesEvidence: true,
    destructive: true,
    endsItem: true,
    typed: true,
    words: {
      will: /*i18n*/ 'Deletes {count, plural, one {this file} other {# files}} from the server, even if quarantined or protected.',
      lost: /*i18n*/ "This can't be undone. Copies on other servers remain.",
      doing: /*i18n*/ '{count, plural, one {Deleting media} other {Deleting # media}}',
      done: /*i18n*/ '{count, plural, one {Media deleted} other {# media deleted}}',
    },
    run: ({ server }, { uri }) => deleteMedium(server, uri).then(() => ({ detail: uri })),
  }),
];
