import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { type Static, Type } from 'typebox';
import { SafeInteger } from '../../../../shared/api/common.ts';
import type { InspectedRequest } from '../../../../shared/workbench/inspector.ts';
import { logLevels } from '../../../../shared/workbench/log.ts';
import { searchOf } from '../../../search.ts';

const Text = Type.Optional(Type.String({ minLength: 1 }));

const statusClasses = ['1', '2', '3', '4', '5'] as const;

const RequestSearch = Type.Object({
  path: Text,
  status: Type.Optional(
    Type.Union([Type.Enum([...statusClasses]), Type.Integer({ minimum: 1, maximum: 5 })]),
  ),
  method: Text,
  user: Text,
  /** Shows the console's own requests. */
  own: Type.Optional(Type.Boolean()),
  request: Type.Optional(SafeInteger),
  level: Type.Optional(Type.Enum([...logLevels])),
  log: Type.Optional(Type.Boolean()),
});
export type RequestSearch = Static<typeof RequestSearch>;

const read = searchOf(RequestSearch);

/** Reads the search parameters here: all sections share one route, which doesn't validate them. */
export function useRequestSearch() {
  const parameters = useSearch({ strict: false, structuralSharing: false }) as Record<string, unknown>;
  const navigate = useNavigate();
  const search = useMemo(() => read(parameters), [parameters]);
  const change = (changes: Partial<RequestSearch>) =>
    navigate({
      to: '.',
      search: ((current: object) => ({ ...current, ...changes })) as never,
      replace: true,
    });
  return [search, change] as const;
}

export const isFiltered = ({ path, status, method, user }: RequestSearch) =>
  [path, status, method, user].some((value) => value !== undefined);

export function matchesSearch(
  { path, reply, method, user_id }: InspectedRequest,
  search: RequestSearch,
): boolean {
  return (
    (search.path === undefined || path.toLowerCase().includes(search.path.toLowerCase())) &&
    (search.status === undefined || Math.floor(reply.status / 100) === Number(search.status)) &&
    (search.method === undefined || method === search.method) &&
    (search.user === undefined || (user_id ?? '').toLowerCase().includes(search.user.toLowerCase()))
  );
}

type ConsolePage = {
  /** Such as `http://127.0.0.1:8008`. */
  origin: string;
  /** The desktop app's main process sends the same. */
  userAgent: string;
  /** True in the desktop app, whose requests have no origin. */
  isApp: boolean;
  /** The signed-in admin. */
  userId: string;
};

/**
 * True for requests of this console, or another window of it, with the admin's session, and for its files. False for
 * logins tried from the JWT tools, which have another session or none.
 */
export function isOwn({ method, path, user_id, request }: InspectedRequest, page: ConsolePage): boolean {
  const header = (key: string) => request.headers.find(([name]) => name === key)?.[1];
  if (header('user-agent') !== page.userAgent) return false;
  if (path.startsWith('/console/')) return true;
  const origin = header('origin');
  const isFromPage =
    origin === undefined
      ? header('sec-fetch-site') === (page.isApp ? undefined : 'same-origin')
      : origin === page.origin;
  return isFromPage && (user_id === page.userId || (user_id === null && method === 'GET'));
}
