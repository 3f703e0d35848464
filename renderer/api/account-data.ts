/** Account data of a user. Synapse's user admin API, "Account data". */
import { queryOptions } from '@tanstack/react-query';
import { Type } from 'typebox';
import { Dictionary, JsonObject } from '../../shared/api/common.ts';
import type { Server } from '../transport/server.ts';

const AccountData = Type.Object({
  account_data: Type.Object({
    global: Type.Optional(Dictionary(JsonObject)),
    rooms: Type.Optional(Dictionary(Dictionary(JsonObject))),
  }),
});

/** One account data event. */
export type AccountDatum = {
  type: string;
  /** Undefined for global account data. */
  roomId: string | undefined;
  content: JsonObject;
  /** As JSON, in bytes. */
  size: number;
};

/** Returns all account data, largest first. */
export const accountDataQuery = (server: Server, userId: string) =>
  queryOptions({
    queryKey: [server.id, 'user', userId, 'account-data'],
    queryFn: async ({ signal }): Promise<AccountDatum[]> => {
      const { account_data } = await server.get(
        AccountData,
        `/v1/users/${encodeURIComponent(userId)}/accountdata`,
        { signal },
      );
      const entries = [
        [undefined, account_data.global ?? {}] as const,
        ...Object.entries(account_data.rooms ?? {}),
      ].flatMap(([roomId, data]) =>
        Object.entries(data).map(([type, content]) => ({ type, roomId, content, size: sizeOf(content) })),
      );
      return entries.sort((one, other) => other.size - one.size);
    },
    staleTime: 30_000,
    structuralSharing: false,
  });

const sizeOf = (content: JsonObject) => new TextEncoder().encode(JSON.stringify(content)).length;
