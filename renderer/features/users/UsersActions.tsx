import { useMemo } from 'react';
import { ActionBar } from '../../actions/ActionBar.tsx';

type Props = { userIds: readonly string[]; onActed: () => void };

/** Thousands can be selected: what can be done with them is found out once. */
export function UsersActions({ userIds, onActed }: Props) {
  const on = useMemo(() => ({ users: userIds.map((userId) => ({ userId })) }), [userIds]);
  return <ActionBar on={on} onActed={onActed} />;
}
