/** Options of a plan. */

/**
 * The versions at which a plan stops. `every`: wherever the rollback table changes. `fewest`: as few as possible with a
 * rollback from each to the one before. `direct`: the target only.
 */
export const ways = ['every', 'fewest', 'direct'] as const;
export type Way = (typeof ways)[number];

/** How a server was installed. */
export const installMethods = ['debian', 'docker', 'pip', 'ansible'] as const;
export type InstallMethod = (typeof installMethods)[number];
