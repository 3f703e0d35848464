/** Main side of the bridge: checks sender and input before handling anything. */
import { type IpcMainInvokeEvent, ipcMain, type WebContents } from 'electron';
import { Value } from 'typebox/value';
import {
  type Invocation,
  type InvocationInput,
  type InvocationOutput,
  invocations,
  type Notice,
  type NoticePayload,
  type Outcome,
} from '../shared/bridge.ts';
import { ConnectionFailure } from '../shared/connection.ts';
import { log } from './log.ts';
import { isConsoleUrl } from './window/protocol.ts';

type Handler<Input, Output> = [Output] extends [undefined]
  ? (input: Input) => void | Promise<void>
  : (input: Input) => Output | Promise<Output>;

export type Handlers = {
  [Name in Invocation]: Handler<InvocationInput<Name>, InvocationOutput<Name>>;
};

export function answerInvocations(handlers: Handlers): void {
  for (const channel of Object.keys(invocations) as Invocation[]) answer(channel, handlers);
}

export function notify<Name extends Notice>(
  contents: WebContents,
  notice: Name,
  payload: NoticePayload<Name>,
): void {
  if (!contents.isDestroyed()) contents.send(notice, payload);
}

function answer<Name extends Invocation>(channel: Name, handlers: Handlers): void {
  // Each handler gets the input of its channel, validated below.
  const handler = handlers[channel] as (input: InvocationInput<Name>) => unknown;
  ipcMain.handle(channel, async (event, input: unknown): Promise<Outcome<unknown>> => {
    try {
      if (!isConsole(event))
        throw new ConnectionFailure('refused', /*i18n*/ 'Only the console can request this.');
      if (!isInput(channel, input)) {
        throw new ConnectionFailure('refused', /*i18n*/ 'Invalid input for {channel}', {
          channel,
        });
      }
      return { ok: true, value: await handler(input) };
    } catch (error) {
      return { ok: false, failure: failureOf(channel, error) };
    }
  });
}

/** A frame in the page shares its process, but not its permissions. */
function isConsole({ senderFrame }: IpcMainInvokeEvent): boolean {
  return senderFrame !== null && senderFrame.parent === null && isConsoleUrl(senderFrame.url);
}

function isInput<Name extends Invocation>(channel: Name, input: unknown): input is InvocationInput<Name> {
  return Value.Check(invocations[channel].input, input);
}

function failureOf(channel: string, error: unknown) {
  if (error instanceof ConnectionFailure) {
    const { code, message, sentence, values } = error;
    return { code, message, sentence, values };
  }
  log.error(`${channel} failed:`, error);
  const sentence = /*i18n*/ "The app couldn't do this. See the log for details.";
  return { code: 'refused' as const, message: sentence, sentence, values: {} };
}
