import { i18n } from '@lingui/core';
import { ActionIcon } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCopy, IconX } from '@tabler/icons-react';
import { useMemo } from 'react';
import type { InspectedRequest } from '../../../../shared/workbench/inspector.ts';
import { ButtonWithIcon } from '../../../components/ButtonWithIcon.tsx';
import { CopyText } from '../../../components/CopyText.tsx';
import { HazardText } from '../../../components/HazardText.tsx';
import { JsonViewer } from '../../../components/json/JsonViewer.tsx';
import { useCommands } from '../../../console-context.ts';
import { byteSize, clockWithSeconds, number } from '../../../words/format.ts';
import base from '../LocalServer.module.css';
import { useWorkbench } from '../workbench-context.ts';
import { bodyFile, curlCommand, parseBody } from './curl.ts';
import classes from './Requests.module.css';
import { ResendButton } from './ResendButton.tsx';

type Props = { request: InspectedRequest; onResend: () => void; onClose: () => void };

export function RequestDetail({ request, onResend, onClose }: Props) {
  const { connection } = useWorkbench();
  const clipboard = useClipboard({ timeout: 1500 });
  const curl = curlCommand(connection.baseUrl, request);
  const copyCurl = () => curl !== undefined && clipboard.copy(curl);
  useCommands([
    {
      id: 'close request',
      label: i18n.t('Close request'),
      group: i18n.t('Requests'),
      keys: ['Escape'],
      icon: <IconX size={17} stroke={1.6} />,
      run: onClose,
    },
    ...(curl === undefined
      ? []
      : [
          {
            id: 'copy as curl',
            label: i18n.t('Copy as curl'),
            group: i18n.t('Requests'),
            keys: ['c'],
            icon: <IconCopy size={17} stroke={1.6} />,
            run: copyCurl,
          },
        ]),
  ]);
  const { method, path, reply, received_ts, ms, user_id, database } = request;
  return (
    <article className={classes.detail}>
      <div className={classes.detailHead}>
        <h2 className={classes.detailTitle} dir="ltr">
          <HazardText text={`${method} ${path}`} />
        </h2>
        <ActionIcon onClick={onClose} aria-label={i18n.t('Close request')}>
          <IconX size={15} />
        </ActionIcon>
      </div>
      <dl className={base.facts}>
        <dt>{i18n.t('Status')}</dt>
        <dd className={classes.status} data-class={Math.floor(reply.status / 100)}>
          {reply.status}
        </dd>
        <dt>{i18n.t('Time')}</dt>
        <dd>{clockWithSeconds(received_ts)}</dd>
        <dt>{i18n.t('Duration')}</dt>
        <dd>{i18n.t('{ms} ms', { ms: number(Math.round(ms * 100) / 100) })}</dd>
        <dt>{i18n.t('Database')}</dt>
        <dd>
          {i18n.t(
            '{count, plural, =0 {No statements} one {# statement, {ms} ms} other {# statements, {ms} ms}}',
            {
              count: database.statements,
              ms: number(Math.round(database.ms * 100) / 100),
            },
          )}
          <Statements {...database} />
        </dd>
        <dt>{i18n.t('User')}</dt>
        <dd>{user_id === null ? '–' : <HazardText text={user_id} />}</dd>
      </dl>
      <div className={base.buttons}>
        {curl !== undefined && (
          <ButtonWithIcon variant="default" icon={IconCopy} onClick={copyCurl}>
            {clipboard.copied ? i18n.t('Copied') : i18n.t('Copy as curl')}
          </ButtonWithIcon>
        )}
        <ResendButton request={request} onResend={onResend} />
      </div>
      {curl?.includes('$TOKEN') && (
        <p className={base.dim}>{i18n.t('Set $TOKEN to an access token first.')}</p>
      )}
      {curl !== undefined && request.request.cut && (
        <p className={base.dim}>
          {i18n.t('Body truncated. The command reads it from {bodyFile}.', {
            bodyFile,
          })}
        </p>
      )}
      <Message title={i18n.t('Request')} {...request.request} />
      <Message title={i18n.t('Response')} {...reply} />
    </article>
  );
}

type MessageProps = { title: string } & InspectedRequest['request'];

function Message({ title, headers, body, size, cut }: MessageProps) {
  return (
    <>
      <h3 className={classes.subheading}>{title}</h3>
      <table className={classes.headers} dir="ltr" aria-label={i18n.t('{part} headers', { part: title })}>
        <tbody>
          {headers.map(([name, value], index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: header names repeat, and the list never changes
            <tr key={index}>
              <th scope="row">
                <HazardText text={name} />
              </th>
              <td>
                <HazardText text={value} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {body !== null && body !== '' && <Body title={title} body={body} cut={cut} />}
      {(size > 0 || cut) && (
        <p className={base.dim}>
          {cut ? i18n.t('Truncated. Full body: {size}.', { size: byteSize(size) }) : byteSize(size)}
        </p>
      )}
    </>
  );
}

function Body({ title, body, cut }: { title: string; body: string; cut: boolean }) {
  // Stable across renders, so that expanded nodes stay open.
  const json = useMemo(() => (cut ? undefined : parseBody(body)), [cut, body]);
  const label = i18n.t('{part} body', { part: title });
  if (json === undefined) return <CopyText block text={body} label={label} />;
  return (
    <div>
      <JsonViewer value={json} label={label} />
    </div>
  );
}

/** The database statements, slowest first. */
function Statements({ statements, asked }: InspectedRequest['database']) {
  if (asked.length === 0) return null;
  const omittedCount = statements - asked.reduce((sum, { times }) => sum + times, 0);
  return (
    <details className={classes.statements}>
      <summary>{i18n.t('Statements (values omitted)')}</summary>
      <ol className={classes.statementList}>
        {asked.map(({ sql, times, ms }) => (
          <li key={sql} className={classes.statement}>
            <span className={classes.statementFigures}>
              {i18n.t('{shown}×, {ms} ms', {
                shown: number(times),
                ms: number(Math.round(ms * 100) / 100),
              })}
            </span>
            <code className={classes.sql} dir="ltr">
              {sql}
            </code>
          </li>
        ))}
      </ol>
      {omittedCount > 0 && (
        <p className={classes.statementFigures}>
          {i18n.t('And {shown} faster ones.', { shown: number(omittedCount) })}
        </p>
      )}
    </details>
  );
}
