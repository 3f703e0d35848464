import { explainJwt, generateJwtKeys, getJwtSettings, mintJwt } from '../../../shared/workbench/jwt.ts';
import type { AppServices } from '../../identity/accounts/app-services.ts';
import { findUser } from '../../identity/accounts/user-store.ts';
import type { JwtVerifier } from '../../identity/login/jwt.ts';
import { generateKeys, mintToken } from '../../identity/login/jwt-token.ts';
import type { Config } from '../../platform/config/config.ts';
import { invalidParameter } from '../../platform/core/matrix-error.ts';
import type { Database } from '../../platform/database/schema.ts';
import { atWorkbench } from '../../platform/http/policy.ts';
import type { Routes } from '../../platform/http/routes.ts';
import { explainLogin } from './explain-login.ts';

type Context = {
  db: Database;
  config: Config;
  appServices: AppServices;
  jwtVerifier: JwtVerifier | undefined;
};

export const jwtRoutes: Routes<Context> = (app, { db, config, appServices, jwtVerifier }) => {
  const policy = atWorkbench(config);
  const { jwt } = config;

  app.get('/jwt', { schema: getJwtSettings, config: { policy } }, () => ({
    enabled: jwt !== undefined,
    can_sign: jwt?.algorithm.startsWith('HS') ?? false,
    ...(jwt && { algorithm: jwt.algorithm, subject_claim: jwt.subjectClaim }),
    ...(jwt?.displayNameClaim !== undefined && { display_name_claim: jwt.displayNameClaim }),
    ...(jwt?.issuer !== undefined && { issuer: jwt.issuer }),
    ...(jwt?.audiences && { audiences: jwt.audiences }),
  }));

  app.post('/jwt/explain', { schema: explainJwt, config: { policy } }, async ({ body, dialect }) => {
    const context = { config, appServices, jwtVerifier, findUser: (userId: string) => findUser(db, userId) };
    return explainLogin(context, dialect, body.token);
  });

  app.post('/jwt/mint', { schema: mintJwt, config: { policy } }, async ({ body }) => {
    const algorithm = body.algorithm ?? jwt?.algorithm;
    if (!algorithm) throw invalidParameter('No algorithm configured. Specify one.');
    const key = body.key === 'configured' || body.key === undefined ? configuredKey(config) : body.key;
    return { token: await mintToken({ claims: body.claims, algorithm, key, header: body.header }) };
  });

  app.post('/jwt/keys', { schema: generateJwtKeys, config: { policy } }, ({ body }) =>
    generateKeys(body.algorithm),
  );
};

/** @throws MatrixError 400 `M_INVALID_PARAM` */
function configuredKey({ jwt }: Config): string {
  if (jwt?.algorithm.startsWith('HS')) return jwt.secret;
  throw invalidParameter(
    jwt
      ? "The configured public key can't sign tokens. Provide the matching private key."
      : 'No key configured because JWT login is disabled. Provide one.',
  );
}
