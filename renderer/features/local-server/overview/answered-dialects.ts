import { queryOptions } from '@tanstack/react-query';
import { getDialects } from '../../../../shared/workbench/configuration.ts';
import { workbenchPaths } from '../../../../shared/workbench/paths.ts';
import type { Workbench } from '../../../transport/workbench.ts';

/** In which spellings of the interface a server answers. */
export const answeredDialectsQuery = ({ connection, get }: Workbench) =>
  queryOptions({
    queryKey: [connection.id, 'workbench', 'dialects'],
    queryFn: ({ signal }) => get(getDialects.response[200], workbenchPaths.dialects, signal),
  });
