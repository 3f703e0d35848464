/** Conditions of a segment of the users: filters that the server lacks, which combine. */
export const userTraits = [
  'suspended',
  'shadow-banned',
  'locked',
  'deactivated',
  'guest',
  'bot',
  'no-bot',
  'bridged',
  'no-email',
  'never-seen',
] as const;
export type UserTrait = (typeof userTraits)[number];

export type UserSegment = {
  is?: readonly UserTrait[] | undefined;
  /** Part of an identity provider's ID or name, or `provider:ID`. */
  idp?: string | undefined;
  /** Not seen since this day, `2026-03-01`. */
  inactive?: string | undefined;
  /** First and last day of creation. */
  from?: string | undefined;
  to?: string | undefined;
};

export const isSegment = ({ is = [], idp, inactive, from, to }: UserSegment): boolean =>
  is.length > 0 || [idp, inactive, from, to].some((value) => value !== undefined);
