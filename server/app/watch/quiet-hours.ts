/** Hours in which only urgent alerts are sent. */
import { InvalidArgumentError } from 'commander';

/** @param at in milliseconds since the Unix epoch */
export type QuietHours = (at: number) => boolean;

/** Reads a span of local time such as `22:00-07:00`. */
export function quietHours(text: string): QuietHours {
  const [, fromHour, fromMinute, toHour, toMinute] =
    /^([01]\d|2[0-3]):([0-5]\d)-([01]\d|2[0-3]):([0-5]\d)$/.exec(text) ?? [];
  if (toMinute === undefined) throw new InvalidArgumentError('Must be a span such as 22:00-07:00.');
  const from = Number(fromHour) * 60 + Number(fromMinute);
  const to = Number(toHour) * 60 + Number(toMinute);
  return (at) => {
    const date = new Date(at);
    const minute = date.getHours() * 60 + date.getMinutes();
    return from <= to ? minute >= from && minute < to : minute >= from || minute < to;
  };
}
