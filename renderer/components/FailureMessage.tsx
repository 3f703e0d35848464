import { Button } from '@mantine/core';
import { IconAlertTriangle, IconPlugConnectedX } from '@tabler/icons-react';
import { ConnectionFailure } from '../../shared/connection.ts';
import { StateMessage } from './StateMessage.tsx';

type Props = { what: string; error: Error; onRetry: () => void; retrying: boolean };

/** In the place of what couldn't be loaded: what happened, what to do, and a way to try again. */
export function FailureMessage({ what, error, onRetry, retrying }: Props) {
  const offline =
    error instanceof ConnectionFailure && (error.code === 'unreachable' || error.code === 'timeout');
  const Icon = offline ? IconPlugConnectedX : IconAlertTriangle;
  return (
    <StateMessage
      role="alert"
      icon={<Icon size={24} stroke={1.5} />}
      title={`${what} could not be loaded`}
      description={failureSentence(error)}
    >
      <Button variant="default" onClick={onRetry} loading={retrying}>
        Try again
      </Button>
    </StateMessage>
  );
}

/** A failure's own sentence; anything else is the console's fault and gets one too. */
export function failureSentence(error: Error): string {
  if (error instanceof ConnectionFailure && error.code === 'refused') {
    return `${error.message.replace(/\.?$/, '.')} If it stays so, the server's log says more.`;
  }
  return error instanceof ConnectionFailure
    ? error.message
    : 'The console could not handle the reply. Try again; if it comes back, report it.';
}
