/** Of a user id what stands before its server. */
export const localpart = (userId: string) => userId.slice(1).split(':', 1)[0] ?? '';
