/** `protocol`: custom schemes handled by the main process. */
import { loud } from './loud.ts';

type Handler = (request: Request) => Response | Promise<Response>;
type Privileges = Record<string, boolean>;

const privileged = new Map<string, Privileges>();
const handlers = new Map<string, Handler>();

export const protocol = loud('protocol', {
  registerSchemesAsPrivileged(schemes: { scheme: string; privileges: Privileges }[]) {
    for (const { scheme, privileges } of schemes) privileged.set(scheme, privileges);
  },
  handle(scheme: string, handler: Handler) {
    const { standard, secure, supportFetchAPI } = privileged.get(scheme) ?? {};
    if (!standard || !secure || !supportFetchAPI) {
      throw new Error(`The stand-in serves standard, secure schemes with fetch only: '${scheme}' is not`);
    }
    handlers.set(scheme, handler);
  },
});

export const registeredSchemes = () => handlers.keys();

export async function serveScheme(request: Request): Promise<Response> {
  const handler = handlers.get(new URL(request.url).protocol.slice(0, -1));
  if (!handler) throw new Error(`Nobody serves ${request.url}`);
  return handler(request);
}
