/** Pagination tokens of searches, opaque to clients. */
import { unknownError } from '../../platform/core/matrix-error.ts';

export type SearchOrder = 'rank' | 'recent';

export type SearchGroup = { key: 'room_id' | 'sender'; value: string };

export type SearchCursor = {
  /** Events are before one stream position and after another. */
  before: number;
  after: number;
  /** Results in this range that earlier pages contained. */
  skipped: number;
  /** Number of results, as counted for the first page. */
  total: number;
  group: SearchGroup | undefined;
};

export function searchToken(
  order: SearchOrder,
  { before, after, skipped, total, group }: SearchCursor,
): string {
  const numbers = `${order}${before}_${after}_${skipped}_${total}`;
  return group ? `${numbers}_${group.key}_${Buffer.from(group.value).toString('base64url')}` : numbers;
}

/** @throws MatrixError 400 `M_UNKNOWN` if the token isn't of a search in this order */
export function parseSearchToken(order: SearchOrder, token: string | undefined): SearchCursor | undefined {
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
