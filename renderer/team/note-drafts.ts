import { Type } from 'typebox';
import type { Subject } from '../../shared/team/entries.ts';
import type { Server } from '../transport/server.ts';

const Drafts = Type.Array(Type.Object({ about: Type.String(), text: Type.String() }));

/** Older drafts are dropped, so that forgotten ones don't fill the storage. */
const maxDrafts = 50;

/** Notes in progress on a server, which survive a reload. */
export function noteDrafts({ id, deviceStorage }: Server) {
  const kept = deviceStorage.open(`gatehouse.drafts.${id}`, Drafts, []);
  return {
    of: (subject: Subject) => {
      const about = JSON.stringify(subject);
      return kept.read().find((draft) => draft.about === about)?.text ?? '';
    },
    /** Replaces the draft on the subject; an empty text deletes it. */
    keep(subject: Subject, text: string) {
      const about = JSON.stringify(subject);
      const others = kept.read().filter((draft) => draft.about !== about);
      kept.write(text ? [{ about, text }, ...others].slice(0, maxDrafts) : others);
    },
    clear: () => kept.write([]),
  };
}
