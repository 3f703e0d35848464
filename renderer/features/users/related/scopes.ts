/** Sets of accounts to compare. `known`: reported, or acted on by the team. */
export const scopes = ['newest', 'near', 'known'] as const;
export type Scope = (typeof scopes)[number];

export const maxCompared = 500;
