import { i18n } from '@lingui/core';
import type { Subject } from '../../shared/team/entries.ts';
import { subscribers } from '../subscribers.ts';
import type { Server } from '../transport/server.ts';

export type Notice = {
  text: string;
  undo?: (() => void) | undefined;
  /** Names the undone change, for screen readers. */
  undoLabel?: string | undefined;
  /** A report, or the subject of a case, to open. */
  link?: Subject;
  /** Stays until it is dismissed. */
  isFailure?: boolean;
};

export type ShownNotice = Notice & { id: number; at: number };

/** `recent`: newest first. */
type Notices = { newest?: ShownNotice; failures: readonly ShownNotice[]; recent: readonly ShownNotice[] };

export const noNotices: Notices = { failures: [], recent: [] };

const maxRecent = 30;

/**
 * An action can show several notices at once: a notice without an undo doesn't replace one with an undo that is this
 * recent.
 */
const togetherMs = 3000;

export const noticesOf = (server: Server) => server.state(noticeStore);

/** A server's notices, with their undo. */
function noticeStore() {
  let notices = noNotices;
  let nextId = 1;
  const { subscribe, notify } = subscribers();

  function update(next: Notices) {
    notices = next;
    notify();
  }

  /** Hides a notice, which stays among the recent ones without its undo. */
  function hide({ id }: ShownNotice) {
    const { newest, failures, recent } = notices;
    update({
      ...(newest && newest.id !== id && { newest }),
      failures: failures.filter((other) => other.id !== id),
      recent: recent.map((other) => (other.id === id ? { ...other, undo: undefined } : other)),
    });
  }

  return {
    hide,
    /**
     * Shows a notice in place of the previous one, or beside it if only that one can be undone. Returns a function that
     * hides it, once its undo is void.
     */
    show(notice: Notice): () => void {
      const { newest, failures, recent } = notices;
      const shown = { ...notice, id: nextId++, at: Date.now() };
      const isRepeated = newest?.text === notice.text && recent[0]?.id === newest.id && !notice.undo;
      const earlier = isRepeated ? recent.slice(1) : recent;
      const isTogether = newest?.undo && !notice.undo && shown.at - newest.at < togetherMs;
      const line = isTogether
        ? { ...newest, ...(notice.link && { link: notice.link }), text: `${notice.text} · ${newest.text}` }
        : shown;
      update({
        ...(notice.isFailure ? newest && { newest } : { newest: line }),
        failures: notice.isFailure ? [...failures, shown] : failures,
        recent: [shown, ...earlier].slice(0, maxRecent),
      });
      return () => hide(shown);
    },
    snapshot: () => notices,
    subscribe,
  };
}

/** The accessible name of a notice's undo button. */
export const undoNameOf = ({ undoLabel }: Notice) =>
  undoLabel ? i18n.t('Undo: {what}', { what: undoLabel }) : i18n.t('Undo');
