import type { Messages } from '@lingui/core';
import { compileMessage as compile } from '@lingui/message-utils/compileMessage';

const compiled = new Map<string, Exclude<Messages[string], string>>();

/** Compiles each message once. English has no catalog: its messages are in the code. */
export function compileMessage(message: string): Exclude<Messages[string], string> {
  const tokens = compiled.get(message) ?? compile(message);
  compiled.set(message, tokens);
  return tokens;
}
