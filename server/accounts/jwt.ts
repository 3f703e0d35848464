/** Checking the JSON Web Token of a login. Interface: "JWT claims", "Authentication" 2, "Errors". */
import type { JsonObject } from '../../shared/api/common.ts';
import type { JwtCheck } from '../../shared/workbench/jwt.ts';
import type { JwtConfig } from '../config/jwt.ts';
import type { Clock } from '../core/clock.ts';
import { forbidden } from '../core/matrix-error.ts';
import { type Check, createChecks, type LookedAt } from './jwt-checks.ts';
import { nearMiss } from './jwt-near-miss.ts';
import { openToken } from './jwt-token.ts';

/** Who a token says its bearer is. */
export type JwtSubject = { localpart: string; displayName?: string };

/** A token and every rule that it was held to. */
export type JwtFindings = {
  checks: JwtCheck[];
  /** What a login with it is told, where that is a refusal. */
  refusal: string | undefined;
  /** Known where the token is good. */
  subject: JwtSubject | undefined;
  /** What to look at, where the signature is wrong for a reason that can be told. */
  hint: string | undefined;
};

/** What makes sure that a token is good; made once from the configuration, whose key it parses. */
export type JwtVerifier = {
  /** @throws MatrixError 403 `M_FORBIDDEN` with a sentence that says which check failed */
  verify(token: string): JwtSubject;
  /** Goes on where `verify` stops, to say all that is wrong with a token. */
  explain(token: string): JwtFindings;
};

/** @throws Error where the configured key can't be read */
export function createJwtVerifier(config: JwtConfig, clock: Clock): JwtVerifier {
  const checks = createChecks(config);
  const lookAt = (token: string): LookedAt => ({
    token: openToken(token),
    claims: undefined,
    now: clock.now(),
  });

  return {
    verify(token) {
      const at = lookAt(token);
      for (const { fault } of checks) {
        const sentence = fault(at);
        if (sentence !== undefined) throw forbidden(refused(sentence ?? unreadable));
      }
      return subjectOf(config, at.claims ?? {});
    },
    explain(token) {
      const at = lookAt(token);
      const found = checks.map((check) => explained(check, at));
      const failed = found.find(({ passed }) => passed !== true);
      return {
        checks: found,
        refusal: failed && refused(failed.sentence),
        subject: failed ? undefined : subjectOf(config, at.claims ?? {}),
        hint: found.some(isWrongSignature) ? nearMiss(config, token) : undefined,
      };
    },
  };
}

const isWrongSignature = ({ check, passed }: JwtCheck) => check === 'signature' && passed === false;

const refused = (sentence: string) => `JWT validation failed: ${sentence}`;
const unreadable = "can't be checked because an earlier part is unreadable";

function explained({ check, fault, good }: Check, at: LookedAt): JwtCheck {
  const sentence = fault(at);
  if (sentence === null) return { check, passed: null, sentence: unreadable };
  if (sentence !== undefined) return { check, passed: false, sentence };
  return { check, passed: true, sentence: good(at.claims ?? {}) };
}

function subjectOf({ subjectClaim, displayNameClaim }: JwtConfig, claims: JsonObject): JwtSubject {
  const displayName = displayNameClaim && claims[displayNameClaim];
  return {
    // The last check has seen to that.
    localpart: claims[subjectClaim] as string,
    ...(typeof displayName === 'string' ? { displayName } : {}),
  };
}
