import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { type Static, Type } from 'typebox';
import { SafeInteger } from '../../../../shared/api/common.ts';
import type { InspectedRequest } from '../../../../shared/workbench/inspector.ts';
import { logLevels } from '../../../../shared/workbench/log.ts';
import { searchOf } from '../../../search.ts';

const Text = Type.Optional(Type.String({ minLength: 1 }));

const statusClasses = ['1', '2', '3', '4', '5'] as const;

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

// Which of the requests that a server got are the console's own work, and no client's that somebody tests.

type OwnPage = {
  /** Where the page comes from, such as `http://127.0.0.1:8008`. */
  origin: string;
  /** What it calls itself; in the desktop app the main process says the same. */
  userAgent: string;
  /** Whether it is in the desktop app, which says nothing of where its requests come from. */
  isApp: boolean;
  /** Who is signed in to the server that is looked at. */
  userId: string;
};

/**
 * Whether it was made by this console, or by another window of it in the same program, with the session of the person
 * who looks; or was for one of its files. A login that is tried from here is not: it has no session, or another's.
 */
export function isOwn({ method, path, user_id, request }: InspectedRequest, page: OwnPage): boolean {
  const header = (wanted: string) => request.headers.find(([name]) => name === wanted)?.[1];
  if (header('user-agent') !== page.userAgent) return false;
  if (path.startsWith('/console/')) return true;
  const origin = header('origin');
  const isFromPage =
    origin === undefined
      ? header('sec-fetch-site') === (page.isApp ? undefined : 'same-origin')
      : origin === page.origin;
  return isFromPage && (user_id === page.userId || (user_id === null && method === 'GET'));
}
