import { i18n } from '@lingui/core';
import { Button, Popover } from '@mantine/core';
import { IconRepeat } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { InspectedRequest } from '../../../../shared/workbench/inspector.ts';
import { ButtonWithIcon } from '../../../components/ButtonWithIcon.tsx';
import { HazardText } from '../../../components/HazardText.tsx';
import { useConsole } from '../../../console-context.ts';
import { failureSentence } from '../../../transport/refusal.ts';
import base from '../LocalServer.module.css';
import { useWorkbench } from '../workbench-context.ts';
import { isComplete, parseBody } from './curl.ts';
import classes from './Requests.module.css';

const methods = ['GET', 'POST', 'PUT', 'DELETE'] as const;

/** Resends the request with the session of the signed-in admin. The new request appears in the list. */
export function ResendButton({ request, onResend }: { request: InspectedRequest; onResend: () => void }) {
  const { connection } = useWorkbench();
  const { host } = useConsole();
  const method = methods.find((name) => name === request.method);
  const [isConfirming, setConfirming] = useState(false);
  const send = useMutation({
    onMutate: onResend,
    mutationFn: () => {
      const body = request.request.body ? parseBody(request.request.body) : undefined;
      return host.sendAgain(connection.id, {
        method: method ?? 'GET',
        path: request.path,
        ...(method !== 'GET' && body !== undefined && { body }),
      });
    },
  });
  if (method === undefined) return null;
  if (!isComplete(request) || isOtherBody(request)) {
    return (
      <span className={base.dim}>
        {i18n.t("Can't be resent: parts were redacted, truncated or aren't JSON.")}
      </span>
    );
  }
  // The original sender may have lacked the rights, and hopes that an admin resends it.
  const needsConfirmation = method !== 'GET' && request.user_id !== connection.userId;
  return (
    <>
      <Popover
        opened={isConfirming}
        onChange={setConfirming}
        position="bottom-start"
        width={320}
        shadow="md"
        trapFocus
      >
        <Popover.Target>
          <ButtonWithIcon
            variant="default"
            icon={IconRepeat}
            onClick={() => (needsConfirmation ? setConfirming(true) : send.mutate())}
            loading={send.isPending}
            title={i18n.t('Resends as {userId}, regardless of session', { userId: connection.userId })}
          >
            {needsConfirmation ? i18n.t('Resend…') : i18n.t('Resend')}
          </ButtonWithIcon>
        </Popover.Target>
        <Popover.Dropdown aria-label={i18n.t('Resend')}>
          <p className={classes.confirmText}>
            {request.user_id === null
              ? i18n.t('No valid session. Resends with your session and rights as {userId}.', {
                  userId: connection.userId,
                })
              : i18n.t('Sent by {first}. Resends with your session and rights as {userId}.', {
                  first: request.user_id,
                  userId: connection.userId,
                })}
          </p>
          <p className={classes.confirmText}>
            <code>
              <HazardText text={`${request.method} ${request.path}`} />
            </code>
          </p>
          <Button
            onClick={() => {
              setConfirming(false);
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

/** True for bodies other than JSON, which the console can't send. */
const isOtherBody = ({ method, request: { body } }: InspectedRequest) =>
  method !== 'GET' && body !== null && body !== '' && parseBody(body) === undefined;
