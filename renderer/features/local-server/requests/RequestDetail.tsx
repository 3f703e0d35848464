import { i18n } from '@lingui/core';
import { ActionIcon, Button, Popover } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCopy, IconRepeat, IconX } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { InspectedRequest } from '../../../../shared/workbench/inspector.ts';
import { byteSize } from '../../../components/byte-size.ts';
import { CopyText } from '../../../components/CopyText.tsx';
import { failureSentence } from '../../../components/FailureMessage.tsx';
import { HazardText } from '../../../components/HazardText.tsx';
import { JsonViewer } from '../../../components/json/JsonViewer.tsx';
import { useCommands, useConsole } from '../../../console-context.ts';
import { sendAgain } from '../../../transport/send-again.ts';
import { number } from '../../../words/format.ts';
import { useBench } from '../bench.ts';
import { clockWithSeconds } from '../clock.ts';
import base from '../LocalServer.module.css';
import { asCurl, isWhole } from './curl.ts';
import classes from './Requests.module.css';
import { Statements } from './Statements.tsx';

type Props = { request: InspectedRequest; onSendAgain: () => void; onClose: () => void };

/** One request with its reply, whole: everything in it is text, whoever sent it. */
export function RequestDetail({ request, onSendAgain, onClose }: Props) {
  const { connection } = useBench();
  const clipboard = useClipboard({ timeout: 1500 });
  const curl = asCurl(connection.baseUrl, request);
  const copyCurl = () => curl !== undefined && clipboard.copy(curl);
  useCommands([
    {
      id: 'close request',
      label: i18n.t('Close the request'),
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
        <ActionIcon onClick={onClose} aria-label={i18n.t('Close the request')}>
          <IconX size={15} />
        </ActionIcon>
      </div>
      <dl className={base.facts}>
        <dt>{i18n.t('Status')}</dt>
        <dd className={classes.status} data-class={Math.floor(reply.status / 100)}>
          {reply.status}
        </dd>
        <dt>{i18n.t('When')}</dt>
        <dd>{clockWithSeconds(received_ts)}</dd>
        <dt>{i18n.t('Took')}</dt>
        <dd>{i18n.t('{ms} ms', { ms: number(Math.round(ms * 100) / 100) })}</dd>
        <dt>{i18n.t('Database')}</dt>
        <dd>
          {i18n.t(
            '{count, plural, =0 {asked nothing} one {# statement, {ms} ms} other {# statements, {ms} ms}}',
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
          <Button
            variant="default"
            leftSection={<IconCopy size={14} stroke={1.7} aria-hidden />}
            onClick={copyCurl}
          >
            {clipboard.copied ? i18n.t('Copied') : i18n.t('Copy as curl')}
          </Button>
        )}
        <SendAgain request={request} onSend={onSendAgain} />
      </div>
      {curl?.includes('$TOKEN') && (
        <p className={base.dim}>
          {i18n.t('The command has $TOKEN where the access token was: set it in your shell first.')}
        </p>
      )}
      <Message title={i18n.t('Request')} {...request.request} />
      <Message title={i18n.t('Reply')} {...reply} />
    </article>
  );
}

type MessageProps = { title: string } & InspectedRequest['request'];

function Message({ title, headers, body, size, cut }: MessageProps) {
  return (
    <>
      <h3 className={classes.subheading}>{title}</h3>
      <table
        className={classes.headers}
        dir="ltr"
        aria-label={i18n.t('Headers of the {part}', { part: title })}
      >
        <tbody>
          {headers.map(([name, value], index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a header can come twice, and the list never changes
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
          {cut
            ? i18n.t('The beginning; the whole body is {size}.', { size: byteSize(size) })
            : byteSize(size)}
        </p>
      )}
    </>
  );
}

function Body({ title, body, cut }: { title: string; body: string; cut: boolean }) {
  // The list goes on while one reads: what is open in it stays open.
  const json = useMemo(() => (cut ? undefined : parsed(body)), [cut, body]);
  const label = i18n.t('Body of the {part}', { part: title });
  if (json === undefined) return <CopyText block text={body} label={label} />;
  return (
    <div>
      <JsonViewer value={json} label={label} />
    </div>
  );
}

function parsed(body: string): object | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

const methods = ['GET', 'POST', 'PUT', 'DELETE'] as const;

/** Makes the request once more, with the session of whoever is signed in here. What comes is in the list. */
function SendAgain({ request, onSend }: { request: InspectedRequest; onSend: () => void }) {
  const { connection } = useBench();
  const { host } = useConsole();
  const method = methods.find((each) => each === request.method);
  const [asking, setAsking] = useState(false);
  const send = useMutation({
    onMutate: onSend,
    mutationFn: () => {
      const body = request.request.body ? parsed(request.request.body) : undefined;
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
        {i18n.t('It can not be sent again from here: parts of it were struck out, cut, or are no JSON.')}
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
            title={i18n.t('As {userId}, whatever session it had', { userId: connection.userId })}
          >
            {isAsked ? i18n.t('Send again…') : i18n.t('Send again')}
          </Button>
        </Popover.Target>
        <Popover.Dropdown aria-label={i18n.t('Send again')}>
          <p className={classes.ask}>
            {request.user_id === null
              ? i18n.t(
                  'It came without a valid session, and is sent with yours: with all your rights as {userId}.',
                  {
                    userId: connection.userId,
                  },
                )
              : i18n.t(
                  '{first} sent it, and it is sent with your session: with all your rights as {userId}.',
                  {
                    first: request.user_id,
                    userId: connection.userId,
                  },
                )}
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
            {i18n.t('Send it as {userId}', { userId: connection.userId })}
          </Button>
        </Popover.Dropdown>
      </Popover>
      {send.data && <output>{i18n.t('Answered with {status}', { status: send.data.status })}</output>}
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
  method !== 'GET' && body !== null && body !== '' && parsed(body) === undefined;
