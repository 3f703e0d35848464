/** Addresses and ports that the server listens on. */
import { resolve } from 'node:path';
import { type Static, Type } from 'typebox';
import { ConfigurationError } from './configuration-error.ts';
import { section } from './section.ts';

export type Listener = {
  /** Host names or addresses; at least one. */
  bindAddresses: string[];
  /** 0 picks a free port. */
  port: number;
  /** Whether to trust a proxy's `X-Forwarded-For`. */
  trustsProxy: boolean;
  /** Undefined for plain HTTP. */
  tls: TlsConfig | undefined;
  /** Full paths of these settings, for errors. */
  settings: { port: string; bindAddresses: string };
};

/** Files in PEM. */
export type TlsConfig = { certificatePath: string; privateKeyPath: string };

const localOnly = ['127.0.0.1'];

const ListenerSetting = Type.Object(
  {
    type: Type.String({
      default: 'http',
      description: '`http` serves the API, `metrics` serves Prometheus metrics at `/metrics`',
    }),
    port: Type.Integer({
      minimum: 0,
      maximum: 65_535,
      description: 'Port; 0 selects a free one',
    }),
    bind_addresses: Type.Array(Type.String(), {
      default: localOnly,
      description: "Local addresses to listen on; `''` or `'::'` for all",
    }),
    tls: Type.Boolean({
      default: false,
      description: 'Serves HTTPS; needs `tls_certificate_path` and `tls_private_key_path`',
    }),
    x_forwarded: Type.Boolean({
      default: false,
      description: 'Trusts the `X-Forwarded-For` header of a reverse proxy',
    }),
    resources: Type.Optional(
      Type.Array(
        Type.Object(
          { names: Type.Array(Type.String(), { default: [] }) },
          { default: {}, additionalProperties: true },
        ),
        {
          description:
            'Resources to serve, in lists called `names`: everything if empty or with `client`; otherwise metrics with `metrics`, else nothing',
        },
      ),
    ),
  },
  { additionalProperties: true, known: ['additional_resources', 'compress', 'request_id_header', 'tag'] },
);

export const listeners = section(
  {
    listeners: Type.Array(ListenerSetting, {
      default: [{ type: 'http', port: 8008 }],
      description: 'Where to listen; the default is used unless an `http` listener serves everything',
    }),
    tls_certificate_path: Type.Optional(
      Type.String({
        description: 'PEM certificate chain for listeners with `tls`, relative to the data directory',
      }),
    ),
    tls_private_key_path: Type.Optional(
      Type.String({ description: 'PEM private key of that certificate, relative to the data directory' }),
    ),
  },
  ({ listeners: written, ...settings }, { dataDir, warn }) => {
    refuseOtherTypes(written);
    for (const [index, one] of written.entries()) {
      const line = lessThanNamed(one);
      if (line !== undefined) warn(`listeners[${index}].resources: ${line}`);
    }
    const tlsFor = (name: string): TlsConfig => {
      const path = (setting: keyof typeof settings) => {
        const value = settings[setting];
        if (value === undefined) throw missingForTls(setting, name);
        return resolve(dataDir, value);
      };
      return { certificatePath: path('tls_certificate_path'), privateKeyPath: path('tls_private_key_path') };
    };
    const ofType = (wanted: string) =>
      written.flatMap((one, index) => (purposeOf(one) === wanted ? [listenerOf(one, index, tlsFor)] : []));
    const http = ofType('http');
    return {
      /** Listeners of the API. The server's own URL is the first address of the first one. */
      listeners: http.length > 0 ? http : [standard],
      /** Listeners of Prometheus metrics. */
      metricsListeners: ofType('metrics'),
    };
  },
);

type ConfiguredListener = Static<typeof ListenerSetting>;

const namesOf = ({ resources = [] }: ConfiguredListener) => resources.flatMap(({ names }) => names);

/** Returns the content that a listener serves. A listener for other resources only must not expose the API. */
function purposeOf(listener: ConfiguredListener): string {
  const names = namesOf(listener);
  if (listener.type !== 'http' || names.length === 0 || names.includes('client')) return listener.type;
  return names.includes('metrics') ? 'metrics' : 'nothing';
}

/** Returns a warning if a listener serves less than its resources. */
function lessThanNamed(listener: ConfiguredListener): string | undefined {
  const names = namesOf(listener);
  const purpose = purposeOf(listener);
  if (purpose === 'nothing') {
    return 'none of these resources is supported, so the listener is disabled; add client or remove the listener';
  }
  if (listener.type !== 'http' || !names.includes('metrics')) return undefined;
  if (purpose === 'http')
    return "metrics can't be served on the same listener as client; add a listener of type metrics";
  return names.some((name) => name !== 'metrics') ? 'only metrics are served here' : undefined;
}

/** The listener for a configuration without one. */
const standard: Listener = {
  bindAddresses: localOnly,
  port: 8008,
  trustsProxy: false,
  tls: undefined,
  settings: { port: '--port', bindAddresses: 'listeners' },
};

/** Returns the listeners with the first one's port replaced by the command line's. */
export function onPort(port: number, [first = standard, ...others]: readonly Listener[]): Listener[] {
  return [{ ...first, port, settings: { ...first.settings, port: '--port' } }, ...others];
}

function listenerOf(
  { port, bind_addresses, tls, x_forwarded }: ConfiguredListener,
  index: number,
  tlsFor: (name: string) => TlsConfig,
): Listener {
  const name = `listeners[${index}]`;
  return {
    bindAddresses: bind_addresses.length > 0 ? bind_addresses.map((address) => address || '::') : localOnly,
    port,
    trustsProxy: x_forwarded,
    tls: tls ? tlsFor(name) : undefined,
    settings: { port: `${name}.port`, bindAddresses: `${name}.bind_addresses` },
  };
}

const missingForTls = (setting: string, name: string) =>
  new ConfigurationError(
    setting,
    `missing, but ${name}.tls is true`,
    `set the path of a PEM file, or set ${name}.tls to false and use a reverse proxy`,
  );

function refuseOtherTypes(written: readonly { type: string }[]): void {
  for (const [index, { type }] of written.entries()) {
    if (type === 'http' || type === 'metrics') continue;
    const [problem, fix] =
      type === 'webclient'
        ? [
            'listeners of type webclient no longer exist',
            'remove the listener and serve the web client with a separate web server',
          ]
        : ['unsupported listener type', 'use http or metrics, or remove the listener'];
    throw new ConfigurationError(`listeners[${index}].type`, problem, fix);
  }
}
