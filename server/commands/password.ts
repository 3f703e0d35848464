/** The password of `gatehouse users add`. */
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { ConfigurationError } from '../config/configuration-error.ts';

export type PasswordOptions = { password?: string; passwordStdin?: boolean };

/**
 * Returns the password from the option, from standard input, or from a prompt where there is a terminal.
 *
 * @throws ConfigurationError for an empty password, or where there is none
 */
export async function readPassword({ password, passwordStdin }: PasswordOptions): Promise<string> {
  if (password !== undefined) return requireSome(password, '--password');
  if (passwordStdin) return requireSome(await readStandardInput(), '--password-stdin');
  if (!process.stdin.isTTY) {
    throw new ConfigurationError(
      '--password-stdin',
      'no password given and no terminal to prompt for one',
      'add --password-stdin to read it from standard input',
    );
  }
  const entered = requireSome(await ask('Password: '), 'Password');
  if ((await ask('Repeat password: ')) !== entered) {
    throw new ConfigurationError('Password', "passwords don't match", 'run the command again');
  }
  return entered;
}

function requireSome(password: string, name: string): string {
  if (password === '') throw new ConfigurationError(name, 'the password is empty', 'set a password');
  return password;
}

async function readStandardInput(): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk);
  return Buffer.concat(chunks)
    .toString()
    .replace(/\r?\n$/, '');
}

/** Asks without echo. */
async function ask(question: string): Promise<string> {
  process.stderr.write(question);
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: unseen, terminal: true });
  terminal.once('SIGINT', () => {
    terminal.close();
    process.stderr.write('\n');
    process.exit(130);
  });
  const answer = await terminal.question('');
  terminal.close();
  process.stderr.write('\n');
  return answer;
}
