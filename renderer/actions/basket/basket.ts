/** The users, rooms and files that a moderator collects across screens, to act on them together. */
import { Type } from 'typebox';
import type { Server } from '../../transport/server.ts';
import { truncate } from '../../words/clip.ts';
import { type ActionTargets, Item, itemsOf, keyOf } from '../items.ts';

export const basketKinds = ['user', 'room', 'media'] as const;
export type BasketKind = (typeof basketKinds)[number];

export const maxBasketSize = 1000;
const maxNameLength = 100;

/** A server's basket; ends with the tab or by signing out. */
export const basketOf = ({ id, deviceStorage }: Server) =>
  deviceStorage.open(`gatehouse.basket.${id}`, Type.Array(Item), [], 'session');

/** Returns the targets of one kind, without the reports on them. Members alone are the rooms of a user. */
export function basketItems(on: ActionTargets, kind: BasketKind): Item[] {
  const { users, rooms, members, media } = on;
  return itemsOf({ users, rooms: rooms ?? (users ? [] : members), media } as ActionTargets, kind).map(
    withoutReports,
  );
}

function withoutReports(item: Item): Item {
  switch (item.kind) {
    case 'user':
      return { kind: 'user', userId: item.userId };
    case 'room':
      return {
        kind: 'room',
        roomId: item.roomId,
        ...(item.name && { name: truncate(item.name, maxNameLength) }),
      };
    case 'media':
      return {
        kind: 'media',
        uri: item.uri,
        of: item.of,
        ...(item.isThumbnail && { isThumbnail: item.isThumbnail }),
      };
    default:
      return item;
  }
}

const keysOf = (items: readonly Item[]) => new Set(items.map(keyOf));

export function hasAll(basket: readonly Item[], items: readonly Item[]): boolean {
  const keys = keysOf(basket);
  return items.every((item) => keys.has(keyOf(item)));
}

/** Returns the basket with these items; undefined if it would have too many. */
export function withItems(basket: readonly Item[], items: readonly Item[]): Item[] | undefined {
  const all = new Map([...basket, ...items].map((item) => [keyOf(item), item]));
  return all.size > maxBasketSize ? undefined : [...all.values()];
}

export function withoutItems(basket: readonly Item[], items: readonly Item[]): Item[] {
  const keys = keysOf(items);
  return basket.filter((item) => !keys.has(keyOf(item)));
}
