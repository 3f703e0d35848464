/** `database.args.sslmode` and what belongs to it, as libpq means them. */
import { X509Certificate } from 'node:crypto';
import { statSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';
import { ConfigurationError } from '../../config/configuration-error.ts';
import type { PostgresConfig } from '../../config/database.ts';
import { readNamedSync } from '../../config/named-file.ts';

/** One way to connect: with TLS and these options, or in plain text. */
export type Encryption = ConnectionOptions | false;

/**
 * The ways to connect that the configuration allows, in the order in which they are to be tried.
 *
 * @throws ConfigurationError where a file that it names can't be used
 */
export function encryptionsOf({ tls }: PostgresConfig, host: string | undefined): Encryption[] {
  // There is nobody in between on a socket of this machine: libpq uses no TLS there either.
  if (tls.mode === 'disable' || host?.startsWith('/')) return [false];
  const encrypted = optionsOf(tls);
  if (tls.mode === 'allow') return [false, encrypted];
  if (tls.mode === 'prefer') return [encrypted, false];
  return [encrypted];
}

function optionsOf({ mode, rootCertificate, certificate, key }: PostgresConfig['tls']): ConnectionOptions {
  const own: ConnectionOptions = {
    ...(certificate !== undefined && { cert: readCertificate('sslcert', certificate) }),
    ...(key !== undefined && { key: readKey(key) }),
  };
  const verified = mode === 'verify-ca' || mode === 'verify-full';
  // Whoever names a root certificate wants it used: libpq takes `require` for `verify-ca` then.
  if (!verified && (mode !== 'require' || rootCertificate === undefined)) {
    return { ...own, rejectUnauthorized: false };
  }
  return {
    ...own,
    rejectUnauthorized: true,
    // `system` stands for the certificates that Node brings.
    ...(rootCertificate !== 'system' && { ca: readCertificate('sslrootcert', rootCertificate ?? '') }),
    ...(mode !== 'verify-full' && { checkServerIdentity: () => undefined }),
  };
}

function read(name: string, file: string): Buffer {
  try {
    return readNamedSync(file);
  } catch (error) {
    throw unusable(name, `can't read ${file} (${(error as NodeJS.ErrnoException).code})`);
  }
}

/** Node takes what is none for no certificate at all, or says so of no file. */
function readCertificate(name: string, file: string): Buffer {
  const content = read(name, file);
  try {
    if (content.includes('-----BEGIN')) return new X509Certificate(content) && content;
  } catch {}
  throw unusable(name, `no certificate in ${file}`);
}

const unusable = (name: string, what: string) =>
  new ConfigurationError(`database.args.${name}`, what, 'use a readable PEM file');

/** A key that others may read is refused, as libpq does. */
function readKey(file: string): Buffer {
  const key = read('sslkey', file);
  const { mode, uid } = statSync(file);
  if ((mode & (uid === 0 ? 0o037 : 0o077)) === 0 || process.platform === 'win32') return key;
  throw new ConfigurationError(
    'database.args.sslkey',
    `other users of this computer can access ${file}`,
    `run chmod 600 ${file}`,
  );
}
