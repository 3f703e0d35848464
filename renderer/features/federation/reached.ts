import type { Destination } from '../../api/federation.ts';

/** Since when another server can't be reached, and when it is tried next; undefined where it is reached. */
export function unreachedOf({
  failure_ts,
  retry_last_ts,
  retry_interval,
}: Destination): { since: number; nextTry: number } | undefined {
  if (!failure_ts && !retry_last_ts) return undefined;
  const last = retry_last_ts ?? 0;
  return { since: failure_ts || last, nextTry: last + (retry_interval ?? 0) };
}
