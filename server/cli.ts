/** The command line: `gatehouse <command>`. */
import { Command, InvalidArgumentError, Option } from 'commander';
import { dialectNames } from '../shared/dialect.ts';
import type { PlanOptions } from './commands/plan.ts';
import { ConfigurationError } from './config/configuration-error.ts';
import { MatrixError } from './core/matrix-error.ts';

const program = new Command('gatehouse')
  .description('An admin console for a federated chat homeserver, with a homeserver in the box')
  .showHelpAfterError('(add --help for what it takes)');

const withData = (command: Command) =>
  command
    .option('--config <file>', 'homeserver.yaml')
    .option('--data-dir <directory>', 'where database, keys and media are', 'data');

withData(program.command('serve'))
  .description('runs the homeserver')
  .option('--port <number>', 'port to listen on; 0 takes a free one', wholeNumber)
  .option('--no-console', 'does not serve the console at /console/')
  .option('--processes <number>', 'runs so many processes on one port; PostgreSQL only', processCount, 1)
  .action(async (options: DataOptions & { port?: number; console: boolean; processes: number }) => {
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
  .requiredOption('--password <password>', 'the password')
  .option('--admin', 'makes the user a server administrator', false)
  .action(async (name: string, options: DataOptions & { password: string; admin: boolean }) => {
    const { addUser } = await import('./commands/users.ts');
    await addUser({ file: options.config, dataDir: options.dataDir }, { ...options, localpart: name });
  });

withData(users.command('sign-in-link'))
  .description('makes a link that signs you in to the console, once; whether the server runs or not')
  .option('--console <url>', 'where the console is, if not where the configuration has the server listen')
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
      "how paths and settings are spelled; with --server, the server's own",
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

type DataOptions = { config?: string; dataDir: string };

function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It has to be a whole number.');
  return Number(text);
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
    // What the system says of a file names it.
    (error instanceof Error && 'syscall' in error && 'path' in error);
  process.stderr.write(
    `gatehouse: ${expected ? error.message : error instanceof Error ? error.stack : error}\n`,
  );
  process.exitCode = 1;
}
