import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { refusedStart } from '../refused-start.ts';
import { type Data, makeData } from './data.ts';
import { type OwnPostgres, startOwnPostgres } from './own-postgres.ts';

/** Runs OpenSSL in a directory. */
const openssl = (directory: string, ...args: string[]) =>
  execFileSync('openssl', args, { cwd: directory, stdio: 'ignore' });

/** Creates a certificate authority with a certificate for `localhost`, and another authority without one. */
async function makeCertificates(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'gatehouse-certificates-'));
  for (const name of ['root', 'stranger']) {
    const subject = ['-subj', `/CN=${name}`, '-days', '2', '-keyout', `${name}.key`, '-out', `${name}.crt`];
    openssl(directory, 'req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...subject);
  }
  for (const [name, subject] of [
    ['server', '/CN=localhost'],
    ['client', '/CN=gatehouse'],
  ] as const) {
    const request = ['-nodes', '-subj', subject, '-keyout', `${name}.key`, '-out', `${name}.csr`];
    openssl(directory, 'req', '-newkey', 'rsa:2048', ...request);
    await writeFile(join(directory, 'names.cnf'), 'subjectAltName = DNS:localhost\n');
    const signed = ['-CA', 'root.crt', '-CAkey', 'root.key', '-CAcreateserial', '-out', `${name}.crt`];
    openssl(
      directory,
      'x509',
      '-req',
      '-days',
      '2',
      '-in',
      `${name}.csr`,
      '-extfile',
      'names.cnf',
      ...signed,
    );
  }
  await writeFile(join(directory, 'open.key'), await readFile(join(directory, 'client.key')), {
    mode: 0o644,
  });
  return directory;
}

describe.runIf(inject('postgres'))('sslmode', { timeout: 120_000 }, () => {
  let certificates: string;
  let encrypting: OwnPostgres;
  let data: Data;
  beforeAll(async () => {
    certificates = await makeCertificates();
    const files = Object.fromEntries(
      ['server.crt', 'server.key', 'root.crt'].map((name) => [name, join(certificates, name)]),
    );
    encrypting = await startOwnPostgres({ ssl: 'on', ssl_ca_file: 'root.crt' }, files);
    data = await makeData();
  }, 120_000);
  afterAll(async () => {
    await data.remove();
    await encrypting.remove();
    await rm(certificates, { recursive: true });
  });

  const { host, port, user, password } = inject('postgres') ?? {};
  const plain = () => ({ host, port, user, password, dbname: data.database });
  const withTls = () => ({
    host: '127.0.0.1',
    port: encrypting.port,
    user: encrypting.user,
    password: encrypting.password,
    dbname: 'postgres',
  });
  const at = (name: string) => join(certificates, name);

  /** Returns true for each of the server's connections that PostgreSQL reports as encrypted. */
  async function connectsWithTls(args: Record<string, unknown>): Promise<boolean[]> {
    await data.configure(args);
    const homeserver = await data.start();
    const client = new Client({
      ...args,
      database: String(args.dbname),
      host: '127.0.0.1',
      ssl: false,
    } as object);
    await client.connect();
    const { rows } = await client.query(
      `select distinct ssl from pg_stat_ssl join pg_stat_activity using (pid)
       where application_name = 'gatehouse' and datname = current_database()`,
    );
    await client.end();
    await homeserver.stop();
    return rows.map((row) => row.ssl);
  }

  test.each([
    ['disable', false],
    ['allow', false],
    ['prefer', true],
    ['require', true],
  ])('%s with a server that has TLS: encrypted %s', async (sslmode, encrypted) => {
    expect(await connectsWithTls({ ...withTls(), sslmode })).toEqual([encrypted]);
  });

  test('unset with a server that has TLS: encrypted, as with libpq', async () => {
    expect(await connectsWithTls(withTls())).toEqual([true]);
  });

  test.each(['allow', 'prefer'])('%s with a server without TLS: plain text', async (sslmode) => {
    expect(await connectsWithTls({ ...plain(), sslmode })).toEqual([false]);
  });

  test('verify-ca and verify-full with the right root and name: encrypted', async () => {
    const sslrootcert = at('root.crt');
    expect(await connectsWithTls({ ...withTls(), sslmode: 'verify-ca', sslrootcert })).toEqual([true]);
    const named = { ...withTls(), host: 'localhost', sslmode: 'verify-full', sslrootcert };
    expect(await connectsWithTls(named)).toEqual([true]);
  });

  test('a client certificate is sent', async () => {
    const own = { sslcert: at('client.crt'), sslkey: at('client.key') };
    expect(await connectsWithTls({ ...withTls(), sslmode: 'require', ...own })).toEqual([true]);
  });

  test.each([
    ['require of a server without TLS', () => ({ ...plain(), sslmode: 'require' }), /does not support SSL/],
    [
      'verify-full of a server without TLS',
      () => ({ ...plain(), sslmode: 'verify-full', sslrootcert: at('root.crt') }),
      /does not support SSL/,
    ],
    [
      'verify-ca with another root',
      () => ({ ...withTls(), sslmode: 'verify-ca', sslrootcert: at('stranger.crt') }),
      /can't connect/,
    ],
    [
      'require with another root, as in libpq',
      () => ({ ...withTls(), sslmode: 'require', sslrootcert: at('stranger.crt') }),
      /can't connect/,
    ],
    [
      'verify-full of a server with another name',
      () => ({ ...withTls(), sslmode: 'verify-full', sslrootcert: at('root.crt') }),
      /ERR_TLS_CERT_ALTNAME_INVALID/,
    ],
    ['verify-ca without a root', () => ({ ...withTls(), sslmode: 'verify-ca' }), /args\.sslrootcert/],
    [
      'a missing root',
      () => ({ ...withTls(), sslmode: 'verify-ca', sslrootcert: at('missing.crt') }),
      /^database\.args\.sslrootcert: can't read \S+missing\.crt \(ENOENT\); use a readable PEM file/,
    ],
    [
      'an invalid root',
      () => ({ ...withTls(), sslmode: 'verify-ca', sslrootcert: at('stranger.key') }),
      /^database\.args\.sslrootcert: no certificate in \S+stranger\.key; use a readable PEM file/,
    ],
    [
      'a key that others can read',
      () => ({ ...withTls(), sslmode: 'require', sslcert: at('client.crt'), sslkey: at('open.key') }),
      /^database\.args\.sslkey: other users of this computer can access \S+open\.key; run chmod 600/,
    ],
    ['an unknown mode', () => ({ ...withTls(), sslmode: 'required' }), /args\.sslmode/],
    ['a key without its certificate', () => ({ ...withTls(), sslkey: at('client.key') }), /args\.sslcert/],
    ['an unsupported setting', () => ({ ...withTls(), sslcrl: at('root.crt') }), /args\.sslcrl/],
  ])('refused: %s', async (_, args, line) => {
    await data.configure(args());
    const refusal = await refusedStart(data.configSource);
    expect(refusal).toMatch(/^database\.args/);
    expect(refusal).toMatch(line);
  });
});
