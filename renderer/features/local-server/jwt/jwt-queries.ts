import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { explainJwt, getJwtSettings } from '../../../../shared/workbench/jwt.ts';
import { workbenchPaths } from '../../../../shared/workbench/paths.ts';
import type { Workbench } from '../../../transport/workbench.ts';

/** Whoever tries tokens changes the configuration beside it, and starts the server again. */
const asksEveryMs = 5_000;

export const jwtKey = ({ id }: Workbench['connection']) => [id, 'workbench', 'jwt'];

export const jwtSettingsQuery = ({ connection, get }: Workbench) =>
  queryOptions({
    queryKey: jwtKey(connection),
    queryFn: ({ signal }) => get(getJwtSettings.response[200], workbenchPaths.jwtSettings, signal),
    refetchInterval: asksEveryMs,
  });

/** What the server would say of a token. A time passes while one looks at it: what was said is not kept. */
export const explanationQuery = ({ connection, send }: Workbench, token: string) =>
  queryOptions({
    queryKey: [...jwtKey(connection), 'explain', token],
    queryFn: () => send('POST', explainJwt.response[200], workbenchPaths.jwtExplain, { token }),
    enabled: token !== '',
    placeholderData: keepPreviousData,
    refetchInterval: asksEveryMs,
    gcTime: 0,
  });
