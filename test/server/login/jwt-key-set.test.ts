/** JSON Web Key Sets: key selection and key rotation. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exportJWK, importSPKI } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createJwtVerifier } from '../../../server/identity/login/jwt.ts';
import { generateKeys, mintToken } from '../../../server/identity/login/jwt-token.ts';
import { loadConfig } from '../../../server/platform/config/load.ts';
import type { JwtAlgorithm } from '../../../shared/workbench/jwt.ts';
import { manualClock } from '../../manual-clock.ts';

let directory: string;
let issuer: Server;
let url: string;
let answer: { status: number; body: unknown } = { status: 200, body: {} };
let asked = 0;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'gatehouse-jwks-'));
  issuer = createServer((_request, response) => {
    asked++;
    response
      .writeHead(answer.status, { 'content-type': 'application/json' })
      .end(JSON.stringify(answer.body));
  });
  await new Promise<void>((resolve) => issuer.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(issuer.address() as AddressInfo).port}/jwks`;
});
afterAll(async () => {
  issuer.close();
  await rm(directory, { recursive: true });
});

async function newKey(algorithm: JwtAlgorithm, kid?: string) {
  const { private_key: key = '', public_key: spki = '' } = await generateKeys(algorithm);
  const jwk = await exportJWK(await importSPKI(spki, algorithm, { extractable: true }));
  const named = { ...jwk, ...(kid !== undefined && { kid }) };
  const mint = (header = kid === undefined ? {} : { kid }) =>
    mintToken({ claims: { sub: 'alice' }, algorithm, key, header });
  return { jwk: named, mint };
}

async function verifier(algorithm: string, source: object) {
  const file = join(directory, `${Math.random()}.yaml`);
  await writeFile(file, JSON.stringify({ jwt_config: { enabled: true, algorithm, ...source } }));
  const { jwt } = await loadConfig({ file, dataDir: directory });
  if (!jwt) throw new Error('JWT login is off');
  return createJwtVerifier(jwt, manualClock());
}

test.each<JwtAlgorithm>(['RS256', 'PS384', 'ES256', 'ES512', 'EdDSA'])('%s from a URL', async (algorithm) => {
  const [own, other] = [await newKey(algorithm, 'own'), await newKey(algorithm, 'own')];
  answer = { status: 200, body: { keys: [own.jwk] } };
  const { verify } = await verifier(algorithm, { jwks_uri: url });
  expect(await verify(await own.mint())).toEqual({ localpart: 'alice' });
  await expect(verify(await other.mint())).rejects.toThrow("signature doesn't match");
  await expect(verify(await other.mint({ kid: 'none' }))).rejects.toThrow(
    'key set has no key for this token',
  );
});

test('a token without a kid is tried with each key', async () => {
  const [one, two, three] = [await newKey('RS256'), await newKey('RS256'), await newKey('RS256')];
  answer = { status: 200, body: { keys: [one.jwk, two.jwk] } };
  const { verify } = await verifier('RS256', { jwks_uri: url });
  expect(await verify(await two.mint())).toEqual({ localpart: 'alice' });
  await expect(verify(await three.mint())).rejects.toThrow("signature doesn't match");
});

test('a file is read again when its key changes', async () => {
  const file = join(directory, 'jwks.json');
  const [old, next] = [await newKey('ES256', 'old'), await newKey('ES256', 'next')];
  await writeFile(file, JSON.stringify({ keys: [old.jwk] }));
  const { verify } = await verifier('ES256', { jwks_path: 'jwks.json' });
  expect(await verify(await old.mint())).toEqual({ localpart: 'alice' });
  await writeFile(file, JSON.stringify({ keys: [next.jwk] }));
  expect(await verify(await next.mint())).toEqual({ localpart: 'alice' });
  await expect(verify(await old.mint())).rejects.toThrow('no key');
});

test('an unreachable issuer is named, and requested again for the next token', async () => {
  const key = await newKey('ES256', 'one');
  answer = { status: 500, body: {} };
  const { verify, explain } = await verifier('ES256', { jwks_uri: url });
  await expect(verify(await key.mint())).rejects.toThrow("couldn't load the key set");
  expect((await explain(await key.mint())).checks).toContainEqual({
    check: 'signature',
    passed: false,
    sentence: "couldn't load the key set",
  });
  answer = { status: 200, body: { keys: [key.jwk] } };
  expect(await verify(await key.mint())).toEqual({ localpart: 'alice' });
});

test("tokens with unknown keys don't cause a request each", async () => {
  const key = await newKey('ES256', 'one');
  answer = { status: 200, body: { keys: [key.jwk] } };
  const { verify } = await verifier('ES256', { jwks_uri: url });
  asked = 0;
  for (let round = 0; round < 5; round++) {
    await expect(verify(await key.mint({ kid: `unknown-${round}` }))).rejects.toThrow('no key');
  }
  expect(asked).toBeLessThanOrEqual(2);
});

test("keys of other algorithms are ignored: a public key isn't a shared secret", async () => {
  const key = await newKey('RS256', 'one');
  answer = { status: 200, body: { keys: [key.jwk, { kty: 'oct', k: 'c2VjcmV0', kid: 'two' }] } };
  const { verify } = await verifier('RS256', { jwks_uri: url });
  const forged = await mintToken({
    claims: { sub: 'alice' },
    algorithm: 'HS256',
    key: 'secret',
    header: { kid: 'two' },
  });
  await expect(verify(forged)).rejects.toThrow("token isn't signed with the configured algorithm");
});

test.each<[object, string]>([
  [
    { jwks_uri: 'https://a.example/keys', algorithm: 'HS256' },
    'jwt_config.algorithm: a key set has public keys',
  ],
  [{ jwks_uri: 'a.example' }, 'jwt_config.jwks_uri: must be an HTTP or HTTPS URL'],
  [
    { jwks_uri: 'https://a.example/keys', jwks_path: 'x' },
    'jwt_config.jwks_path: more than one source of keys',
  ],
  [{ jwks_path: 'none.json' }, 'ENOENT'],
  [{}, 'jwt_config.secret: missing'],
])('refuses the settings %j', async (settings, sentence) => {
  await expect(verifier('RS256', settings)).rejects.toThrow(sentence);
});
