import { i18n } from '@lingui/core';
import { Button, NativeSelect, SegmentedControl, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type JwtSettings, jwtAlgorithms, makeJwtKeys } from '../../../../shared/workbench/jwt.ts';
import { workbenchPaths } from '../../../../shared/workbench/paths.ts';
import { CopyText } from '../../../components/CopyText.tsx';
import { failureSentence } from '../../../transport/refusal.ts';
import { useBench } from '../bench.ts';
import classes from '../LocalServer.module.css';
import own from './Jwt.module.css';

/** What tokens are signed with: the configured secret, or a key that stands here. */
export type SigningKey = { kind: 'configured' | 'made' | 'pasted'; algorithm: string; key: string };

type Props = { settings: JwtSettings; value: SigningKey; onChange: (value: SigningKey) => void };

export function KeyChoice({ settings, value, onChange }: Props) {
  const { send } = useBench();
  const make = useMutation({
    mutationFn: (algorithm: string) =>
      send('POST', makeJwtKeys.response[200], workbenchPaths.jwtKeys, { algorithm }),
    onSuccess: ({ secret, private_key }, algorithm) =>
      onChange({ kind: 'made', algorithm, key: secret ?? private_key ?? '' }),
    gcTime: 0,
  });
  const kinds = [
    ...(settings.can_sign ? [{ value: 'configured', label: i18n.t('Configured') }] : []),
    { value: 'made', label: i18n.t('Generated') },
    { value: 'pasted', label: i18n.t('Pasted') },
  ];
  const made = value.kind === 'made' ? make.data : undefined;
  const verifying = made?.secret ?? made?.public_key;

  return (
    <>
      <div className={classes.fields}>
        <NativeSelect
          size="xs"
          label={i18n.t('Algorithm')}
          value={value.algorithm}
          onChange={(event) => {
            const algorithm = event.currentTarget.value;
            // A key that was made for another algorithm signs nothing with this one.
            onChange({ ...value, algorithm, ...(value.kind === 'made' && { key: '' }) });
            make.reset();
          }}
          data={[...jwtAlgorithms, { value: 'none', label: i18n.t('none (unsigned)') }]}
        />
        <SegmentedControl
          className={own.kinds ?? ''}
          aria-label={i18n.t('Key source')}
          value={value.kind}
          onChange={(kind) => onChange({ ...value, kind: kind as SigningKey['kind'], key: '' })}
          data={kinds}
        />
      </div>
      {value.kind === 'configured' && settings.algorithm !== value.algorithm && (
        <p className={classes.dim}>
          {i18n.t('The server accepts only {algorithm} and rejects this.', {
            algorithm: settings.algorithm ?? '–',
          })}
        </p>
      )}
      {value.kind === 'made' && value.algorithm !== 'none' && (
        <div>
          <Button variant="default" onClick={() => make.mutate(value.algorithm)} loading={make.isPending}>
            {i18n.t('Generate key')}
          </Button>
        </div>
      )}
      {make.error && (
        <p className={classes.message} role="alert">
          {failureSentence(make.error)}
        </p>
      )}
      {verifying !== undefined && (
        <>
          <p className={classes.dim}>{i18n.t('Set this secret in jwt_config:')}</p>
          <CopyText block text={verifying} label={i18n.t('Configuration key')} />
          {made?.private_key !== undefined && (
            <>
              <p className={classes.dim}>{i18n.t('Private key for signing:')}</p>
              <CopyText block text={made.private_key} label={i18n.t('Private key')} />
            </>
          )}
        </>
      )}
      {value.kind === 'pasted' && (
        <Textarea
          className={own.area ?? ''}
          label={i18n.t('Secret or private key (PEM)')}
          autosize
          minRows={2}
          maxRows={10}
          value={value.key}
          onChange={(event) => onChange({ ...value, key: event.currentTarget.value })}
          autoComplete="off"
          spellCheck={false}
        />
      )}
    </>
  );
}
