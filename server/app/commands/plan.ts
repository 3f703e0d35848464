/** `gatehouse plan`: an upgrade plan on the command line. */
import { readFile } from 'node:fs/promises';
import { ConnectionFailure } from '../../../shared/connection.ts';
import type { Dialect, DialectName } from '../../../shared/dialect.ts';
import { discover } from '../../../shared/discover.ts';
import { inEnglish } from '../../../shared/sentence.ts';
import type { InstallMethod, Way } from '../../../shared/upgrade/choices.ts';
import { type Configuration, ConfigurationFileError } from '../../../shared/upgrade/configuration.ts';
import { willNotStart } from '../../../shared/upgrade/finding-groups.ts';
import { isNote } from '../../../shared/upgrade/findings.ts';
import { planAsMarkdown } from '../../../shared/upgrade/markdown.ts';
import { planUpgrade } from '../../../shared/upgrade/plan.ts';
import { readConfiguration } from '../../../shared/upgrade/read-configuration.ts';
import { askServerState, type ServerState } from '../../../shared/upgrade/server-state.ts';
import { parseVersion, VersionError } from '../../../shared/upgrade/version.ts';
import { ConfigurationError } from '../../platform/config/configuration-error.ts';
import { planAsText } from './plan-text.ts';
import { readToken } from './read-token.ts';
import { send } from './send.ts';

export type PlanOptions = {
  from?: string;
  to?: string;
  config?: string[];
  dialect?: DialectName;
  server?: string;
  tokenFile?: string;
  stops?: Way;
  install?: InstallMethod;
  ignore?: string[];
  ignoreFile?: string;
  json?: boolean;
  markdown?: boolean;
};

/**
 * Prints the plan. The exit code is 3 if the configuration has to change, 4 if the server wouldn't start without the
 * change.
 *
 * @throws ConfigurationError that names the option or the file and the fix, and quotes no secret
 */
export async function plan(options: PlanOptions): Promise<void> {
  checkVersion('--from', options.from);
  checkVersion('--to', options.to);
  const configuration = await readFiles(options.config ?? []);
  const server = await ask(options);
  const from = options.from ?? server?.version;
  if (from === undefined) {
    throw new ConfigurationError(
      '--from',
      'missing current version',
      'set a version such as 1.98.0, or read it from a running server with --server and --token-file',
    );
  }
  if (options.from === undefined) checkVersion('--server', from, 'set the current version with --from');

  const result = planUpgrade({
    from,
    to: options.to,
    dialect: options.dialect ?? server?.dialect.name ?? 'matrix',
    baseUrl: server?.baseUrl,
    way: options.stops,
    install: options.install,
    ignored: await readIgnored(options),
    configuration: configuration.length > 0 ? configuration : undefined,
    pendingUpdates: server?.pendingUpdates,
  });
  process.stdout.write(
    options.json
      ? asJson(result)
      : options.markdown
        ? planAsMarkdown(result)
        : planAsText(result, configuration.length > 0),
  );
  if (result.config.length > 0) process.exitCode = willNotStart(result.config) ? 4 : 3;
}

/** Findings to ignore: `ID reason` on each line of the file, `ID=reason` in each option. */
async function readIgnored({ ignore = [], ignoreFile }: PlanOptions): Promise<Record<string, string>> {
  const text =
    ignoreFile === undefined ? '' : await read(ignoreFile, 'check the path given with --ignore-file');
  const lines = text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
  const given = [
    ...lines.map((line) => ['--ignore-file', line.split(/\s+(.*)/)] as const),
    ...ignore.map((value) => ['--ignore', value.split(/=(.*)/s)] as const),
  ];
  return Object.fromEntries(
    given.map(([option, [id = '', reason = '']]) => {
      if (!isNote(id)) {
        throw new ConfigurationError(
          option,
          `unknown ID ${printable(id.slice(0, 80))}`,
          'use an ID that the plan prints',
        );
      }
      if (reason.trim() === '') {
        throw new ConfigurationError(option, `no reason for ${id}`, 'add why it stays as it is');
      }
      return [id, printable(reason.trim())];
    }),
  );
}

const asJson = (result: unknown) => `${JSON.stringify(result, null, 2)}\n`;

function checkVersion(option: string, text: string | undefined, wayOut?: string): void {
  if (text === undefined) return;
  try {
    parseVersion(text);
  } catch (error) {
    throw error instanceof VersionError
      ? new ConfigurationError(option, inEnglish(error.problem), wayOut ?? inEnglish(error.wayOut))
      : error;
  }
}

async function readFiles(files: string[]): Promise<Configuration> {
  return Promise.all(
    files.map(async (file) => {
      const text = await read(file, 'check the path given with --config');
      try {
        return readConfiguration(file, text);
      } catch (error) {
        throw error instanceof ConfigurationFileError
          ? new ConfigurationError(error.place, inEnglish(error.problem), 'correct or omit the file')
          : error;
      }
    }),
  );
}

async function read(file: string, wayOut: string): Promise<string> {
  const content = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    throw new ConfigurationError(file, `can't read the file (${error.code})`, wayOut);
  });
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content);
  } catch {
    throw new ConfigurationError(
      file,
      'not UTF-8 text',
      'convert it to UTF-8, the only encoding that Synapse reads',
    );
  }
}

type QueriedServer = ServerState & { baseUrl: string; dialect: Dialect };

async function ask({ server, tokenFile }: PlanOptions): Promise<QueriedServer | undefined> {
  if (server === undefined && tokenFile === undefined) return undefined;
  if (server === undefined) {
    throw new ConfigurationError('--server', 'missing', 'set the URL of the server that the token is for');
  }
  if (tokenFile === undefined) {
    throw new ConfigurationError('--token-file', 'missing', "set a file with an admin's access token");
  }
  const accessToken = await readToken(tokenFile);
  try {
    const found = await discover(send, server);
    return { ...found, ...(await askServerState(send, found, accessToken)) };
  } catch (error) {
    if (!(error instanceof ConnectionFailure)) throw error;
    // Contains the server's message, which may repeat the token.
    const problem = printable(error.message.replaceAll(accessToken, '…')).replace(/\.$/, '');
    throw new ConfigurationError('--server', problem, 'or set the current version with --from instead');
  }
}

/** Untrusted text may contain terminal escapes. */
const printable = (text: string) => text.replace(/[\p{Cc}\p{Cf}]/gu, '?');
