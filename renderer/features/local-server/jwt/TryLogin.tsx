import { i18n } from '@lingui/core';
import { IconLogin2 } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { dialects } from '../../../../shared/dialect.ts';
import { ButtonWithIcon } from '../../../components/ButtonWithIcon.tsx';
import { CopyText } from '../../../components/CopyText.tsx';
import { FailureNote } from '../../../components/LoadStates.tsx';
import { useConsole } from '../../../console-context.ts';
import classes from '../LocalServer.module.css';
import { useWorkbench } from '../workbench-context.ts';
import jwtClasses from './Jwt.module.css';

/** Logs in with the token as a client would. */
export function TryLogin({ token }: { token: string }) {
  const { host } = useConsole();
  const { connection } = useWorkbench();
  const login = useMutation({ mutationFn: () => host.tryLogin(connection.id, token), gcTime: 0 });
  const { chat, jwtLoginType } = dialects[connection.dialect];
  const request = `POST ${connection.baseUrl}${chat}/client/v3/login\nContent-Type: application/json\n\n${JSON.stringify(
    { type: jwtLoginType, token },
    null,
    2,
  )}`;
  return (
    <>
      <div>
        <ButtonWithIcon icon={IconLogin2} onClick={() => login.mutate()} loading={login.isPending}>
          {i18n.t('Log in with token')}
        </ButtonWithIcon>
      </div>
      <FailureNote className={classes.message} error={login.error} />
      {login.data && (
        <>
          <p role="status" className={jwtClasses.verdict} data-accepted={login.data.status === 200}>
            {login.data.status === 200
              ? i18n.t('Logged in')
              : i18n.t('Rejected with status {status}', { status: login.data.status })}
          </p>
          <h3 className={jwtClasses.subheading}>{i18n.t('Request')}</h3>
          <CopyText block text={request} label={i18n.t('Request')} />
          <h3 className={jwtClasses.subheading}>{i18n.t('Response')}</h3>
          <CopyText
            block
            text={`HTTP ${login.data.status}\n\n${JSON.stringify(login.data.body, null, 2)}`}
            label={i18n.t('Response')}
          />
        </>
      )}
    </>
  );
}
