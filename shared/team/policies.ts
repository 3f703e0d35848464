/** The team's written rules: documents of the kind `policy`. */
import { type Static, Type } from 'typebox';
import { Dictionary } from '../api/common.ts';
import { fits } from '../fits.ts';
import type { DocumentsOfKind } from './documents.ts';
import { severities } from './entries.ts';

export const policyKind = 'policy';

/** Actions that a policy can recommend. */
export const ladderActions = [
  'warn-user',
  'suspend-user',
  'lock-user',
  'take-down-user',
  'deactivate-user',
] as const;

const Step = Type.Object({
  /** Minimum number of active strikes. */
  strikes: Type.Integer({ minimum: 1, maximum: 1000 }),
  /** ID of an action; unknown ones are shown as they are. */
  action: Type.String({ minLength: 1, maxLength: 100 }),
  /** Time limit. */
  days: Type.Optional(Type.Integer({ minimum: 1, maximum: 3650 })),
});
export type LadderStep = Static<typeof Step>;

export const maxPolicyText = 8000;
export const maxTemplate = 4000;

export const Policy = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 100 }),
  text: Type.String({ maxLength: maxPolicyText }),
  severity: Type.Enum([...severities]),
  /** Strikes that a decision adds; 0 for none. */
  weight: Type.Integer({ minimum: 0, maximum: 100 }),
  /** Null: strikes never expire. */
  expires_days: Type.Union([Type.Null(), Type.Integer({ minimum: 1, maximum: 3650 })]),
  /** Recommended actions. */
  ladder: Type.Array(Step, { maxItems: 10 }),
  /** Messages to the user by language, such as `en`. */
  templates: Dictionary(Type.String({ maxLength: maxTemplate }), { maxProperties: 20 }),
  /** Not offered for decisions yet. */
  draft: Type.Optional(Type.Boolean()),
});
export type Policy = Static<typeof Policy>;
export type KeyedPolicy = Policy & { key: string };

/** Returns the policies whose content has the right shape, by name. */
export const policiesIn = (documents: DocumentsOfKind): KeyedPolicy[] =>
  [...documents]
    .flatMap(([key, { content }]) => (fits(Policy, content) ? [{ ...content, key }] : []))
    .sort((one, other) => one.name.localeCompare(other.name));

/** Returns the policies that a decision can be based on. */
export const usablePolicies = (documents: DocumentsOfKind): KeyedPolicy[] =>
  policiesIn(documents).filter(({ draft }) => !draft);

/** Returns a policy's name; its key if the policy was deleted. */
export function policyName(documents: DocumentsOfKind, key: string): string {
  const content = documents.get(key)?.content;
  return typeof content?.name === 'string' && content.name !== '' ? content.name : key;
}

/** Returns the step for a number of active strikes: the reached one with the most strikes. */
export const recommended = ({ ladder }: Pick<Policy, 'ladder'>, strikes: number): LadderStep | undefined =>
  ladder
    .filter((step) => step.strikes <= strikes)
    .reduce<LadderStep | undefined>(
      (best, step) => (best && best.strikes >= step.strikes ? best : step),
      undefined,
    );

const dayMs = 86_400_000;

/** Returns the strike that a decision under a policy adds, if any. */
export const strikeUnder = ({ weight, expires_days: days }: Policy, now: number) =>
  weight > 0 ? { weight, until: days === null ? null : now + days * dayMs } : undefined;

/** Returns the template in the language, else in English, else the first one. */
export function templateIn({ templates }: Pick<Policy, 'templates'>, language: string): string | undefined {
  const [short = language] = language.split('-');
  return templates[language] ?? templates[short] ?? templates.en ?? Object.values(templates)[0];
}

export const PolicyFile = Type.Object({
  policies: Type.Array(
    Type.Object({ key: Type.String({ minLength: 1, maxLength: 255 }), ...Policy.properties }),
    { maxItems: 500 },
  ),
});
