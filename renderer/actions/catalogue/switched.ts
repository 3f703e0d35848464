import type { Server } from '../../transport/server.ts';
import type { Work } from '../action.ts';

/**
 * The work of an action that switches something on or off: its undo is the other way.
 *
 * @param change gives how it was before; undefined where the server does not tell
 */
export const switched = <Item>(
  on: boolean,
  change: (server: Server, item: Item, on: boolean) => Promise<boolean | undefined>,
) => ({
  async run({ server }: Work, item: Item) {
    return { unchanged: (await change(server, item, on)) === on };
  },
  async undo({ server }: Work, item: Item) {
    await change(server, item, !on);
  },
});
