import type { Bridge, Invocation, InvocationInput, InvocationOutput } from '../../shared/bridge.ts';
import { ConnectionFailure } from '../../shared/connection.ts';

/** Gives what asks the desktop app's main process. It throws the ConnectionFailure that the main process threw. */
export const invokerOf =
  (bridge: Bridge) =>
  async <Name extends Invocation>(
    channel: Name,
    input: InvocationInput<Name>,
  ): Promise<InvocationOutput<Name>> => {
    const outcome = await bridge.invoke(channel, input);
    if (outcome.ok) return outcome.value;
    const { code, sentence, values } = outcome.failure;
    throw new ConnectionFailure(code, sentence, values);
  };
