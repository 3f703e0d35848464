/** `ipcMain`: handlers for invocations from the page. */
import { decode, encode } from './codec.ts';
import { loud } from './loud.ts';

type Handler = (event: unknown, ...values: unknown[]) => unknown;

const handlers = new Map<string, Handler>();

export const ipcMain = loud('ipcMain', {
  handle(channel: string, handler: Handler) {
    if (handlers.has(channel)) throw new Error(`Attempted to register a second handler for '${channel}'`);
    handlers.set(channel, handler);
  },
});

/** Replies as Electron does: with a copy of the value, or the message of the error. */
export async function answerInvocation(
  event: unknown,
  channel: string,
  values: unknown[],
): Promise<{ ok: boolean; value: unknown }> {
  try {
    const handler = handlers.get(channel);
    if (!handler) throw new Error(`No handler registered for '${channel}'`);
    return { ok: true, value: decode(encode(await handler(event, ...values))) };
  } catch (error) {
    return { ok: false, value: `Error invoking remote method '${channel}': ${error}` };
  }
}
