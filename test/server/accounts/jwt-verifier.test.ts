/** The server's own check of tokens beside a widely used library's: they agree on whatever is made of a token. */
import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createJwtVerifier } from '../../../server/accounts/jwt.ts';
import { makeKeys, mintToken } from '../../../server/accounts/jwt-mint.ts';
import type { JwtConfig } from '../../../server/config/jwt.ts';
import { type JwtAlgorithm, jwtAlgorithms } from '../../../shared/workbench/jwt.ts';
import { manualClock } from '../../manual-clock.ts';
import { askLibrary } from './jwt-oracle.ts';

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

/** The sentence of the refusal, or undefined. */
function verdictOf(config: JwtConfig, token: string): string | undefined {
  const { verify, explain } = createJwtVerifier(config, clock);
  const { refusal } = explain(token);
  try {
    verify(token);
  } catch (error) {
    const { message } = error as Error;
    expect(refusal).toBe(message);
    return message.replace('JWT validation failed: ', '');
  }
  expect(refusal).toBeUndefined();
  return undefined;
}

/** What only this server asks for. */
const ownRules = /^(token has an audience|token was issued in the future|claim 'sub' (must be|is required))/;

async function compare(config: JwtConfig, token: string, { sentences = true } = {}): Promise<void> {
  const own = verdictOf(config, token);
  // The library skips white space and padding, which RFC 7515 doesn't allow and Synapse refuses.
  if (/[^\w.-]/.test(token)) return expect(own, token).toBeDefined();
  const asked = await askLibrary(config, token, clock.now());
  if (own !== undefined && ownRules.test(own)) return;
  const theirs = typeof asked === 'string' ? asked : undefined;
  if (sentences) expect(own, token).toBe(theirs);
  else expect(own === undefined, `${token}: ${own}, ${theirs}`).toBe(theirs === undefined);
}

const encoded = (text: string) => Buffer.from(text).toString('base64url');

function signed(header: string, payload: string, secret = defaults.secret): string {
  const input = `${header}.${payload}`;
  return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`;
}

const value = fc.oneof(
  fc.constantFrom<unknown>(...[null, true, '', 'a', 0, -1, 1e300, [], {}, ['b64'], ['b64', 'b64'], ['exp']]),
  fc.integer({ min: now - 300, max: now + 300 }),
  fc.jsonValue({ maxDepth: 1 }),
);

const headers = fc.oneof(
  fc.record(
    {
      alg: fc.constantFrom<unknown>(
        'HS256',
        'HS256',
        'HS256',
        'HS512',
        'none',
        'hs256',
        'RS256',
        '',
        null,
        1,
      ),
      typ: fc.constantFrom('JWT', 'at+jwt'),
      crit: fc.oneof(fc.constantFrom(['b64'], ['x'], ['b64', 'x'], [], 'b64', [1], ['']), value),
      b64: fc.constantFrom<unknown>(true, false, 'true', null),
      x: value,
      kid: value,
    },
    { requiredKeys: ['alg'] },
  ),
  fc.constantFrom({ alg: 'HS256', crit: ['b64'], b64: true }, { alg: 'HS256', crit: ['b64'], b64: false }),
  fc.jsonValue({ maxDepth: 1 }),
);

test('signed tokens with headers and payloads of any kind', async () => {
  const payloads = fc.oneof(
    fc.constantFrom(
      '{"sub":"a"}',
      '{"sub":"a","sub":"b"}',
      '[]',
      '"text"',
      'null',
      '1',
      '',
      '{',
      '\ufeff{"sub":"a"}',
    ),
    fc.jsonValue({ maxDepth: 1 }).map((json) => JSON.stringify(json)),
  );
  await fc.assert(
    fc.asyncProperty(headers, payloads, async (header, payload) => {
      await compare(defaults, signed(encoded(JSON.stringify(header)), encoded(payload)));
    }),
    { numRuns: 300 },
  );
});

const strict: JwtConfig = { ...defaults, issuer: 'us', audiences: ['chat', 'other'] };
const good = { sub: 'alice', iss: 'us', aud: 'chat', iat: now, nbf: now, exp: now };

test.each(Object.keys(good))('the claim %s, with any value and without one', async (claim) => {
  const { [claim as keyof typeof good]: _, ...without } = good;
  for (const config of [strict, defaults]) {
    const rest = config === strict ? without : { sub: 'alice', iat: now, nbf: now, exp: now };
    await compare(config, signed(encoded('{"alg":"HS256"}'), encoded(JSON.stringify(rest))));
  }
  const values = fc.oneof(
    value,
    fc.constantFrom<unknown>('us', 'chat', ['x', 'other'], [['chat']], ['Chat'], 'chat,other'),
    fc.constantFrom(...[-121, -120, -119, 119, 120, 121].map((seconds) => now + seconds)),
  );
  await fc.assert(
    fc.asyncProperty(values, async (changed) => {
      const payload = encoded(JSON.stringify({ ...without, [claim]: changed }));
      await compare(strict, signed(encoded('{"alg":"HS256"}'), payload));
    }),
    { numRuns: 60 },
  );
});

test('base64url that is not as it is usually written', async () => {
  const header = encoded('{"alg":"HS256"}');
  const payload = encoded('{"sub":"alice"}');
  const [, , signature = ''] = signed(header, payload).split('.');
  const input = `${header}.${payload}`;
  const oddly = (text: string) => [
    ...[
      `${text}=`,
      `${text}==`,
      `${text}===`,
      `=${text}`,
      ` ${text}`,
      `${text}\n`,
      `${text}\u00a0`,
      `${text}A`,
    ],
    ...[`${text.slice(0, 3)} ${text.slice(3)}`, text.replaceAll('_', '/').replaceAll('-', '+'), `${text}+`],
    ...[text.slice(0, -1), '', `${text}é`, `${text.slice(0, -1)}${text.endsWith('Q') ? 'R' : 'Q'}`],
  ];
  for (const other of oddly(signature)) await compare(defaults, `${input}.${other}`);
  for (const other of oddly(header)) await compare(defaults, signed(other, payload));
  for (const other of oddly(payload)) await compare(defaults, signed(header, other));
  for (const token of ['', '.', '..', '...', `${input}`, `${input}.${signature}.`, `.${input}`]) {
    await compare(defaults, token);
  }
});

test('any character of a token changed', async () => {
  const token = signed(encoded('{"alg":"HS256","typ":"JWT"}'), encoded('{"sub":"alice"}'));
  const change = fc.tuple(
    fc.nat({ max: token.length }),
    fc.nat({ max: 2 }),
    fc.oneof(fc.string({ maxLength: 2 }), fc.constantFrom('A', '-', '.', '=', '\n')),
  );
  await fc.assert(
    fc.asyncProperty(change, async ([at, removed, put]) => {
      await compare(defaults, token.slice(0, at) + put + token.slice(at + removed));
    }),
    { numRuns: 300 },
  );
});

const keysFor = Object.fromEntries(jwtAlgorithms.map((name) => [name, makeKeys(name)]));

test.each(jwtAlgorithms)('%s: what is minted is taken, and no other signature', async (algorithm) => {
  const { secret, private_key: key = secret ?? '', public_key: known = key } = keysFor[algorithm] ?? {};
  const config: JwtConfig = { ...defaults, algorithm, secret: known };
  const token = mintToken({ claims: { sub: 'alice' }, algorithm, key });
  expect(verdictOf(config, token)).toBeUndefined();
  await compare(config, token);

  const [header, payload, signature = ''] = token.split('.');
  const bytes = Buffer.from(signature, 'base64url');
  const changes = fc.oneof(
    fc.nat({ max: bytes.length - 1 }).map((at) => bytes.with(at, (bytes[at] ?? 0) ^ 1)),
    fc.uint8Array({ maxLength: bytes.length + 2 }),
    fc.constantFrom(bytes.subarray(1), Buffer.concat([bytes, Buffer.alloc(1)]), Buffer.alloc(bytes.length)),
  );
  await fc.assert(
    fc.asyncProperty(changes, async (changed) => {
      await compare(config, `${header}.${payload}.${Buffer.from(changed).toString('base64url')}`);
    }),
    { numRuns: 20 },
  );
  for (const other of jwtAlgorithms) {
    const { secret: shared, private_key: own = shared ?? '' } = keysFor[other] ?? {};
    const token = mintToken({
      claims: { sub: 'alice' },
      algorithm: other,
      key: own,
      header: { alg: algorithm },
    });
    if (other !== algorithm) expect(verdictOf(config, token), other).toBeDefined();
  }
});

const asPem = (key: KeyObject) => key.export({ type: 'spki', format: 'pem' }).toString();

test('signatures in the forms of other standards', async () => {
  const input = `${encoded('{"alg":"ES256"}')}.${encoded('{"sub":"alice"}')}`;
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const config: JwtConfig = { ...defaults, algorithm: 'ES256', secret: asPem(pair.publicKey) };
  // As certificates have them: a structure of two numbers with lengths of their own.
  await compare(
    config,
    `${input}.${sign('sha256', Buffer.from(input), pair.privateKey).toString('base64url')}`,
  );

  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const pss: JwtConfig = { ...defaults, algorithm: 'PS256', secret: asPem(rsa.publicKey) };
  const toSign = `${encoded('{"alg":"PS256"}')}.${encoded('{"sub":"alice"}')}`;
  for (const saltLength of [0, 20, 32, 64]) {
    const signature = sign('sha256', Buffer.from(toSign), { key: rsa.privateKey, padding: 6, saltLength });
    const token = `${toSign}.${signature.toString('base64url')}`;
    expect(verdictOf(pss, token)).toBe(saltLength === 32 ? undefined : "signature doesn't match");
    await compare(pss, token);
  }
});

test.each<[string, JwtAlgorithm, () => KeyObject]>([
  ['too short', 'RS256', () => generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey],
  ['on another curve', 'ES256', () => generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey],
])('a key that is %s checks nothing', async (_, algorithm, makeKey) => {
  const { private_key: key = '' } = keysFor[algorithm] ?? {};
  const token = mintToken({ claims: { sub: 'alice' }, algorithm, key });
  await compare({ ...defaults, algorithm, secret: asPem(makeKey()) }, token);
});
