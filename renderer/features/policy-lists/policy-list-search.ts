import { type Static, Type } from 'typebox';
import { ruleKinds } from '../../api/policy-lists/policy-rules.ts';
import { type SearchReader, searchOf } from '../../search.ts';

const Text = Type.Optional(Type.String({ minLength: 1 }));

const PolicyListsSearch = Type.Object({
  /** The open dialog. */
  add: Type.Optional(Type.Enum(['watch', 'create'])),
});
type PolicyListsSearch = Static<typeof PolicyListsSearch>;
export const readPolicyListsSearch: SearchReader<PolicyListsSearch> = searchOf(PolicyListsSearch);

const PolicyListSearch = Type.Object({
  /** The open tab; the rules without it. */
  tab: Type.Optional(Type.Enum(['matches', 'acl'])),
  text: Text,
  kind: Type.Optional(Type.Enum([...ruleKinds])),
});
export type PolicyListSearch = Static<typeof PolicyListSearch>;
export const readPolicyListSearch: SearchReader<PolicyListSearch> = searchOf(PolicyListSearch);
