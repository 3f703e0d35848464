import { i18n } from '@lingui/core';
import { textPieces } from '../components/text-hazards.ts';
import { list, number } from '../words/format.ts';
import type { Item } from './subject.ts';

/**
 * A name that someone chose, as part of a sentence: what hides in it shows, and what it does to the direction of
 * text ends with it.
 */
export function inSentence(name: string): string {
  const visible = textPieces(name)
    .map(({ text, hazard }) => (hazard === undefined ? text : `[${hazard}]`))
    .join('');
  const isPlain = /^[\x20-\x7e]*$/.test(visible) && document.dir !== 'rtl';
  return isPlain ? visible : `\u2068${visible}\u2069`;
}

/** What one calls it among others: of a user in a room, also which; of a room, also its identifier. */
export function wholeNameOf(item: Item): string {
  const name = nameOf(item);
  if (item.kind === 'member')
    return i18n.t('{name} in {room}', { name, room: inSentence(item.roomName ?? item.roomId) });
  const isNamed = item.kind === 'room' && (item.name ?? item.roomId) !== item.roomId;
  return isNamed ? `${name} (${inSentence(item.roomId)})` : name;
}

/** What one calls it. */
export function nameOf(item: Item): string {
  switch (item.kind) {
    case 'event':
      return inSentence(item.eventId);
    case 'user':
    case 'member':
      return inSentence(item.userId);
    case 'room':
      return inSentence(item.name ?? item.roomId);
    case 'device':
      return inSentence(item.deviceId);
    case 'identity':
      return inSentence(
        'medium' in item.identity ? item.identity.address : `${item.identity.provider} ${item.identity.id}`,
      );
    case 'alias':
      return inSentence(item.alias);
    case 'media':
      return inSentence(item.uri);
    case 'filed':
      return i18n.t('report {id} on {about}', {
        id: item.reportId,
        about: inSentence(item.sender ?? item.about),
      });
    case 'destination':
      return inSentence(item.destination);
    case 'token':
      return inSentence(item.token);
    case 'server':
      return inSentence(item.name);
  }
}

const mostNamed = 3;

/** The first of these names, and how many more there are. */
export const named = (names: readonly string[]) =>
  list([
    ...names.slice(0, mostNamed),
    ...(names.length > mostNamed
      ? [i18n.t('{count} more', { count: number(names.length - mostNamed) })]
      : []),
  ]);
