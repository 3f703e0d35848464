/** Where the server listens. */
import { Type } from 'typebox';
import { ConfigurationError } from './configuration-error.ts';
import { section } from './section.ts';

export type ListenAddress = { host: string; port: number };

const Listener = Type.Object(
  {
    type: Type.String({
      default: 'http',
      description: '`http` serves requests, `metrics` has figures for Prometheus, at `/metrics`',
    }),
    port: Type.Integer({
      minimum: 0,
      maximum: 65_535,
      description: '0 takes a free one',
    }),
    bind_addresses: Type.Array(Type.String(), {
      default: ['127.0.0.1'],
      description: 'the addresses of this machine that it listens on',
    }),
    tls: Type.Optional(Type.Boolean()),
    x_forwarded: Type.Boolean({
      default: false,
      description: 'whether a proxy in front says who calls, in `X-Forwarded-For`',
    }),
  },
  { additionalProperties: true },
);

const standard = { type: 'http', port: 8008, bind_addresses: ['127.0.0.1'], x_forwarded: false };

export const listeners = section(
  {
    listeners: Type.Array(Listener, {
      default: [{ type: 'http', port: 8008 }],
      description: 'the first of type `http` serves',
    }),
  },
  ({ listeners: written }) => {
    refuseWebClient(written);
    const http = written.find(({ type }) => type !== 'metrics') ?? standard;
    const metrics = written.find(({ type }) => type === 'metrics');
    return {
      ...addressOf(http),
      /** Whether a proxy in front says who calls, in `X-Forwarded-For`. */
      trustProxy: http.x_forwarded,
      /** Where figures for Prometheus are; nowhere where it is undefined. */
      metrics: metrics && addressOf(metrics),
    };
  },
);

const addressOf = ({ port, bind_addresses: [host] }: typeof standard): ListenAddress => ({
  host: host ?? '127.0.0.1',
  port,
});

/** Interface: "Startup refusals". */
function refuseWebClient(written: readonly { type: string }[]): void {
  const index = written.findIndex(({ type }) => type === 'webclient');
  if (index === -1) return;
  throw new ConfigurationError(
    `listeners[${index}].type`,
    'listeners of type webclient no longer exist',
    'remove the listener, and serve the web client with a web server of its own',
  );
}
