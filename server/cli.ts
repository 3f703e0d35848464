/** The command line: `gatehouse <command>`. */
import './commands/end-when-told.ts';
import { Command, InvalidArgumentError, Option } from 'commander';
import { dialectNames } from '../shared/dialect.ts';
import { jwtAlgorithms } from '../shared/workbench/jwt.ts';
import type { MintOptions } from './commands/jwt.ts';
import type { PasswordOptions } from './commands/password.ts';
import type { PlanOptions } from './commands/plan.ts';
import type { TemporaryOptions } from './commands/serve-temporary.ts';
import { ConfigurationError } from './config/configuration-error.ts';
import { MatrixError } from './core/matrix-error.ts';
import { programVersion } from './core/program-version.ts';
import { DatabaseFault } from './database/fault.ts';

const program = new Command('gatehouse')
  .description('An admin console for a federated chat homeserver, with a homeserver in the box')
  .version(programVersion)
  .showHelpAfterError('(add --help for what it takes)');

const withData = (command: Command) =>
  command
    .option('--config <file>', 'homeserver.yaml')
    .option('--data-dir <directory>', 'where database, keys and media are', 'data');

program.hook('preAction', async (_program, command) => {
  requireNamed(command);
  requireTemporary(command);
  const { dataDir, temporary = false } = command.opts<{ dataDir?: string; temporary?: boolean }>();
  if (dataDir === undefined || temporary) return;
  const { settleData } = await import('./host/settle-data.ts');
  await settleData(dataDir, (line) => void process.stderr.write(`gatehouse: ${line}\n`));
});

withData(program.command('serve'))
  .description('runs the homeserver')
  .option('--port <number>', 'port to listen on; 0 takes a free one', portNumber)
  .option('--no-console', 'does not serve the console at /console/')
  .option('--processes <number>', 'runs so many processes on one port; PostgreSQL only', processCount, 1)
  .addOption(
    new Option(
      '--temporary',
      'a server on a free port whose data goes with it; prints where it is, and a token',
    )
      .default(false)
      .conflicts('dataDir'),
  )
  .option('--name <name>', 'what a temporary server is called')
  .option('--json', 'a temporary server prints one line of JSON', false)
  .option('--secrets', 'a temporary server prints its secrets, too', false)
  .action(async (options: ServeOptions) => {
    if (options.temporary) {
      const { serveTemporarily } = await import('./commands/serve-temporary.ts');
      return serveTemporarily(
        { file: options.config, port: options.port, console: options.console },
        options,
      );
    }
    const { serve } = await import('./commands/serve.ts');
    const source = {
      file: options.config,
      dataDir: options.dataDir,
      port: options.port,
      console: options.console,
    };
    await serve(source, options.processes);
  });

const users = program.command('users').description('manages users');
withData(users.command('add <name>'))
  .description('makes a user, whether the server runs or not')
  .option('--password <password>', 'Password; other users of this computer can see it while the command runs')
  .addOption(new Option('--password-stdin', 'Read the password from standard input').conflicts('password'))
  .option('--admin', 'makes the user a server administrator', false)
  .action(async (name: string, options: DataOptions & PasswordOptions & { admin: boolean }) => {
    const { readPassword } = await import('./commands/password.ts');
    const password = await readPassword(options);
    const { addUser } = await import('./commands/users.ts');
    await addUser(
      { file: options.config, dataDir: options.dataDir },
      { localpart: name, password, admin: options.admin },
    );
  });

withData(users.command('sign-in-link'))
  .description('makes a link that signs you in to the console, once; whether the server runs or not')
  .option(
    '--console <url>',
    'where the console is, if not where the configuration has the server listen',
    webAddress,
  )
  .action(async (options: DataOptions & { console?: string }) => {
    const { printSignInLink } = await import('./commands/users.ts');
    await printSignInLink({ file: options.config, dataDir: options.dataDir }, options.console);
  });

withData(program.command('sample-data'))
  .description('fills a server with users, rooms, messages, reports and tasks')
  .option('--reports <number>', 'how many reports', wholeNumber, 250)
  .action(async (options: DataOptions & { reports: number }) => {
    const { sampleData } = await import('./commands/sample-data.ts');
    await sampleData({ file: options.config, dataDir: options.dataDir }, options.reports);
  });

program
  .command('plan')
  .description('plans an upgrade, and says how far back it can be rolled')
  .option('--from <version>', 'the running version; with --server, what the server says')
  .option('--to <version>', 'the version to go to; the newest known one without it')
  .option('--config <file...>', "homeserver.yaml and workers' files, to find what has to change in them")
  .addOption(
    new Option(
      '--dialect <name>',
      "API paths and setting names; default: those of --server, otherwise Synapse's (matrix)",
    ).choices(dialectNames),
  )
  .option('--server <url>', 'a running server, to be asked for its version and background updates')
  .option('--token-file <file>', "a file that holds an administrator's access token for it")
  .addOption(new Option('--json', 'prints JSON').conflicts('markdown'))
  .option('--markdown', 'prints Markdown')
  .action(async (options: PlanOptions) => {
    const { plan } = await import('./commands/plan.ts');
    await plan(options);
  });

const jwt = wrongUseIsTwo(program.command('jwt').description('makes and checks JSON Web Tokens'));
withData(wrongUseIsTwo(jwt.command('mint')))
  .description('makes a token for a login, and prints it')
  .requiredOption('--sub <name>', 'whom it is for: the local part of the user')
  .option('--claim <name=value>', 'a further claim, JSON or text; may be given several times', claims, [])
  .addOption(
    new Option('--exp <time>', 'how long it is good, such as 90s, 15m, 12h, 7d, or never')
      .argParser(lifetime)
      .default(3600, '1h'),
  )
  .addOption(
    new Option('--algorithm <name>', 'how it is signed, if not as configured').choices(jwtAlgorithms),
  )
  .option('--key <file>', 'a shared secret, or a private key in PEM, if not the configured secret')
  .action(async (options: DataOptions & MintOptions) => {
    const { mintOnCommand } = await import('./commands/jwt.ts');
    await mintOnCommand({ file: options.config, dataDir: options.dataDir }, options);
  });

withData(wrongUseIsTwo(jwt.command('verify <token>')))
  .description(
    'says what the server would say of a token, check by check; exit code 0 if it is good, 1 if not',
  )
  .action(async (token: string, options: DataOptions) => {
    const { verifyOnCommand } = await import('./commands/jwt.ts');
    await verifyOnCommand({ file: options.config, dataDir: options.dataDir }, token);
  });

withData(program.command('backup <file>'))
  .description('copies database, key, media and configuration into a file, whether the server runs or not')
  .action(async (file: string, options: DataOptions) => {
    const { backUp } = await import('./commands/backup.ts');
    await backUp({ file: options.config, dataDir: options.dataDir }, file);
  });

withData(program.command('restore <file>'))
  .description('puts a backup back into a directory that is empty or not there yet')
  .action(async (file: string, options: DataOptions) => {
    const { restore } = await import('./commands/backup.ts');
    await restore({ file: options.config, dataDir: options.dataDir }, file);
  });

type ServeOptions = DataOptions &
  TemporaryOptions & { port?: number; console: boolean; processes: number; temporary: boolean };
type DataOptions = { config?: string; dataDir: string };

function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It has to be a whole number.');
  return Number(text);
}

function portNumber(text: string): number {
  const port = wholeNumber(text);
  if (port > 65_535) throw new InvalidArgumentError('It has to be from 0 to 65535.');
  return port;
}

/** A variable of the shell that is not set would have it work on the folder that somebody happens to be in. */
function requireNamed(command: Command): void {
  for (const option of command.options.filter(({ flags }) => /<(file|directory)/.test(flags))) {
    const given: unknown = command.getOptionValue(option.attributeName());
    if ([given].flat().includes('')) command.error(`error: option '${option.flags}' names nothing`);
  }
}

/** Without --temporary these options would have no effect, and a script would wait for the line of JSON forever. */
function requireTemporary(command: Command): void {
  if (command.getOptionValue('temporary') !== false) return;
  for (const name of ['name', 'json', 'secrets']) {
    if (command.getOptionValueSource(name) === 'cli') {
      command.error(`error: option '--${name}' needs --temporary`);
    }
  }
}

function webAddress(text: string): string {
  if (!/^https?:$/.test(URL.parse(text)?.protocol ?? '')) {
    throw new InvalidArgumentError('It has to be a URL, such as http://127.0.0.1:8008/console/.');
  }
  return text;
}

function claims(text: string, before: string[]): string[] {
  if (!/^[^=]+=/.test(text)) throw new InvalidArgumentError('It has to be like name=value.');
  return [...before, text];
}

const seconds: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400 };

/** In seconds. */
function lifetime(text: string): number | 'never' {
  if (text === 'never') return text;
  const [, count, unit = ''] = /^(-?\d{1,9})([smhd])$/.exec(text) ?? [];
  if (count === undefined) throw new InvalidArgumentError('It has to be like 90s, 15m, 12h or 7d, or never.');
  return Number(count) * (seconds[unit] ?? 1);
}

/** Scripts tell a token that is refused from a command that is written wrong. */
function wrongUseIsTwo(command: Command): Command {
  return command.exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2));
}

function processCount(text: string): number {
  const count = wholeNumber(text);
  if (count < 1 || count > 64) throw new InvalidArgumentError('It has to be from 1 to 64.');
  return count;
}

try {
  await program.parseAsync();
} catch (error) {
  const expected =
    error instanceof ConfigurationError ||
    error instanceof MatrixError ||
    error instanceof DatabaseFault ||
    // What the system says of a file names it.
    (error instanceof Error && 'syscall' in error && 'path' in error);
  process.stderr.write(
    `gatehouse: ${expected ? error.message : error instanceof Error ? error.stack : error}\n`,
  );
  process.exitCode = process.argv[2] === 'jwt' ? 2 : 1;
}
