/** The accounts that bulk actions leave out: a document of the kind `protected`. */
import { type Static, Type } from 'typebox';
import { fits } from '../fits.ts';
import { matchesGlob } from '../glob.ts';
import type { DocumentsOfKind } from './documents.ts';

export const protectedKind = 'protected';
/** Key of the only document that counts. */
export const protectedKey = 'accounts';

export const maxPatterns = 100;
const maxPatternLength = 255;

const ProtectedAccounts = Type.Object({
  /** Globs on the user ID. */
  patterns: Type.Array(Type.String({ minLength: 1, maxLength: maxPatternLength }), { maxItems: maxPatterns }),
  admins: Type.Boolean(),
  /** Users of application services, and bots. */
  application_services: Type.Boolean(),
});
export type ProtectedAccounts = Static<typeof ProtectedAccounts>;

const byDefault: ProtectedAccounts = { patterns: [], admins: true, application_services: true };

/** Returns the team's rule; the default if the document is missing or invalid. */
export function protectedIn(documents: DocumentsOfKind): ProtectedAccounts {
  const content = documents.get(protectedKey)?.content;
  return fits(ProtectedAccounts, content) ? content : byDefault;
}

type Traits = Readonly<Record<'admins' | 'services' | 'bots', { has(userId: string): boolean }>>;

/** Why an account is protected. */
export type Protection = { by: 'pattern'; pattern: string } | { by: 'admin' | 'service' | 'bot' };

/** Returns why an account is protected, if it is. Case doesn't matter to patterns. */
export function protectionOf(
  userId: string,
  { admins, services, bots }: Traits,
  rule: ProtectedAccounts,
): Protection | undefined {
  if (rule.admins && admins.has(userId)) return { by: 'admin' };
  if (rule.application_services && services.has(userId)) return { by: 'service' };
  if (rule.application_services && bots.has(userId)) return { by: 'bot' };
  const id = userId.toLowerCase();
  const pattern = rule.patterns.find((each) => matchesGlob(each.toLowerCase(), id));
  return pattern === undefined ? undefined : { by: 'pattern', pattern };
}

/** Returns the patterns in a text with one per line, without blanks and duplicates. */
export const patternsIn = (text: string): string[] => [
  ...new Set(text.split('\n').flatMap((line) => line.trim() || [])),
];

/** Returns a pattern that can't match any user ID, if there is one. */
export const unusablePattern = (patterns: readonly string[]): string | undefined =>
  patterns.find((pattern) => !/^[@*?](?=.*[:*])\S*$/.test(pattern) || pattern.length > maxPatternLength);
