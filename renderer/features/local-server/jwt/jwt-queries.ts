import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { explainJwt, getJwtSettings } from '../../../../shared/workbench/jwt.ts';
import { workbenchPaths } from '../../../../shared/workbench/paths.ts';
import type { Workbench } from '../../../transport/workbench.ts';

export const jwtSettingsQuery = ({ connection, get }: Workbench) =>
  queryOptions({
    queryKey: [connection.id, 'workbench', 'jwt'],
    queryFn: ({ signal }) => get(getJwtSettings.response[200], workbenchPaths.jwtSettings, signal),
  });

/** What the server would say of a token. A time passes while one looks at it: what was said is not kept. */
export const explanationQuery = ({ connection, send }: Workbench, token: string) =>
  queryOptions({
    queryKey: [connection.id, 'workbench', 'jwt', 'explain', token],
    queryFn: () => send('POST', explainJwt.response[200], workbenchPaths.jwtExplain, { token }),
    enabled: token !== '',
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
