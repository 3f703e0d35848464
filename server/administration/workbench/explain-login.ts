/** Explains the result of a login with a JSON Web Token, check by check. */
import type { Dialect } from '../../../shared/dialect.ts';
import type { JwtExplanation } from '../../../shared/workbench/jwt.ts';
import type { AppServices } from '../../identity/accounts/app-services.ts';
import type { User } from '../../identity/accounts/user-store.ts';
import type { JwtFindings, JwtSubject, JwtVerifier } from '../../identity/login/jwt.ts';
import { decodeToken } from '../../identity/login/jwt-token.ts';
import type { Config } from '../../platform/config/config.ts';
import { newUserId } from '../../platform/core/identifiers.ts';
import { accountDeactivated, MatrixError, userLocked } from '../../platform/core/matrix-error.ts';

type Context = {
  config: Pick<Config, 'serverName' | 'externalAuthentication'>;
  appServices: Pick<AppServices, 'refuseReserved'>;
  /** Undefined if JWT login is off. */
  jwtVerifier: JwtVerifier | undefined;
  findUser(userId: string): Promise<User | undefined>;
};

/** Runs the checks of a login with the token, without logging in. */
export async function explainLogin(
  context: Context,
  { jwtLoginType }: Pick<Dialect, 'jwtLoginType'>,
  token: string,
): Promise<JwtExplanation> {
  const { header, claims } = decodeToken(token) ?? {};
  const parts = { ...(header && { header }), ...(claims && { claims }) };
  const { jwtVerifier, config } = context;
  if (!jwtVerifier || config.externalAuthentication) {
    const refusal = `Unknown login type ${jwtLoginType}`;
    const sentence = config.externalAuthentication
      ? 'logins are handled by the external authentication service'
      : 'JWT login is disabled; set jwt_config.enabled to true';
    return { checks: [{ check: 'enabled', passed: false, sentence }], accepted: false, refusal, ...parts };
  }
  const found = await jwtVerifier.explain(token);
  const user = await userCheck(context, found);
  const refusal = found.refusal ?? (user.passed ? undefined : user.sentence);
  return {
    checks: [{ check: 'enabled', passed: true, sentence: 'JWT login is enabled' }, ...found.checks, user],
    accepted: refusal === undefined,
    ...(refusal !== undefined && { refusal }),
    ...(found.hint !== undefined && { hint: found.hint }),
    ...namesOf(found.subject),
    ...parts,
  };
}

const namesOf = (subject: JwtSubject | undefined) =>
  subject && {
    localpart: subject.localpart,
    ...(subject.displayName !== undefined && { display_name: subject.displayName }),
  };

async function userCheck(context: Context, { subject }: JwtFindings) {
  const check = 'user' as const;
  if (!subject) return { check, passed: null, sentence: 'user unknown because of the failed checks' };
  try {
    return { check, passed: true, sentence: await describeUser(context, subject) };
  } catch (error) {
    if (!(error instanceof MatrixError)) throw error;
    return { check, passed: false, sentence: error.message };
  }
}

/** @throws MatrixError if creating the user or opening a session would throw it */
async function describeUser(
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
