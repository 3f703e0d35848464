import { i18n } from '@lingui/core';
import { useEffect, useState } from 'react';
import type { ConnectionFailure } from '../../shared/connection.ts';
import { waitOf } from '../transport/refusal.ts';

/** How long the server asks to wait, which runs out meanwhile. What changes in a timer is not read out. */
export function WaitSentence({ error }: { error: ConnectionFailure }) {
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
