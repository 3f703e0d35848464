/** Where a page of a search begins, as clients hand it back. It is theirs to keep, and not to read. */
import { unknownError } from '../../platform/core/matrix-error.ts';

export type SearchOrder = 'rank' | 'recent';

/** One room of all, or one sender: what results are grouped by. */
export type SearchGroup = { key: 'room_id' | 'sender'; value: string };

export type SearchPlace = {
  /** Only what is older than this place in the order of events. */
  before: number;
  /** Only what is newer: where the messages end whose order the pages so far go by; 0 where nothing is said. */
  after: number;
  /** How many of the best of those were seen already. */
  skipped: number;
  /** How many messages are found, as the first page has said. */
  total: number;
  group: SearchGroup | undefined;
};

export function placeToken(
  order: SearchOrder,
  { before, after, skipped, total, group }: SearchPlace,
): string {
  const numbers = `${order}${before}_${after}_${skipped}_${total}`;
  return group ? `${numbers}_${group.key}_${Buffer.from(group.value).toString('base64url')}` : numbers;
}

/** @throws MatrixError 400 `M_UNKNOWN` for what is no place of a search in this order */
export function readPlaceToken(order: SearchOrder, token: string | undefined): SearchPlace | undefined {
  if (token === undefined || token === '') return undefined;
  const [, of, numbers = '', key, value] =
    /^(rank|recent)(\d{1,16}(?:_\d{1,16}){3})(?:_(room_id|sender)_([\w-]{1,400}))?$/.exec(token) ?? [];
  if (of !== order) throw unknownError('Invalid batch');
  const [before = 0, after = 0, skipped = 0, total = 0] = numbers.split('_').map(Number);
  return {
    ...{ before, after, skipped, total },
    group:
      key === undefined || value === undefined
        ? undefined
        : { key: key as SearchGroup['key'], value: Buffer.from(value, 'base64url').toString() },
  };
}
