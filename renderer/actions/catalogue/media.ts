/** Keeping an upload away from everyone, giving it back, protecting it from that, and deleting it. */
import { i18n } from '@lingui/core';
import { IconPhotoCheck, IconPhotoOff, IconShieldCheck, IconShieldOff, IconTrash } from '@tabler/icons-react';
import { ConnectionFailure } from '../../../shared/connection.ts';
import { mediumOf } from '../../api/media.ts';
import { deleteMedium, isProtected, setProtected, setQuarantined } from '../../api/media-changes.ts';
import type { Server } from '../../transport/server.ts';
import { action } from '../action.ts';
import { keptBy, releaseOwn } from './quarantine.ts';

/** A server answers well for what is protected, too, and does nothing. */
async function quarantine(server: Server, uri: string) {
  if (await isProtected(server, uri)) {
    throw new ConnectionFailure(
      'refused',
      /*i18n*/ 'It is protected from quarantine: lift its protection first.',
    );
  }
  await setQuarantined(server, uri, true);
}

const idOf = (uri: string) => uri.slice(uri.lastIndexOf('/') + 1);

const one = {
  quarantined: /*i18n*/ '{count, plural, one {The media is quarantined} other {# media are quarantined}}',
  released: /*i18n*/ '{count, plural, one {The media can be seen again} other {# media can be seen again}}',
};
const safe = {
  done: /*i18n*/ '{count, plural, one {The media is protected from quarantine} other {# media are protected from quarantine}}',
  lifted:
    /*i18n*/ '{count, plural, one {The media can be quarantined again} other {# media can be quarantined again}}',
};

export const media = [
  action<'media'>({
    id: 'quarantine-media',
    kind: 'media',
    group: 'event',
    icon: IconPhotoOff,
    key: 'q',
    needs: ['quarantine', 'unquarantine'],
    appliesTo: (medium) => !medium?.quarantinedBy && !medium?.isProtected,
    words: {
      will: /*i18n*/ '{count, plural, one {Nobody can open this picture or file any more, until you release it.} other {Nobody can open these # pictures and files any more, until you release them.}}',
      doing: /*i18n*/ '{count, plural, one {Quarantining the media} other {Quarantining # media}}',
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
    kind: 'media',
    group: 'event',
    icon: IconPhotoCheck,
    key: 'q',
    needs: ['quarantine', 'unquarantine'],
    appliesTo: (medium) => !medium || medium.quarantinedBy !== undefined,
    words: {
      will: /*i18n*/ '{count, plural, one {This picture or file can be opened again.} other {These # pictures and files can be opened again.}}',
      doing: /*i18n*/ '{count, plural, one {Releasing the media} other {Releasing # media}}',
      done: one.released,
      undone: one.quarantined,
    },
    async run({ server }, { uri }) {
      const unchanged = (await keptBy(server, uri)) === null;
      await setQuarantined(server, uri, false);
      return { detail: uri, unchanged };
    },
    async undo({ server }, { uri }) {
      // In a colleague's quarantine by now, it stays in that.
      if (!(await keptBy(server, uri))) await setQuarantined(server, uri, true);
    },
  }),
  action<'media'>({
    id: 'protect-media',
    kind: 'media',
    group: 'event',
    icon: IconShieldCheck,
    key: 'p',
    localOnly: true,
    needs: ['protect', 'unprotect'],
    appliesTo: (medium) => medium?.isProtected === false,
    words: {
      will: /*i18n*/ '{count, plural, one {This picture or file can not be quarantined any more, neither by itself nor with the media of a user or room.} other {These # pictures and files can not be quarantined any more, neither by themselves nor with the media of a user or room.}}',
      doing: /*i18n*/ '{count, plural, one {Protecting the media} other {Protecting # media}}',
      done: safe.done,
      undone: safe.lifted,
    },
    foresee: async (server, { uri }) => {
      const medium = await mediumOf(server, uri).catch(() => undefined);
      if (!medium?.quarantined_by) return { said: [] };
      return { said: [i18n.t('It is in quarantine now, and stays there until it is released.')] };
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
    kind: 'media',
    group: 'event',
    icon: IconShieldOff,
    key: 'p',
    localOnly: true,
    needs: ['protect', 'unprotect'],
    appliesTo: (medium) => medium?.isProtected === true,
    words: {
      will: /*i18n*/ '{count, plural, one {This picture or file can be quarantined again.} other {These # pictures and files can be quarantined again.}}',
      doing:
        /*i18n*/ '{count, plural, one {Lifting the protection} other {Lifting the protection of # media}}',
      done: safe.lifted,
      undone: safe.done,
    },
    run: ({ server }, { uri }) => setProtected(server, idOf(uri), false).then(() => ({ detail: uri })),
    undo: ({ server }, { uri }) => setProtected(server, idOf(uri), true).then(() => undefined),
  }),
  action<'media'>({
    id: 'delete-media',
    kind: 'media',
    group: 'event',
    icon: IconTrash,
    localOnly: true,
    needs: ['medium'],
    destructive: true,
    typed: true,
    words: {
      will: /*i18n*/ '{count, plural, one {This picture or file goes from the server, wherever it is shown, even if it is quarantined or protected.} other {These # pictures and files go from the server, wherever they are shown, even if they are quarantined or protected.}}',
      lost: /*i18n*/ 'They do not come back. Copies that other servers have stay there.',
      doing: /*i18n*/ '{count, plural, one {Deleting the media} other {Deleting # media}}',
      done: /*i18n*/ '{count, plural, one {The media is deleted} other {# media are deleted}}',
    },
    run: ({ server }, { uri }) => deleteMedium(server, uri).then(() => ({ detail: uri })),
  }),
];
