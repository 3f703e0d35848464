import { type Static, Type } from 'typebox';
import { type SearchReader, searchOf } from '../../../search.ts';

const Text = Type.Optional(Type.String({ minLength: 1 }));

/** Search parameters of the moderation log. Days like `2026-03-01`. */
const LogSearch = Type.Object({
  /** Matches subjects, reasons and notes. */
  text: Text,
  /** User ID of the moderator. */
  by: Text,
  /** Key of a `LogRow`'s action. */
  action: Text,
  /** Key of the automatic rule. */
  rule: Text,
  from: Text,
  until: Text,
  dir: Type.Optional(Type.Enum(['f', 'b'])),
});
export type LogSearch = Static<typeof LogSearch>;
export const readLogSearch: SearchReader<LogSearch> = searchOf(LogSearch);
