/**
 * `POST /_gatehouse/v1/backup`: the reply is a file, `application/x-tar`, as `gatehouse backup` writes it: a consistent
 * copy of the database, the signing key, the media and the configuration. It holds every secret of the server. A reply
 * that breaks off is no backup: `gatehouse restore` refuses it.
 */
export const backupType = 'application/x-tar';
