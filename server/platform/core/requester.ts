/** The sender of a request: the owner of its access token. */
export type Requester = {
  userId: string;
  deviceId: string | null;
  /** The administrator who acts as the user; undefined for the user. */
  actsFor: string | undefined;
  /** The application service that acts as the user, if any. */
  appServiceId?: string;
  /** Set for guests. */
  guest?: true;
};

/** A requester with the properties that policies check. Handlers only see a `Requester`. */
export type Caller = Requester & {
  admin: boolean;
  /** May read but not write. */
  suspended: boolean;
  shadowBanned: boolean;
};
