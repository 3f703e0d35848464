import { i18n } from '@lingui/core';
import { SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import type { Connection } from '../../../../shared/connection.ts';
import { CopyText } from '../../../components/CopyText.tsx';
import classes from '../LocalServer.module.css';
import { type SnippetKind, snippetOf } from './snippets.ts';

const kinds: { value: SnippetKind; label: string }[] = [
  { value: 'curl', label: 'curl' },
  { value: 'matrix-js-sdk', label: 'matrix-js-sdk' },
  { value: 'element', label: 'Element' },
];

export function Snippets({ connection }: { connection: Connection }) {
  const [kind, setKind] = useState<SnippetKind>('curl');
  return (
    <>
      <div>
        <SegmentedControl
          aria-label={i18n.t('Which client')}
          value={kind}
          onChange={(value) => setKind(value as SnippetKind)}
          data={kinds}
        />
      </div>
      <CopyText
        block
        text={snippetOf(kind, connection)}
        label={i18n.t('The beginning with {client}', {
          client: kinds.find(({ value }) => value === kind)?.label ?? kind,
        })}
      />
      {kind === 'element' && (
        <p className={classes.dim}>
          {i18n.t(
            'The config.json of an Element of your own, served on this machine. One that comes over https may be held back by its browser from a server without encryption.',
          )}
        </p>
      )}
    </>
  );
}
