import type { JsonObject } from '../../shared/api/common.ts';
import { type AccountDataContext, changeAccountData } from '../accounts/account-data.ts';
import { requireRoomFor } from '../accounts/kept-bytes.ts';
import { deleteTag, setTag } from './tag-store.ts';

/** What a tag is: whose, of which room, and its name. */
export type TagKey = { userId: string; roomId: string; tag: string };

/** @throws MatrixError 413 `M_TOO_LARGE` where the user keeps too much already */
export async function addTag(
  context: AccountDataContext,
  { userId, roomId, tag }: TagKey,
  value: JsonObject,
): Promise<void> {
  await requireRoomFor(context, userId, Buffer.byteLength(JSON.stringify({ [tag]: value })));
  await changeAccountData(context, userId, (tx) => setTag(tx, userId, roomId, tag, value));
}

export const removeTag = (context: AccountDataContext, { userId, roomId, tag }: TagKey) =>
  changeAccountData(context, userId, (tx) => deleteTag(tx, userId, roomId, tag));
