import { createSecureContext } from 'node:tls';
import { ConfigurationError } from '../config/configuration-error.ts';
import type { TlsConfig } from '../config/listeners.ts';
import { readNamed } from '../config/named-file.ts';

/**
 * Reads a certificate, with those that vouch for it, and its private key.
 *
 * @throws ConfigurationError where they can't be read or don't fit each other
 */
export async function readTlsFiles({ certificatePath, privateKeyPath }: TlsConfig): Promise<{
  cert: string;
  key: string;
}> {
  const cert = await read('tls_certificate_path', certificatePath);
  const key = await read('tls_private_key_path', privateKeyPath);
  try {
    createSecureContext({ cert, key });
  } catch {
    throw new ConfigurationError(
      'tls_private_key_path',
      `${certificatePath} and ${privateKeyPath} aren't a matching PEM certificate and key`,
      'check that they match and that the key has no passphrase',
    );
  }
  return { cert, key };
}

async function read(setting: string, path: string): Promise<string> {
  const content = await readNamed(path).catch((error: NodeJS.ErrnoException) => {
    throw new ConfigurationError(setting, `can't read ${path} (${error.code})`, 'check the path');
  });
  return content.toString();
}
