/** Who sent a request: the owner of its access token. */
export type Requester = {
  userId: string;
  deviceId: string | null;
  /** The administrator who acts as the user; undefined for the user. */
  actsFor: string | undefined;
  /** The application service that acts as the user; left out for everyone else. */
  appServiceId?: string;
  /** Who has no account to come back to. */
  guest?: true;
};

/** The same with what policies go by. What depends on that is declared on the route; no handler sees it. */
export type Caller = Requester & {
  admin: boolean;
  /** May read, and not write. */
  suspended: boolean;
  /** What the user sends reaches nobody, and the user is not told. */
  shadowBanned: boolean;
};
