/** `database.args.sslmode`, `sslrootcert`, `sslcert` and `sslkey`, as in libpq. */
import { X509Certificate } from 'node:crypto';
import { statSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';
import { ConfigurationError } from '../../config/configuration-error.ts';
import type { PostgresConfig } from '../../config/database.ts';
import { readRegularFileSync } from '../../config/named-file.ts';

/** TLS options; false for plain text. */
export type Encryption = ConnectionOptions | false;

/**
 * Returns the allowed encryptions, in the order to try them.
 *
 * @throws ConfigurationError if a file can't be used
 */
export function encryptionsOf({ tls }: PostgresConfig, host: string | undefined): Encryption[] {
  // Like libpq, without TLS on a Unix socket.
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
  // Like libpq, `require` means `verify-ca` if there is a root certificate.
  if (!verified && (mode !== 'require' || rootCertificate === undefined)) {
    return { ...own, rejectUnauthorized: false };
  }
  return {
    ...own,
    rejectUnauthorized: true,
    // `system`: Node's certificates.
    ...(rootCertificate !== 'system' && { ca: readCertificate('sslrootcert', rootCertificate ?? '') }),
    ...(mode !== 'verify-full' && { checkServerIdentity: () => undefined }),
  };
}

function read(name: string, file: string): Buffer {
  try {
    return readRegularFileSync(file);
  } catch (error) {
    throw unusable(name, `can't read ${file} (${(error as NodeJS.ErrnoException).code})`);
  }
}

/** Node ignores an invalid certificate, or reports it without the file's name. */
function readCertificate(name: string, file: string): Buffer {
  const content = read(name, file);
  try {
    if (content.includes('-----BEGIN')) return new X509Certificate(content) && content;
  } catch {}
  throw unusable(name, `no certificate in ${file}`);
}

const unusable = (name: string, what: string) =>
  new ConfigurationError(`database.args.${name}`, what, 'use a readable PEM file');

/** Refuses a key that other users can read, like libpq. */
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
