/**
 * The release of the interface that this server implements, the newest in "Changes by release". Upgrade
 * rule 3 has administrators compare it, so it is a release of the interface, not of this program.
 */
export const serverVersion = '1.161.0';
