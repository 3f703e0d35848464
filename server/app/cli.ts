/** The command line: `gatehouse <command>`. */
import { Command, InvalidArgumentError, Option } from 'commander';
import { dialectNames } from '../../shared/dialect.ts';
import { installMethods, ways } from '../../shared/upgrade/choices.ts';
import { jwtAlgorithms } from '../../shared/workbench/jwt.ts';
import { ConfigurationError } from '../platform/config/configuration-error.ts';
import { MatrixError } from '../platform/core/matrix-error.ts';
import { programVersion } from '../platform/core/version.ts';
import { DatabaseFault } from '../platform/database/fault.ts';
import type { MintOptions } from './commands/jwt.ts';
import type { PlanOptions } from './commands/plan.ts';
import type { TemporaryOptions } from './commands/serve-temporary.ts';
import type { PasswordOptions } from './commands/users.ts';
import type { WatchOptions } from './commands/watch.ts';
import { quietHours } from './watch/quiet-hours.ts';

// A server that is stopped while it starts exits with 0, like a running one. As process 1 of a container, it would ignore
// the signal without a handler.
if (process.argv[2] === 'serve') {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    // The starter may have added one already.
    if (process.listenerCount(signal) > 0) continue;
    process.on(signal, () => {
      // A running server has its own handler.
      if (process.listenerCount(signal) === 1) process.exit(0);
    });
  }
}

const program = new Command('gatehouse')
  .description('Admin console for Matrix homeservers, with a built-in homeserver')
  .version(programVersion, '-V, --version', 'Show the version')
  .helpOption('-h, --help', 'Show help')
  .helpCommand('help [command]', 'Show help for a command')
  .showHelpAfterError('Run with --help for usage');

const withData = (command: Command) =>
  command
    .option('--config <file>', 'Configuration file (homeserver.yaml)')
    .option('--data-dir <directory>', 'Data directory (database, keys, media)', 'data');

program.hook('preAction', async (_program, command) => {
  refuseEmptyPaths(command);
  requireTemporaryFor(command);
  const { dataDir, temporary = false } = command.opts<{ dataDir?: string; temporary?: boolean }>();
  if (dataDir === undefined || temporary) return;
  const { settleData } = await import('../administration/backup/pending-change.ts');
  await settleData(dataDir, (line) => void process.stderr.write(`gatehouse: ${line}\n`));
});

withData(program.command('serve'))
  .description('Run the homeserver')
  .option('--port <number>', 'Port to listen on (0 picks a free one)', portNumber)
  .option('--no-console', "Don't serve the console at /console/")
  .addOption(
    new Option('--processes <number>', 'Number of processes sharing the port (PostgreSQL only)')
      .argParser(processCount)
      .default(1)
      .conflicts('temporary'),
  )
  .addOption(
    new Option(
      '--temporary',
      'Run a temporary server on a free port; its data is deleted on exit. Prints the URL and an admin token',
    ).conflicts('dataDir'),
  )
  .option('--name <name>', 'Name of the temporary server')
  .option('--json', 'Print one line of JSON (with --temporary)')
  .option('--secrets', 'Also print the registration and JWT secrets (with --temporary)')
  .option('--seed <file>', 'Users, rooms and messages to start with, as YAML (with --temporary)')
  .option('--user <name>', 'User to start with (repeatable, with --temporary)', repeated, [])
  .option('--until-stdin-ends', 'Stop when standard input closes (with --temporary)')
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

const users = program.command('users').description('Manage users');
withData(users.command('add <name>'))
  .description('Create a user (works while the server is running)')
  .option('--password <password>', 'Password; other users of this computer can see it while the command runs')
  .addOption(new Option('--password-stdin', 'Read the password from standard input').conflicts('password'))
  .option('--admin', 'Grant server admin rights')
  .action(async (name: string, options: DataOptions & PasswordOptions & { admin?: boolean }) => {
    const { readPassword } = await import('./commands/users.ts');
    const password = await readPassword(options);
    const { addUser } = await import('./commands/users.ts');
    await addUser(
      { file: options.config, dataDir: options.dataDir },
      { localpart: name, password, admin: options.admin === true },
    );
  });

withData(users.command('list'))
  .description('List all users (works while the server is running)')
  .action(async (options: DataOptions) => {
    const { printUsers } = await import('./commands/users.ts');
    await printUsers({ file: options.config, dataDir: options.dataDir });
  });

withData(users.command('sign-in-link'))
  .description('Print a single-use sign-in link for the console')
  .option(
    '--console <url>',
    'Console URL (default: of the running server or the configured listener)',
    webAddress,
  )
  .action(async (options: DataOptions & { console?: string }) => {
    const { printSignInLink } = await import('./commands/users.ts');
    await printSignInLink({ file: options.config, dataDir: options.dataDir }, options.console);
  });

withData(program.command('sample-data'))
  .description('Add sample data (users, rooms, messages, reports, tasks)')
  .option('--reports <number>', 'Number of reports', wholeNumber, 250)
  .action(async (options: DataOptions & { reports: number }) => {
    const { sampleData } = await import('./commands/sample-data.ts');
    await sampleData({ file: options.config, dataDir: options.dataDir }, options.reports);
  });

program
  .command('plan')
  .description('Plan an upgrade and show rollback options')
  .option('--from <version>', 'Current version (default: reported by --server)')
  .option('--to <version>', 'Target version (default: the newest known version)')
  .option('--config <file...>', 'homeserver.yaml and worker files to check for required changes')
  .addOption(
    new Option(
      '--dialect <name>',
      "API paths and setting names (default: as on --server, otherwise Synapse's: matrix)",
    ).choices(dialectNames),
  )
  .addOption(
    new Option(
      '--stops <which>',
      'Versions to stop at: every one where the rollback table changes, the fewest that each allow a rollback, or none but the target',
    )
      .choices(ways)
      .default('every'),
  )
  .addOption(
    new Option('--install <method>', 'How the server was installed, for commands to match').choices(
      installMethods,
    ),
  )
  .option('--ignore <id=reason...>', 'Findings to leave as they are')
  .option('--ignore-file <file>', 'File with an ID and a reason on each line')
  .option('--server <url>', 'URL of a running server, to read its version and background updates')
  .option('--token-file <file>', "File with an admin's access token for that server")
  .addOption(new Option('--json', 'Print JSON').conflicts('markdown'))
  .option('--markdown', 'Print Markdown')
  .action(async (options: PlanOptions) => {
    const { plan } = await import('./commands/plan.ts');
    await plan(options);
  });

program
  .command('watch')
  .description('Send alerts about reports, escalations, failed tasks and outages of a server until stopped')
  .requiredOption('--server <url>', 'URL of the server')
  .requiredOption('--token-file <file>', "File with an admin's access token")
  .option('--room <id>', "Send to this room, which the token's user has joined")
  .option('--webhook <url>', 'Post JSON to this address', webAddress)
  .option('--mail <address>', "Send email through this computer's sendmail", mailAddress)
  .option('--team', 'Read the team room: alerts about escalations, scheduled actions')
  .option('--console <url>', 'Link to the console at this address', webAddress)
  .addOption(
    new Option('--every <time>', "Least time between alerts that aren't urgent, such as 15m")
      .argParser(period)
      .default(600_000, '10m'),
  )
  .addOption(
    new Option('--quiet <hours>', 'Hours for urgent alerts only, such as 22:00-07:00').argParser(quietHours),
  )
  .action(async (options: WatchOptions) => {
    const { watch } = await import('./commands/watch.ts');
    await watch(options);
  });

const jwt = withUsageExitCode(program.command('jwt').description('Create and validate JSON Web Tokens'));
withData(withUsageExitCode(jwt.command('mint')))
  .description('Create and print a login token')
  .requiredOption('--sub <name>', 'Local part of the user ID')
  .option('--claim <name=value>', 'Additional claim, JSON or text (repeatable)', claims, [])
  .addOption(
    new Option('--exp <time>', 'Lifetime, such as 90s, 15m, 12h, 7d or never')
      .argParser(lifetime)
      .default(3600, '1h'),
  )
  .addOption(
    new Option('--algorithm <name>', 'Signature algorithm (default: the configured one)').choices(
      jwtAlgorithms,
    ),
  )
  .option('--key <file>', 'File with a shared secret or PEM private key (default: the configured secret)')
  .option('--server <url>', 'URL of a running server, to create the token with its settings')
  .option('--token-file <file>', "File with an admin's access token for that server")
  .action(async (options: DataOptions & MintOptions) => {
    const { mintOnCommand } = await import('./commands/jwt.ts');
    await mintOnCommand({ file: options.config, dataDir: options.dataDir }, options);
  });

withData(withUsageExitCode(jwt.command('verify <token>')))
  .description('Validate a token; exits 0 if valid, 1 if not')
  .option('--json', 'Print JSON')
  .action(async (token: string, options: DataOptions & { json?: boolean }) => {
    const { verifyOnCommand } = await import('./commands/jwt.ts');
    await verifyOnCommand({ file: options.config, dataDir: options.dataDir }, token, options);
  });

withData(program.command('backup <file>'))
  .description('Back up database, keys, media and configuration to a file')
  .action(async (file: string, options: DataOptions) => {
    const { backUp } = await import('./commands/backup.ts');
    await backUp({ file: options.config, dataDir: options.dataDir }, file);
  });

withData(program.command('restore <file>'))
  .description('Restore a backup into an empty or new directory')
  .action(async (file: string, options: DataOptions) => {
    const { restore } = await import('./commands/backup.ts');
    await restore({ file: options.config, dataDir: options.dataDir }, file);
  });

type ServeOptions = DataOptions &
  TemporaryOptions & { port?: number; console: boolean; processes: number; temporary?: boolean };
type DataOptions = { config?: string; dataDir: string };

function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('Must be a whole number.');
  return Number(text);
}

function portNumber(text: string): number {
  const port = wholeNumber(text);
  if (port > 65_535) throw new InvalidArgumentError('Must be from 0 to 65535.');
  return port;
}

/** Refuses empty paths: an unset shell variable would select the current directory. */
function refuseEmptyPaths(command: Command): void {
  for (const option of command.options.filter(({ flags }) => /<(file|directory)/.test(flags))) {
    const given: unknown = command.getOptionValue(option.attributeName());
    if ([given].flat().includes('')) command.error(`error: option '${option.flags}' must not be empty`);
  }
}

/** Refuses options that only affect temporary servers: a script would wait for the line of JSON forever. */
function requireTemporaryFor(command: Command): void {
  if (command.name() !== 'serve' || command.getOptionValue('temporary')) return;
  for (const option of command.options) {
    const isTemporary = ['name', 'json', 'secrets', 'seed', 'user', 'untilStdinEnds'].includes(
      option.attributeName(),
    );
    if (isTemporary && command.getOptionValueSource(option.attributeName()) === 'cli') {
      command.error(`error: option '${option.long}' requires --temporary`);
    }
  }
}

function webAddress(text: string): string {
  if (!/^https?:$/.test(URL.parse(text)?.protocol ?? '')) {
    throw new InvalidArgumentError('Must be a URL, such as http://127.0.0.1:8008/console/.');
  }
  return text;
}

function repeated(text: string, before: string[]): string[] {
  return [...before, text];
}

function claims(text: string, before: string[]): string[] {
  if (!/^[^=]+=/.test(text)) throw new InvalidArgumentError('Must have the form name=value.');
  return [...before, text];
}

const seconds: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400 };

/** Returns a duration in seconds. */
function lifetime(text: string): number | 'never' {
  if (text === 'never') return text;
  const [, count, unit = ''] = /^(-?\d{1,9})([smhd])$/.exec(text) ?? [];
  if (count === undefined)
    throw new InvalidArgumentError("Must be a duration such as 90s, 15m, 12h or 7d, or 'never'.");
  return Number(count) * (seconds[unit] ?? 1);
}

/** Returns a duration in milliseconds. */
function period(text: string): number {
  const time = lifetime(text);
  if (time === 'never' || time < 0) throw new InvalidArgumentError('Must be a duration such as 15m.');
  return time * 1000;
}

function mailAddress(text: string): string {
  if (!/^[\w.+-]+@[\w.-]+$/.test(text) || text.startsWith('-')) {
    throw new InvalidArgumentError('Must be an email address.');
  }
  return text;
}

/** Exits with 2 after a usage error, so that scripts can distinguish it from a rejected token. */
function withUsageExitCode(command: Command): Command {
  return command.exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2));
}

function processCount(text: string): number {
  const count = wholeNumber(text);
  if (count < 1 || count > 64) throw new InvalidArgumentError('Must be from 1 to 64.');
  return count;
}

try {
  await program.parseAsync();
} catch (error) {
  const expected =
    error instanceof ConfigurationError ||
    error instanceof MatrixError ||
    error instanceof DatabaseFault ||
    // System errors about a file name it.
    (error instanceof Error && 'syscall' in error && 'path' in error);
  process.stderr.write(
    `gatehouse: ${expected ? error.message : error instanceof Error ? error.stack : error}\n`,
  );
  process.exitCode = process.argv[2] === 'jwt' ? 2 : 1;
}
