import { i18n } from '@lingui/core';
import { Button, NativeSelect, SegmentedControl, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { generateJwtKeys, type JwtSettings, jwtAlgorithms } from '../../../../shared/workbench/jwt.ts';
import { workbenchPaths } from '../../../../shared/workbench/paths.ts';
import { CopyText } from '../../../components/CopyText.tsx';
import { FailureNote } from '../../../components/LoadStates.tsx';
import classes from '../LocalServer.module.css';
import { useWorkbench } from '../workbench-context.ts';
import jwtClasses from './Jwt.module.css';

/** The key to sign tokens with. `key` is empty for the configured one. */
export type SigningKey = { kind: 'configured' | 'generated' | 'pasted'; algorithm: string; key: string };

type Props = { settings: JwtSettings; value: SigningKey; onChange: (value: SigningKey) => void };

export function KeySource({ settings, value, onChange }: Props) {
  const { send } = useWorkbench();
  const generate = useMutation({
    mutationFn: (algorithm: string) =>
      send('POST', generateJwtKeys.response[200], workbenchPaths.jwtKeys, { algorithm }),
    onSuccess: ({ secret, private_key }, algorithm) =>
      onChange({ kind: 'generated', algorithm, key: secret ?? private_key ?? '' }),
    gcTime: 0,
  });
  const kinds = [
    ...(settings.can_sign ? [{ value: 'configured', label: i18n.t('Configured') }] : []),
    { value: 'generated', label: i18n.t('Generated') },
    { value: 'pasted', label: i18n.t('Pasted') },
  ];
  const generated = value.kind === 'generated' ? generate.data : undefined;
  const verificationKey = generated?.secret ?? generated?.public_key;

  return (
    <>
      <div className={classes.fields}>
        <NativeSelect
          size="xs"
          label={i18n.t('Algorithm')}
          value={value.algorithm}
          onChange={(event) => {
            const algorithm = event.currentTarget.value;
            // A key generated for another algorithm doesn't fit.
            onChange({ ...value, algorithm, ...(value.kind === 'generated' && { key: '' }) });
            generate.reset();
          }}
          data={[...jwtAlgorithms, { value: 'none', label: i18n.t('none (unsigned)') }]}
        />
        <SegmentedControl
          className={jwtClasses.kinds ?? ''}
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
      {value.kind === 'generated' && value.algorithm !== 'none' && (
        <div>
          <Button
            variant="default"
            onClick={() => generate.mutate(value.algorithm)}
            loading={generate.isPending}
          >
            {i18n.t('Generate key')}
          </Button>
        </div>
      )}
      <FailureNote className={classes.message} error={generate.error} />
      {verificationKey !== undefined && (
        <>
          <p className={classes.dim}>{i18n.t('Set this secret in jwt_config:')}</p>
          <CopyText block text={verificationKey} label={i18n.t('Configuration key')} />
          {generated?.private_key !== undefined && (
            <>
              <p className={classes.dim}>{i18n.t('Private key for signing:')}</p>
              <CopyText block text={generated.private_key} label={i18n.t('Private key')} />
            </>
          )}
        </>
      )}
      {value.kind === 'pasted' && (
        <Textarea
          className={jwtClasses.area ?? ''}
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
