/** Users and sign-in links in one click. */
import { Type } from 'typebox';
import { failures, Timestamp } from '../api/common.ts';

/** Without a name it makes one up. `password` and `access_token` are shown this once. */
export const makeUser = {
  body: Type.Object(
    {
      name: Type.Optional(Type.String({ minLength: 1, maxLength: 255, description: 'Local part' })),
      admin: Type.Boolean({ default: false }),
    },
    { additionalProperties: true },
  ),
  response: {
    200: Type.Object({
      user_id: Type.String(),
      password: Type.String(),
      access_token: Type.String(),
      device_id: Type.String(),
    }),
    ...failures,
  },
};

/** A single-use login token for `m.login.token`. 404 if the user doesn't exist. */
export const makeSignInLink = {
  body: Type.Object(
    { user: Type.String({ minLength: 1, maxLength: 255, description: 'User ID or its local part' }) },
    { additionalProperties: true },
  ),
  response: {
    200: Type.Object({
      login_token: Type.String(),
      expires_ts: Timestamp,
      console_url: Type.Optional(
        Type.String({ description: 'Console URL with the token, if this server serves the console' }),
      ),
    }),
    ...failures,
  },
};
