/** Registration files of application services. */
import { resolve } from 'node:path';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import type { Document } from 'yaml';
import { newUserId } from '../core/identifiers.ts';
import { type PatternError, wholePattern } from '../core/patterns.ts';
import { ConfigurationError } from './configuration-error.ts';
import { readRegularFile } from './named-file.ts';
import { type SectionContext, section } from './section.ts';

/** An application service, from its registration file. */
export type AppServiceConfig = {
  id: string;
  /** The token that authenticates its requests to this server. */
  token: string;
  /** Its own user. */
  senderUserId: string;
  /** Whether rate limits apply to it. */
  rateLimited: boolean;
  /** Regular expressions that match whole user IDs. */
  userNamespaces: Namespace[];
  /** Regular expressions that match whole aliases or room IDs. */
  aliasNamespaces: Namespace[];
  roomNamespaces: Namespace[];
  /** URL for events, without a trailing slash; undefined if it receives none. */
  url: string | undefined;
  /** The token that authenticates this server's requests to it. */
  hsToken: string;
  /** Whether it receives receipts, typing, presence and to-device messages. */
  receivesEphemeral: boolean;
  /** Whether it handles encryption: receives device list changes and one-time key counts (MSC3202). */
  encrypts?: boolean;
  /** Protocols of the networks that it bridges. */
  protocols: string[];
};

export type Namespace = { pattern: string; exclusive: boolean };

export const appServices = section(
  {
    app_service_config_files: Type.Array(Type.String(), {
      default: [],
      description: 'Registration files of application services, relative to the data directory',
    }),
    use_appservice_legacy_authorization: Type.Boolean({
      default: false,
      description: 'Also accepts application service tokens in the query string',
    }),
  },
  async (settings, context) => ({
    appServices: await readRegistrations(settings.app_service_config_files, context),
    /** Whether application services may send their token as a query parameter. */
    useAppServiceLegacyAuthorization: settings.use_appservice_legacy_authorization,
  }),
);

const Namespaces = Type.Optional(
  Type.Union([
    Type.Null(),
    Type.Array(
      Type.Object({ exclusive: Type.Boolean(), regex: Type.String() }, { additionalProperties: true }),
    ),
  ]),
);

/** Application Service API, "Registration". */
const Registration = Type.Object(
  {
    id: Type.String({ minLength: 1 }),
    url: Type.Union([Type.String(), Type.Null()]),
    as_token: Type.String({ minLength: 1 }),
    hs_token: Type.String({ minLength: 1 }),
    sender_localpart: Type.String({ minLength: 1 }),
    namespaces: Type.Object(
      { users: Namespaces, aliases: Namespaces, rooms: Namespaces },
      { additionalProperties: true },
    ),
    rate_limited: Type.Optional(Type.Boolean()),
    receive_ephemeral: Type.Optional(Type.Boolean()),
    push_ephemeral: Type.Optional(Type.Boolean()),
    'de.sorunome.msc2409.push_ephemeral': Type.Optional(Type.Boolean()),
    'org.matrix.msc3202': Type.Optional(Type.Boolean()),
    protocols: Type.Optional(Type.Union([Type.Null(), Type.Array(Type.String())])),
  },
  { additionalProperties: true },
);
type Registration = Static<typeof Registration>;

const setting = (index: number) => `app_service_config_files[${index}]`;

/** @throws ConfigurationError that names the setting and the file, without quoting its content */
async function readRegistrations(
  files: readonly string[],
  { dataDir, serverName }: SectionContext,
): Promise<AppServiceConfig[]> {
  const registered: AppServiceConfig[] = [];
  for (const [index, name] of files.entries()) {
    const file = resolve(dataDir, name);
    const registration = await readRegistration(file, index);
    for (const [property, key] of [
      ['id', 'id'],
      ['as_token', 'token'],
    ] as const) {
      if (registered.some((other) => other[key] === registration[property])) {
        throw refusal(
          index,
          file,
          `has the same ${property} as another file`,
          `use a unique ${property} in each file`,
        );
      }
    }
    registered.push({
      id: registration.id,
      token: registration.as_token,
      senderUserId: senderUserId(registration, serverName, file, index),
      rateLimited: registration.rate_limited ?? true,
      userNamespaces: namespacesOf(registration, 'users'),
      aliasNamespaces: namespacesOf(registration, 'aliases'),
      roomNamespaces: namespacesOf(registration, 'rooms'),
      url: urlOf(registration, file, index),
      hsToken: registration.hs_token,
      receivesEphemeral:
        registration.receive_ephemeral ??
        registration.push_ephemeral ??
        registration['de.sorunome.msc2409.push_ephemeral'] ??
        false,
      encrypts: registration['org.matrix.msc3202'] ?? false,
      protocols: registration.protocols ?? [],
    });
  }
  return registered;
}

const namespacesOf = ({ namespaces }: Registration, kind: 'users' | 'aliases' | 'rooms'): Namespace[] =>
  (namespaces[kind] ?? []).map(({ exclusive, regex }) => ({ exclusive, pattern: regex }));

/** Returns the URL without a trailing slash, because paths are appended to it. */
function urlOf({ url }: Registration, file: string, index: number): string | undefined {
  if (url === null || url === '') return undefined;
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) {
    throw refusal(index, file, "has an invalid 'url'", 'use an HTTP URL such as http://127.0.0.1:9000');
  }
  return url.replace(/\/+$/, '');
}

async function readRegistration(file: string, index: number): Promise<Registration> {
  const content = await readRegularFile(file).catch((error: NodeJS.ErrnoException) => {
    throw refusal(
      index,
      file,
      `can't be read (${error.code})`,
      'correct the path or remove it from the list',
    );
  });
  const text = content.toString();
  const { parseDocument } = await import('yaml');
  // Pretty errors quote the line, which may contain a token.
  const document = parseDocument(text, { prettyErrors: false });
  const [fault] = document.errors;
  if (fault) {
    const line = text.slice(0, fault.pos[0]).split('\n').length;
    throw refusal(index, file, `is not YAML (${fault.code}, line ${line})`, 'correct that line');
  }
  const registration = contentOf(document);
  if (!Value.Check(Registration, registration)) {
    // The deepest error is the most specific.
    const [problem] = Value.Errors(Registration, registration).toSorted(
      (left, right) => right.instancePath.length - left.instancePath.length,
    );
    const path = problem?.instancePath.slice(1).replaceAll('/', '.');
    throw refusal(
      index,
      file,
      `isn't a valid registration: ${path ? `'${path}'` : 'the file'} ${problem?.message ?? 'is invalid'}`,
      'use the registration file generated by the application service',
    );
  }
  await requirePatterns(registration, file, index);
  return registration;
}

/** Returns undefined if expanding the document's aliases would take too much memory. */
function contentOf(document: Document): unknown {
  try {
    return document.toJS();
  } catch {
    return undefined;
  }
}

async function requirePatterns({ namespaces }: Registration, file: string, index: number): Promise<void> {
  for (const kind of ['users', 'aliases', 'rooms'] as const) {
    for (const [place, { regex }] of (namespaces[kind] ?? []).entries()) {
      await wholePattern(regex).catch((error: PatternError) => {
        throw refusal(
          index,
          file,
          `has an invalid 'namespaces.${kind}.${place}.regex' (RE2: ${error.message})`,
          'correct the expression; look-around and back references are not supported',
        );
      });
    }
  }
}

function senderUserId(
  { sender_localpart: localpart }: Registration,
  serverName: string,
  file: string,
  index: number,
): string {
  try {
    return newUserId(localpart, serverName, { reserved: true });
  } catch {
    throw refusal(
      index,
      file,
      "has an invalid 'sender_localpart'",
      'use lowercase letters, digits and =_-./+',
    );
  }
}

const refusal = (index: number, file: string, problem: string, fix: string) =>
  new ConfigurationError(setting(index), `the file ${file} ${problem}`, fix);
