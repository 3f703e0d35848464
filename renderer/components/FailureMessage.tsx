import { i18n } from '@lingui/core';
import { Button, Loader } from '@mantine/core';
import { IconAlertTriangle, IconPlugConnectedX } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { ConnectionFailure } from '../../shared/connection.ts';
import { askedToWait, failureSentence, NoSuchEndpoint, waitOf } from '../transport/refusal.ts';
import { StateMessage } from './StateMessage.tsx';

/** How long the server asks to wait, which runs out meanwhile. What changes in a timer is not read out. */
function WaitSentence({ error }: { error: ConnectionFailure }) {
  const [left, setLeft] = useState(Number(error.values.seconds));
  useEffect(() => {
    const until = Date.now() + Number(error.values.seconds) * 1000;
    const tick = () => setLeft(Math.max(0, Math.ceil((until - Date.now()) / 1000)));
    tick();
    const timer = setInterval(tick, 1000);
    return () => clearInterval(timer);
  }, [error]);
  return (
    <span role="timer">{left > 0 ? i18n.t(error.sentence, waitOf(left)) : i18n.t('You can retry now.')}</span>
  );
}

type Props = {
  title: string;
  error: Error;
  onRetry: () => void;
  retrying: boolean;
  /** In the place of a whole screen, whose heading it is. */
  isScreen?: boolean;
};

/** In the place of what couldn't be loaded: what happened, what to do, and a way to try again where that can help. */
export function FailureMessage({ title, error, onRetry, retrying, isScreen = false }: Props) {
  const offline =
    error instanceof ConnectionFailure && (error.code === 'unreachable' || error.code === 'timeout');
  const Icon = offline ? IconPlugConnectedX : IconAlertTriangle;
  return (
    <StateMessage
      role="alert"
      icon={<Icon size={24} stroke={1.5} />}
      title={title}
      isScreen={isScreen}
      description={<FailureSentence error={error} />}
    >
      {!(error instanceof NoSuchEndpoint) && (
        // Not disabled meanwhile, which would take the keyboard away from it.
        <Button variant="default" onClick={onRetry} leftSection={retrying && <Loader size={14} />}>
          {i18n.t('Retry')}
        </Button>
      )}
    </StateMessage>
  );
}

/** On screen: how long the server asks to wait is counted down. */
export function FailureSentence({ error }: { error: Error }) {
  return askedToWait(error) > 0 ? (
    <WaitSentence error={error as ConnectionFailure} />
  ) : (
    failureSentence(error)
  );
}
