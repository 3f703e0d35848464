import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { type Static, Type } from 'typebox';
import { SafeInteger } from '../../../../shared/api/common.ts';
import type { InspectedRequest } from '../../../../shared/workbench/inspector.ts';
import { logLevels } from '../../../../shared/workbench/log.ts';
import { searchOf } from '../../../search.ts';

const Text = Type.Optional(Type.String({ minLength: 1 }));

export const statusClasses = ['1', '2', '3', '4', '5'] as const;

/** What the address says of the requests: the filters, the one that is open, and the log's least level. */
const RequestSearch = Type.Object({
  path: Text,
  status: Type.Optional(
    Type.Union([Type.Enum([...statusClasses]), Type.Integer({ minimum: 1, maximum: 5 })]),
  ),
  method: Text,
  user: Text,
  /** Those that the console makes itself are shown, too. */
  own: Type.Optional(Type.Boolean()),
  request: Type.Optional(SafeInteger),
  level: Type.Optional(Type.Enum([...logLevels])),
  log: Type.Optional(Type.Boolean()),
});
export type RequestSearch = Static<typeof RequestSearch>;

const read = searchOf(RequestSearch);

/** The address, and how to change it. All parts of the screen share one route, which reads none of their addresses. */
export function useRequestSearch() {
  const given = useSearch({ strict: false, structuralSharing: false }) as Record<string, unknown>;
  const navigate = useNavigate();
  const search = useMemo(() => read(given), [given]);
  const change = (changes: Partial<RequestSearch>) =>
    navigate({
      to: '.',
      search: ((current: object) => ({ ...current, ...changes })) as never,
      replace: true,
    });
  return [search, change] as const;
}

export const isFiltered = ({ path, status, method, user }: RequestSearch) =>
  [path, status, method, user].some((each) => each !== undefined);

/** Whether a request is among those that are wanted. */
export function matches({ path, reply, method, user_id }: InspectedRequest, wanted: RequestSearch): boolean {
  return (
    (wanted.path === undefined || path.toLowerCase().includes(wanted.path.toLowerCase())) &&
    (wanted.status === undefined || Math.floor(reply.status / 100) === Number(wanted.status)) &&
    (wanted.method === undefined || method === wanted.method) &&
    (wanted.user === undefined || (user_id ?? '').toLowerCase().includes(wanted.user.toLowerCase()))
  );
}
