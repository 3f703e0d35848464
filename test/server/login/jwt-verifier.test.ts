/** Valid tokens, and the error messages for invalid ones. */
import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createJwtVerifier } from '../../../server/identity/login/jwt.ts';
import { generateKeys, mintToken } from '../../../server/identity/login/jwt-token.ts';
import type { JwtConfig } from '../../../server/platform/config/jwt.ts';
import { type JwtAlgorithm, jwtAlgorithms } from '../../../shared/workbench/jwt.ts';
import { manualClock } from '../../manual-clock.ts';

const clock = manualClock();
const now = Math.floor(clock.now() / 1000);

const defaults: JwtConfig = {
  secret: 'my-secret-token',
  algorithm: 'HS256',
  subjectClaim: 'sub',
  displayNameClaim: undefined,
  issuer: undefined,
  audiences: undefined,
};

/** Returns the rejection message, or undefined if the token is accepted. */
async function refusalOf(config: JwtConfig, token: string): Promise<string | undefined> {
  const { verify, explain } = createJwtVerifier(config, clock);
  const { refusal, checks } = await explain(token);
  expect(checks.every(({ passed }) => passed)).toBe(refusal === undefined);
  const message = await verify(token).then(
    () => undefined,
    (error: Error) => error.message,
  );
  expect(message).toBe(refusal);
  return message?.replace('JWT validation failed: ', '');
}

const encoded = (text: string) => Buffer.from(text).toString('base64url');

function signed(header: string, payload: string, secret = defaults.secret): string {
  const input = `${header}.${payload}`;
  return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`;
}

const noToken = 'not a JSON Web Token that the configured key can verify';
const noClaims = 'claims must be a JSON object';
const unsupported = 'token header requires an unsupported extension';
const otherAlgorithm = "token isn't signed with the configured algorithm";

test.each<[string, string | undefined]>([
  ['{"alg":"HS256"}', undefined],
  ['{"alg":"HS256","typ":"at+jwt","kid":[1]}', undefined],
  ['{"alg":"HS256","crit":["b64"],"b64":true}', undefined],
  ['{"alg":"HS256","b64":false}', undefined],
  ['{"alg":"HS256","crit":["b64"],"b64":false}', noClaims],
  ['{"alg":"HS256","crit":["b64"]}', noToken],
  ['{"alg":"HS256","crit":["b64"],"b64":"true"}', noToken],
  ['{"alg":"HS256","crit":[]}', noToken],
  ['{"alg":"HS256","crit":"b64","b64":true}', noToken],
  ['{"alg":"HS256","crit":[1]}', noToken],
  ['{"alg":"HS256","crit":["x"],"x":1}', unsupported],
  ['{"alg":"HS256","crit":["b64","x"],"b64":true,"x":1}', unsupported],
  ['{"alg":"HS512"}', otherAlgorithm],
  ['{"alg":"RS256"}', otherAlgorithm],
  ['{"alg":"none"}', otherAlgorithm],
  ['{"alg":"hs256"}', otherAlgorithm],
  ['{"alg":""}', noToken],
  ['{"alg":1}', noToken],
  ['{}', noToken],
  ['["HS256"]', noToken],
  ['null', noToken],
  ['{', noToken],
  ['', noToken],
])('the header %s', async (header, refusal) => {
  expect(await refusalOf(defaults, signed(encoded(header), encoded('{"sub":"alice"}')))).toBe(refusal);
});

test.each<[string, string | undefined]>([
  ['{"sub":"a","sub":"b"}', undefined],
  ['\ufeff{"sub":"a"}', undefined],
  ['{}', "claim 'sub' is required"],
  ['[]', noClaims],
  ['"text"', noClaims],
  ['null', noClaims],
  ['', noClaims],
  ['{', noClaims],
  [`${'{"a":'.repeat(600)}1${'}'.repeat(600)}`, noClaims],
])('the payload %s', async (payload, refusal) => {
  expect(await refusalOf(defaults, signed(encoded('{"alg":"HS256"}'), encoded(payload)))).toBe(refusal);
});

const strict: JwtConfig = { ...defaults, issuer: 'us', audiences: ['chat', 'other'] };
const valid = { sub: 'alice', iss: 'us', aud: 'chat', iat: now, nbf: now, exp: now };
const mismatch = (claim: string) => `claim '${claim}' doesn't match the configuration`;
const notNumber = (claim: string) => `claim '${claim}' must be a number`;

test.each<[keyof typeof valid, unknown, string | undefined]>([
  ['sub', undefined, "claim 'sub' is required"],
  ['sub', 5, "claim 'sub' must be a string"],
  ['iss', undefined, "claim 'iss' is required"],
  ['iss', 'US', mismatch('iss')],
  ['iss', ['us'], mismatch('iss')],
  ['aud', undefined, "claim 'aud' is required"],
  ['aud', 'other', undefined],
  ['aud', ['x', 'other'], undefined],
  ['aud', [], mismatch('aud')],
  ['aud', [['chat']], mismatch('aud')],
  ['aud', 'Chat', mismatch('aud')],
  ['aud', 'chat,other', mismatch('aud')],
  ['iat', undefined, undefined],
  ['iat', null, notNumber('iat')],
  ['iat', now + 120, undefined],
  ['iat', now + 121, 'token was issued in the future'],
  ['nbf', undefined, undefined],
  ['nbf', `${now}`, notNumber('nbf')],
  ['nbf', now + 120, undefined],
  ['nbf', now + 121, "token isn't valid yet"],
  ['exp', undefined, undefined],
  ['exp', [], notNumber('exp')],
  ['exp', now - 119, undefined],
  ['exp', now - 120, 'token has expired'],
  ['exp', 1e300, undefined],
])('the claim %s as %j', async (claim, value, refusal) => {
  const payload = JSON.stringify({ ...valid, [claim]: value });
  expect(await refusalOf(strict, signed(encoded('{"alg":"HS256"}'), encoded(payload)))).toBe(refusal);
});

test('base64url with padding, whitespace or other characters is refused', async () => {
  const header = encoded('{"alg":"HS256"}');
  const payload = encoded('{"sub":"alice"}');
  const [, , signature = ''] = signed(header, payload).split('.');
  const input = `${header}.${payload}`;
  const variants = (text: string) => [
    ...[`${text}=`, `${text}==`, `${text}===`, `=${text}`, ` ${text}`, `${text}\n`, `${text}\u00a0`],
    ...[`${text.slice(0, 3)} ${text.slice(3)}`, `${text}+`, `${text}/`, `${text}é`, ''],
  ];
  for (const token of [
    ...variants(signature).map((other) => `${input}.${other}`),
    ...variants(header).map((other) => signed(other, payload)),
    ...variants(payload).map((other) => signed(header, other)),
    ...['', '.', '..', '...', input, `${input}.${signature}.`, `.${input}`],
  ]) {
    expect(await refusalOf(defaults, token), token).toBeDefined();
  }
});

test('a token with any change is refused', async () => {
  const token = signed(encoded('{"alg":"HS256","typ":"JWT"}'), encoded('{"sub":"alice"}'));
  // Different last characters may encode the same bytes.
  const bytesOf = (text: string) =>
    text.split('.').map((part) => Buffer.from(part, 'base64url').toString('hex'));
  const change = fc.tuple(
    fc.nat({ max: token.length }),
    fc.nat({ max: 2 }),
    fc.oneof(fc.string({ maxLength: 2 }), fc.constantFrom('A', '-', '.', '=', '\n')),
  );
  await fc.assert(
    fc.asyncProperty(change, async ([at, removed, inserted]) => {
      const changed = token.slice(0, at) + inserted + token.slice(at + removed);
      const refusal = await refusalOf(defaults, changed);
      if (refusal === undefined) expect(bytesOf(changed)).toEqual(bytesOf(token));
    }),
    { numRuns: 200 },
  );
});

const keysFor = Object.fromEntries(
  await Promise.all(jwtAlgorithms.map(async (name) => [name, await generateKeys(name)] as const)),
);

test.each(jwtAlgorithms)('%s: minted tokens are accepted, other signatures are not', async (algorithm) => {
  const { secret, private_key: key = secret ?? '', public_key: known = key } = keysFor[algorithm] ?? {};
  const config: JwtConfig = { ...defaults, algorithm, secret: known };
  const token = await mintToken({ claims: { sub: 'alice' }, algorithm, key });
  expect(await refusalOf(config, token)).toBeUndefined();

  const [header, payload, signature = ''] = token.split('.');
  const bytes = Buffer.from(signature, 'base64url');
  const changes = [
    ...[0, bytes.length - 1].map((at) => bytes.with(at, (bytes[at] ?? 0) ^ 1)),
    ...[
      // Not the first byte: OpenSSL accepts RSA-PSS signatures without leading zeros. Only the signer can create
      // those.
      bytes.subarray(0, -1),
      Buffer.concat([bytes, Buffer.alloc(1)]),
      Buffer.alloc(bytes.length),
      Buffer.alloc(0),
    ],
  ];
  for (const changed of changes) {
    const forged = `${header}.${payload}.${Buffer.from(changed).toString('base64url')}`;
    expect(await refusalOf(config, forged), forged).toBe("signature doesn't match");
  }
  for (const other of jwtAlgorithms) {
    if (other === algorithm) continue;
    const { secret: shared, private_key: own = shared ?? '' } = keysFor[other] ?? {};
    const ofOther = await mintToken({ claims: { sub: 'alice' }, algorithm: other, key: own });
    expect(await refusalOf(config, ofOther), other).toBe(otherAlgorithm);
    // The same signature, with the configured algorithm in the header.
    const relabelled = `${header}.${ofOther.slice(ofOther.indexOf('.') + 1)}`;
    expect(await refusalOf(config, relabelled), other).toBe("signature doesn't match");
  }
});

const asPem = (key: KeyObject) => key.export({ type: 'spki', format: 'pem' }).toString();

test("signatures in other standards' formats are refused", async () => {
  const input = `${encoded('{"alg":"ES256"}')}.${encoded('{"sub":"alice"}')}`;
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const config: JwtConfig = { ...defaults, algorithm: 'ES256', secret: asPem(pair.publicKey) };
  const der = sign('sha256', Buffer.from(input), pair.privateKey).toString('base64url');
  expect(await refusalOf(config, `${input}.${der}`)).toBe("signature doesn't match");

  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const pss: JwtConfig = { ...defaults, algorithm: 'PS256', secret: asPem(rsa.publicKey) };
  const toSign = `${encoded('{"alg":"PS256"}')}.${encoded('{"sub":"alice"}')}`;
  for (const saltLength of [0, 20, 32, 64]) {
    const signature = sign('sha256', Buffer.from(toSign), { key: rsa.privateKey, padding: 6, saltLength });
    const token = `${toSign}.${signature.toString('base64url')}`;
    expect(await refusalOf(pss, token)).toBe(saltLength === 32 ? undefined : "signature doesn't match");
  }
});

test.each<[string, JwtAlgorithm, () => KeyObject]>([
  ['too short', 'RS256', () => generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey],
  ['on another curve', 'ES256', () => generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey],
])('a key that is %s verifies nothing', async (_, algorithm, makeKey) => {
  const { private_key: key = '' } = keysFor[algorithm] ?? {};
  const token = await mintToken({ claims: { sub: 'alice' }, algorithm, key });
  expect(await refusalOf({ ...defaults, algorithm, secret: asPem(makeKey()) }, token)).toBe(noToken);
});

test.each([
  ['expiry', { exp: now - 60 }, 'exp is in the past, but within the tolerance of 120 seconds'],
  ['not_before', { nbf: now + 60 }, 'nbf is in the future, but within the tolerance of 120 seconds'],
  ['issued_at', { iat: now + 60 }, 'iat is in the future, but within the tolerance of 120 seconds'],
])('says for a time within the leeway which side it is on: %s', async (check, times, sentence) => {
  const token = signed(encoded('{"alg":"HS256"}'), encoded(JSON.stringify({ sub: 'alice', ...times })));
  const { checks } = await createJwtVerifier(defaults, clock).explain(token);
  expect(checks).toContainEqual({ check, passed: true, sentence });
});
