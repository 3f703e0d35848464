import { useNavigate, useSearch } from '@tanstack/react-router';
import type { Sort } from '../../components/table/column.ts';
import type { UserPageSearch } from './user-search.ts';

/** What is searched for in the list of a part of a user's page, and its order, as the address has them. */
export function usePartList(usual: Sort) {
  const { find, by = usual.order, way = usual.dir } = useSearch({ from: '/frame/server/users/$userId' });
  const navigate = useNavigate({ from: '/users/$userId' });
  const change = (changes: Partial<UserPageSearch>) =>
    navigate({ search: (current) => ({ ...current, ...changes }) });
  return {
    find,
    onFind: (next: string | undefined) => change({ find: next }),
    sort: { order: by, dir: way },
    onSort: ({ order, dir }: Sort) => change({ by: order, way: dir }),
  };
}
