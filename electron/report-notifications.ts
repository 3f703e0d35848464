/**
 * Notifications of new reports: one for each server, which the next one takes the place of. They say how many and
 * where, in words of our own: nothing that was reported, or that anybody is called, leaves the console.
 */
import { Notification } from 'electron';
import type { Connection } from '../shared/connection.ts';
import type { Shown } from '../shared/link.ts';
import { plainServerName } from '../shared/plain-server-name.ts';
import { say } from './words.ts';

export type ReportNotifications = ReturnType<typeof reportNotifications>;

export function reportNotifications(show: (connectionId: string, shown: Shown) => void) {
  /** What stands on the screen, as far as the system tells, and so is not known to the person yet. */
  const open = new Map<string, { notification: Notification; count: number }>();

  function take(connectionId: string): number {
    const before = open.get(connectionId);
    open.delete(connectionId);
    before?.notification.close();
    return before?.count ?? 0;
  }

  return {
    tell(connection: Connection, { count, newestId }: { count: number; newestId: number }): void {
      if (!Notification.isSupported()) return;
      const { id } = connection;
      const all = take(id) + count;
      const server = plainServerName(connection);
      const title =
        all === 1
          ? say(/*i18n*/ 'A new report on {server}', { server })
          : say(/*i18n*/ '{count} new reports on {server}', { count: all, server });
      const notification = new Notification({ title });
      open.set(id, { notification, count: all });
      const isThis = () => open.get(id)?.notification === notification;
      notification.on('click', () => {
        if (isThis()) open.delete(id);
        show(id, all === 1 ? { kind: 'report', id: newestId } : { kind: 'queue' });
      });
      notification.on('close', () => {
        if (isThis()) open.delete(id);
      });
      notification.show();
    },

    /** What it says is known to the person, or none of their business any more. */
    close: (connectionId: string): void => void take(connectionId),
  };
}
