/** Who sent a request: the owner of its access token. */
export type Requester = {
  userId: string;
  deviceId: string | null;
  admin: boolean;
  /** May read, and not write. */
  suspended: boolean;
  /** What the user sends reaches nobody, and the user is not told. */
  shadowBanned: boolean;
  /** The administrator who acts as the user; undefined for the user. */
  actsFor: string | undefined;
  /** Whether an application service sends it that the configuration sets no limits to. */
  unlimited: boolean;
};
