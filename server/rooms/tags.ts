import type { JsonObject } from '../../shared/api/common.ts';
import { type AccountDataContext, changeAccountData } from '../accounts/account-data.ts';
import { deleteTag, setTag } from './tag-store.ts';

export type TagKey = { userId: string; roomId: string; tag: string };

export const addTag = (
  context: AccountDataContext,
  { userId, roomId, tag }: TagKey,
  value: JsonObject,
): Promise<void> => changeAccountData(context, userId, (tx) => setTag(tx, userId, roomId, tag, value));

export const removeTag = (context: AccountDataContext, { userId, roomId, tag }: TagKey) =>
  changeAccountData(context, userId, (tx) => deleteTag(tx, userId, roomId, tag));
