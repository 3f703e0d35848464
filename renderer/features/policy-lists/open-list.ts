import type { ReactNode } from 'react';
import type { PolicyRule } from '../../api/policy-lists/policy-rules.ts';
import type { PolicyListSearch } from './policy-list-search.ts';

export type OpenList = {
  roomId: string;
  name: string;
  rules: readonly PolicyRule[];
  /** False if no local user is in the room. */
  isUpdated: boolean;
  /** The team publishes rules in it. */
  publish: boolean;
};

export type TabProps = {
  list: OpenList;
  tabs: ReactNode;
  search: PolicyListSearch;
  onChange: (changes: Partial<PolicyListSearch>) => void;
};
