/** Settings of the desktop app outside its window. All are off by default. */
import { type Static, Type } from 'typebox';

const TimeOfDay = Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$', description: 'By the local clock' });

/** From one time of day to another, also over midnight; none if both are the same. */
export const QuietHours = Type.Object({ from: TimeOfDay, to: TimeOfDay });
export type QuietHours = Static<typeof QuietHours>;

export const DesktopSettings = Type.Object({
  /** IDs of the connections with notifications of new reports. */
  notifications: Type.Array(Type.String({ maxLength: 200 }), { maxItems: 1000 }),
  quiet: Type.Optional(QuietHours),
  badge: Type.Boolean({ description: 'The number of unreviewed reports on the icon' }),
  tray: Type.Boolean(),
  keepsRunning: Type.Boolean({ description: 'Also when its window is closed' }),
  startsAtLogin: Type.Boolean(),
});
export type DesktopSettings = Static<typeof DesktopSettings>;

export const nothingChosen: DesktopSettings = {
  notifications: [],
  badge: false,
  tray: false,
  keepsRunning: false,
  startsAtLogin: false,
};

/** Whether a time is within quiet hours, by the local clock. */
export function isQuiet(quiet: QuietHours | undefined, now: Date): boolean {
  if (!quiet) return false;
  const minutes = (time: string) => {
    const [hour = '', minute = ''] = time.split(':');
    return Number(hour) * 60 + Number(minute);
  };
  const [from, to, at] = [minutes(quiet.from), minutes(quiet.to), now.getHours() * 60 + now.getMinutes()];
  return from <= to ? at >= from && at < to : at >= from || at < to;
}
