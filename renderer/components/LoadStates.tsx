/** States of a screen or panel without content: loading, failed, empty, or stale. */

import { i18n } from '@lingui/core';
import { Trans } from '@lingui/react';
import { Button, Loader } from '@mantine/core';
import { IconAlertTriangle, IconPlugConnectedX } from '@tabler/icons-react';
import { type ReactNode, useEffect, useState } from 'react';
import { ConnectionFailure } from '../../shared/connection.ts';
import { failureSentence, NoSuchEndpoint, retryAfterSeconds, retryValues } from '../transport/refusal.ts';
import classes from './LoadStates.module.css';
import { RelativeTime } from './RelativeTime.tsx';

type StateMessageProps = {
  icon: ReactNode;
  title: string;
  description: ReactNode;
  /** `alert` for errors. */
  role?: 'alert' | 'status';
  /** Replaces a whole screen, so the title is its `h1`. */
  isScreen?: boolean;
  /** Buttons. */
  children?: ReactNode;
};

/** Renders an empty state or an error, with the next step. */
export function StateMessage({
  icon,
  title,
  description,
  role = 'status',
  isScreen,
  children,
}: StateMessageProps) {
  const Heading = isScreen ? 'h1' : 'h2';
  return (
    <div className={classes.root} role={role}>
      <span className={classes.icon} data-role={role} aria-hidden>
        {icon}
      </span>
      <Heading className={classes.title}>{title}</Heading>
      <div className={classes.description}>{description}</div>
      {children && <div className={classes.actions}>{children}</div>}
    </div>
  );
}

/** Counts down the server's Retry-After. */
function RetryCountdown({ error }: { error: ConnectionFailure }) {
  const [left, setLeft] = useState(Number(error.values.seconds));
  useEffect(() => {
    const until = Date.now() + Number(error.values.seconds) * 1000;
    const tick = () => setLeft(Math.max(0, Math.ceil((until - Date.now()) / 1000)));
    tick();
    const timer = setInterval(tick, 1000);
    return () => clearInterval(timer);
  }, [error]);
  return (
    <span role="timer">
      {left > 0 ? i18n.t(error.sentence, retryValues(left)) : i18n.t('You can retry now.')}
    </span>
  );
}

type FailureMessageProps = {
  title: string;
  query: { error: Error | null | undefined; refetch: () => unknown; isFetching: boolean };
  /** Replaces a whole screen, so the title is its `h1`. */
  isScreen?: boolean;
};

/** Renders a load error with its cause, and a retry button if that can help. */
export function FailureMessage({ title, query, isScreen = false }: FailureMessageProps) {
  const error = query.error ?? new Error('no reply');
  const isOffline =
    error instanceof ConnectionFailure && (error.code === 'unreachable' || error.code === 'timeout');
  const Icon = isOffline ? IconPlugConnectedX : IconAlertTriangle;
  return (
    <StateMessage
      role="alert"
      icon={<Icon size={24} stroke={1.5} />}
      title={title}
      isScreen={isScreen}
      description={<FailureSentence error={error} />}
    >
      {!(error instanceof NoSuchEndpoint) && (
        // Not disabled while retrying: that would drop the keyboard focus.
        <Button
          variant="default"
          onClick={() => query.refetch()}
          leftSection={query.isFetching && <Loader size={14} />}
        >
          {i18n.t('Retry')}
        </Button>
      )}
    </StateMessage>
  );
}

/** Renders an error's sentence, with a countdown if the server rate-limits. */
export function FailureSentence({ error }: { error: Error }) {
  return retryAfterSeconds(error) > 0 ? (
    <RetryCountdown error={error as ConnectionFailure} />
  ) : (
    failureSentence(error)
  );
}

type FailureNoteProps = { error: Error | null | undefined; className?: string | undefined };

/** Renders the reason of a failure, if there was one. */
export const FailureNote = ({ error, className }: FailureNoteProps) =>
  error && (
    <p className={className} role="alert">
      {failureSentence(error)}
    </p>
  );

const slowAfterMs = 2500;

type LoadingNoteProps = {
  text: string;
  /** Replaces the text at once: an action that the user queued while loading. */
  queuedAction?: string | undefined;
};

/** Says that something is loading, and after a while that the server is slow. */
export function LoadingNote({ text, queuedAction }: LoadingNoteProps) {
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), slowAfterMs);
    return () => clearTimeout(timer);
  }, []);
  return (
    <output
      className={classes.note}
      data-slow={slow || undefined}
      data-awaited={queuedAction !== undefined || undefined}
    >
      {queuedAction ?? (slow ? i18n.t('Server is slow. Still loading…') : text)}
    </output>
  );
}

type StaleNoteProps = {
  error: Error;
  /** When the data was loaded, in milliseconds since the Unix epoch. */
  since: number;
  onRetry: () => unknown;
};

/** Warns that a refresh failed and says how old the data is. The cause is in the tooltip. */
export function StaleNote({ error, since, onRetry }: StaleNoteProps) {
  return (
    <span className={classes.stale} role="alert" title={failureSentence(error)}>
      <Trans
        id="Couldn't refresh. Last loaded <0/>"
        components={{ 0: <RelativeTime timestamp={since} long /> }}
      />
      <Button variant="subtle" size="compact-xs" onClick={() => onRetry()}>
        {i18n.t('Retry')}
      </Button>
    </span>
  );
}
