import { type Static, Type } from 'typebox';
import { type SearchReader, searchOf } from '../../../search.ts';

const RulesSearch = Type.Object({
  /** Key of the rule that is tested. */
  test: Type.Optional(Type.String({ minLength: 1 })),
});
export const readRulesSearch: SearchReader<Static<typeof RulesSearch>> = searchOf(RulesSearch);
