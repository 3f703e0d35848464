import { readFile } from 'node:fs/promises';
import { ConfigurationError } from '../../platform/config/configuration-error.ts';

/** Reads an access token from a file. @throws ConfigurationError */
export async function readToken(file: string): Promise<string> {
  const content = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    const problem = `can't read the file (${error.code})`;
    throw new ConfigurationError(file, problem, 'check the path given with --token-file');
  });
  const token = content.trim();
  // An invalid header value would be quoted by the error about it.
  if (!/^[\x21-\x7e]+$/.test(token)) {
    throw new ConfigurationError(
      file,
      "doesn't contain a single access token",
      'save only the token in the file',
    );
  }
  return token;
}
