/** What a login by token would be told, and all the reasons for it. */
import type { Dialect } from '../../shared/dialect.ts';
import type { JwtExplanation } from '../../shared/workbench/jwt.ts';
import type { AppServices } from '../accounts/app-services.ts';
import type { JwtFindings, JwtSubject, JwtVerifier } from '../accounts/jwt.ts';
import { openToken, readObject } from '../accounts/jwt-token.ts';
import type { User } from '../accounts/user-store.ts';
import type { Config } from '../config/config.ts';
import { newUserId } from '../core/identifiers.ts';
import { accountDeactivated, MatrixError, userLocked } from '../core/matrix-error.ts';

type Context = {
  config: Pick<Config, 'serverName' | 'externalAuthentication'>;
  appServices: Pick<AppServices, 'refuseReserved'>;
  /** Undefined where JWT login is off. */
  jwtVerifier: JwtVerifier | undefined;
  /** Gives a user whom the server knows. */
  findUser(userId: string): Promise<User | undefined>;
};

/** Holds a token to what a login holds it to, without logging anyone in. */
export async function explainLogin(
  context: Context,
  { jwtLoginType }: Pick<Dialect, 'jwtLoginType'>,
  text: string,
): Promise<JwtExplanation> {
  const token = openToken(text);
  const claims = readObject(token?.payload);
  const parts = { ...(token?.header && { header: token.header }), ...(claims && { claims }) };
  const { jwtVerifier, config } = context;
  if (!jwtVerifier || config.externalAuthentication) {
    const refusal = `Unknown login type ${jwtLoginType}`;
    const sentence = config.externalAuthentication
      ? 'logins are handled by the external authentication service'
      : 'JWT login is disabled; set jwt_config.enabled to true';
    return { checks: [{ check: 'enabled', passed: false, sentence }], accepted: false, refusal, ...parts };
  }
  const found = jwtVerifier.explain(text);
  const user = await userCheck(context, found);
  const refusal = found.refusal ?? (user.passed ? undefined : user.sentence);
  return {
    checks: [{ check: 'enabled', passed: true, sentence: 'JWT login is enabled' }, ...found.checks, user],
    accepted: refusal === undefined,
    ...(refusal !== undefined && { refusal }),
    ...(found.hint !== undefined && { hint: found.hint }),
    ...named(found.subject),
    ...parts,
  };
}

const named = (subject: JwtSubject | undefined) =>
  subject && {
    localpart: subject.localpart,
    ...(subject.displayName !== undefined && { display_name: subject.displayName }),
  };

async function userCheck(context: Context, { subject }: JwtFindings) {
  const check = 'user' as const;
  if (!subject) return { check, passed: null, sentence: 'user unknown because of the failed checks' };
  try {
    return { check, passed: true, sentence: await whoLogsIn(context, subject) };
  } catch (error) {
    if (!(error instanceof MatrixError)) throw error;
    return { check, passed: false, sentence: error.message };
  }
}

/** @throws MatrixError as making the user, or opening a session, would */
async function whoLogsIn(
  { config, appServices, findUser }: Context,
  { localpart }: JwtSubject,
): Promise<string> {
  const userId = newUserId(localpart, config.serverName);
  appServices.refuseReserved(userId);
  const user = await findUser(userId);
  if (!user) return `${userId} logs in; the account is created if it doesn't exist`;
  if (user.deactivated) throw accountDeactivated();
  if (user.locked) throw userLocked();
  return `${userId} logs in`;
}
