/**
 * Notifications of new reports, one per server, each replacing the last. They only contain the number and the server:
 * reported content and names stay in the console.
 */
import { Notification } from 'electron';
import type { NotificationsShown } from '../../shared/bridge.ts';
import type { Connection } from '../../shared/connection.ts';
import type { LinkTarget } from '../../shared/link.ts';
import { log } from '../log.ts';
import { say } from '../words.ts';
import { type ConnectionMark, discOf } from './connection-mark.ts';
import type { News } from './report-watch.ts';

const iconSize = 64;

/** Visible notifications, as far as the system says, whose reports the user hasn't seen. */
type Open = { notification: Notification; news: readonly News[] };

export function reportNotifications(show: (connectionId: string, shown: LinkTarget) => void) {
  const open = new Map<string, Open>();
  /** The system's error for the last notification, if it wasn't shown. */
  let refusal: string | undefined;

  function take(connectionId: string): readonly News[] {
    const before = open.get(connectionId);
    open.delete(connectionId);
    before?.notification.close();
    return before?.news ?? [];
  }

  return {
    notify({ id }: Connection, { name, color }: ConnectionMark, latest: News): void {
      if (!Notification.isSupported()) return;
      const news = [...take(id), latest];
      const notification = new Notification({
        title: titleOf(name, news),
        ...(color && { icon: discOf(color, iconSize) }),
      });
      open.set(id, { notification, news });
      const isThis = () => open.get(id)?.notification === notification;
      notification.on('show', () => {
        refusal = undefined;
      });
      notification.on('failed', (_event, error) => {
        log.warn("notifications: couldn't show a notification:", error);
        refusal = error;
      });
      notification.on('click', () => {
        if (isThis()) open.delete(id);
        show(id, placeOf(news));
      });
      notification.on('close', () => {
        if (isThis()) open.delete(id);
      });
      notification.show();
    },

    /** Its reports have been seen or don't matter anymore. */
    close: (connectionId: string): void => void take(connectionId),

    /** As far as known: some systems don't report this. */
    shown(): NotificationsShown {
      if (!Notification.isSupported()) return { state: 'unsupported' };
      return refusal === undefined ? { state: 'shown' } : { state: 'refused', reason: refusal };
    },
  };
}

const countOf = (news: readonly News[]) => news.reduce((sum, { count }) => sum + count, 0);

function titleOf(server: string, news: readonly News[]): string {
  const count = countOf(news);
  if (news.some(({ isMore }) => isMore)) {
    return say(/*i18n*/ '{count}+ new reports on {server}', { count, server });
  }
  return count === 1
    ? say(/*i18n*/ 'New report on {server}', { server })
    : say(/*i18n*/ '{count} new reports on {server}', { count, server });
}

/** Opens the single report, the list of its kind, or Home. */
function placeOf(news: readonly News[]): LinkTarget {
  const [{ kind, newestId } = { kind: 'event', newestId: 0 } as const] = news;
  if (news.some((other) => other.kind !== kind)) return { kind: 'home' };
  const isOne = countOf(news) === 1;
  if (kind === 'event') return isOne ? { kind: 'report', id: newestId } : { kind: 'queue' };
  return isOne ? { kind: 'filed-report', of: kind, id: newestId } : { kind: 'filed-reports', of: kind };
}
