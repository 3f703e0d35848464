import { i18n } from '@lingui/core';
import { Button, Popover } from '@mantine/core';
import { IconRepeat } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { InspectedRequest } from '../../../../shared/workbench/inspector.ts';
import { HazardText } from '../../../components/HazardText.tsx';
import { useConsole } from '../../../console-context.ts';
import { failureSentence } from '../../../transport/refusal.ts';
import { sendAgain } from '../../../transport/workbench.ts';
import { useBench } from '../bench.ts';
import base from '../LocalServer.module.css';
import { isWhole, parsedBody } from './curl.ts';
import classes from './Requests.module.css';

const methods = ['GET', 'POST', 'PUT', 'DELETE'] as const;

/** Makes the request once more, with the session of whoever is signed in here. What comes is in the list. */
export function SendAgain({ request, onSend }: { request: InspectedRequest; onSend: () => void }) {
  const { connection } = useBench();
  const { host } = useConsole();
  const method = methods.find((each) => each === request.method);
  const [asking, setAsking] = useState(false);
  const send = useMutation({
    onMutate: onSend,
    mutationFn: () => {
      const body = request.request.body ? parsedBody(request.request.body) : undefined;
      return sendAgain(host, connection, {
        method: method ?? 'GET',
        path: request.path,
        ...(method !== 'GET' && body !== undefined && { body }),
      });
    },
  });
  if (method === undefined) return null;
  if (!isWhole(request) || isOdd(request)) {
    return (
      <span className={base.dim}>
        {i18n.t("Can't be resent: parts were redacted, truncated or aren't JSON.")}
      </span>
    );
  }
  // Whoever sent it first need not have had the right to it, and may have sent it to be sent again.
  const isOwn = request.user_id === connection.userId;
  const isAsked = method !== 'GET' && !isOwn;
  return (
    <>
      <Popover opened={asking} onChange={setAsking} position="bottom-start" width={320} shadow="md" trapFocus>
        <Popover.Target>
          <Button
            variant="default"
            leftSection={<IconRepeat size={14} stroke={1.7} aria-hidden />}
            onClick={() => (isAsked ? setAsking(true) : send.mutate())}
            loading={send.isPending}
            title={i18n.t('Resends as {userId}, regardless of session', { userId: connection.userId })}
          >
            {isAsked ? i18n.t('Resend…') : i18n.t('Resend')}
          </Button>
        </Popover.Target>
        <Popover.Dropdown aria-label={i18n.t('Resend')}>
          <p className={classes.ask}>
            {request.user_id === null
              ? i18n.t('No valid session. Resends with your session and rights as {userId}.', {
                  userId: connection.userId,
                })
              : i18n.t('Sent by {first}. Resends with your session and rights as {userId}.', {
                  first: request.user_id,
                  userId: connection.userId,
                })}
          </p>
          <p className={classes.ask}>
            <code>
              <HazardText text={`${request.method} ${request.path}`} />
            </code>
          </p>
          <Button
            onClick={() => {
              setAsking(false);
              send.mutate();
            }}
          >
            {i18n.t('Resend as {userId}', { userId: connection.userId })}
          </Button>
        </Popover.Dropdown>
      </Popover>
      {send.data && <output>{i18n.t('Response: {status}', { status: send.data.status })}</output>}
      {send.error && (
        <span role="alert" className={base.message}>
          {failureSentence(send.error)}
        </span>
      )}
    </>
  );
}

/** A body that this page can't make: it sends JSON objects and nothing else. */
const isOdd = ({ method, request: { body } }: InspectedRequest) =>
  method !== 'GET' && body !== null && body !== '' && parsedBody(body) === undefined;
