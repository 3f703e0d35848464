import { i18n } from '@lingui/core';
import { useMemo } from 'react';
import { noticesOf } from '../../components/notices.ts';
import { useServer } from '../../console-context.ts';
import { useStoreValue } from '../../subscribers.ts';
import type { Server } from '../../transport/server.ts';
import { number } from '../../words/format.ts';
import { type ActionTargets, type Item, nameList, nameOf } from '../items.ts';
import { noticeWithUndo } from '../undo-stack.ts';
import {
  type BasketKind,
  basketItems,
  basketKinds,
  basketOf,
  hasAll,
  maxBasketSize,
  withItems,
  withoutItems,
} from './basket.ts';

const none: readonly Item[] = [];

/** Returns the content of a server's basket; empty without a server. */
export function useBasket(server: Server | undefined): readonly Item[] {
  const basket = server && basketOf(server);
  return useStoreValue(basket, basket?.read ?? (() => none));
}

/** Adds all targets of a kind to the basket, or removes them if all are in it. */
export type BasketEntry = { kind: BasketKind; label: string; isIn: boolean; toggle: () => void };

const labels: Record<BasketKind, { add: string; remove: string }> = {
  user: {
    add: /*i18n*/ '{count, plural, one {Add user to basket} other {Add # users to basket}}',
    remove: /*i18n*/ '{count, plural, one {Remove user from basket} other {Remove # users from basket}}',
  },
  room: {
    add: /*i18n*/ '{count, plural, one {Add room to basket} other {Add # rooms to basket}}',
    remove: /*i18n*/ '{count, plural, one {Remove room from basket} other {Remove # rooms from basket}}',
  },
  media: {
    add: /*i18n*/ '{count, plural, one {Add file to basket} other {Add # files to basket}}',
    remove: /*i18n*/ '{count, plural, one {Remove file from basket} other {Remove # files from basket}}',
  },
};

/** Returns an entry per kind of target. */
export function useBasketEntries(on: ActionTargets): BasketEntry[] {
  const server = useServer();
  const basket = useBasket(server);
  return useMemo(
    () =>
      basketKinds.flatMap((kind) => {
        const items = basketItems(on, kind);
        if (items.length === 0) return [];
        const isIn = hasAll(basket, items);
        const label = i18n.t(labels[kind][isIn ? 'remove' : 'add'], { count: items.length });
        return [{ kind, label, isIn, toggle: () => (isIn ? removeFromBasket : addToBasket)(server, items) }];
      }),
    [on, server, basket],
  );
}

function addToBasket(server: Server, items: readonly Item[]) {
  const basket = basketOf(server);
  const next = withItems(basket.read(), items);
  if (!next) {
    noticesOf(server).show({
      text: i18n.t('Not added: the basket takes {limit} items and has {count}', {
        limit: number(maxBasketSize),
        count: number(basket.read().length),
      }),
    });
    return;
  }
  basket.write(next);
  noticesOf(server).show({ text: i18n.t('Added to basket: {what}', { what: nameList(items.map(nameOf)) }) });
}

/** Removes items, and offers to undo it. */
export function removeFromBasket(server: Server, items: readonly Item[]) {
  const basket = basketOf(server);
  basket.write(withoutItems(basket.read(), items));
  const text = i18n.t('Removed from basket: {what}', { what: nameList(items.map(nameOf)) });
  noticeWithUndo(server, { text, undoLabel: i18n.t('Remove from basket') }, () => {
    const next = withItems(basket.read(), items);
    if (next) basket.write(next);
  });
}
