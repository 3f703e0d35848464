import type { Server } from '../../transport/server.ts';
import type { Work } from '../action.ts';

/** The work of an action that switches something on or off: its undo is the other way. */
export const switched = <Item>(
  on: boolean,
  change: (server: Server, item: Item, on: boolean) => Promise<unknown>,
) => ({
  async run({ server }: Work, item: Item) {
    await change(server, item, on);
    return {};
  },
  async undo({ server }: Work, item: Item) {
    await change(server, item, !on);
  },
});
