/** Options of a plan. */

/**
 * Intermediate versions of a plan. `every`: wherever the rollback table changes. `fewest`: the minimum with a rollback
 * from each to the previous one. `direct`: the target only.
 */
export const ways = ['every', 'fewest', 'direct'] as const;
export type Way = (typeof ways)[number];

/** How a server was installed. */
export const installMethods = ['debian', 'docker', 'pip', 'ansible'] as const;
export type InstallMethod = (typeof installMethods)[number];
