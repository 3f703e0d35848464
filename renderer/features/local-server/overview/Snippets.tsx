import { i18n } from '@lingui/core';
import { SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { DialectName } from '../../../../shared/dialect.ts';
import { CopyText } from '../../../components/CopyText.tsx';
import { Loaded } from '../../../subjects/Loaded.tsx';
import { useBench } from '../bench.ts';
import classes from '../LocalServer.module.css';
import { answeredDialectsQuery } from './answered-dialects.ts';
import { type SnippetKind, snippetOf } from './snippets.ts';

const kinds: { value: SnippetKind; label: string }[] = [
  { value: 'curl', label: 'curl' },
  { value: 'matrix-js-sdk', label: 'matrix-js-sdk' },
  { value: 'element', label: 'Element' },
];

export function Snippets() {
  const [kind, setKind] = useState<SnippetKind>('curl');
  return (
    <>
      <div>
        <SegmentedControl
          aria-label={i18n.t('Client')}
          value={kind}
          onChange={(value) => setKind(value as SnippetKind)}
          data={kinds}
        />
      </div>
      <Loaded
        query={useQuery(answeredDialectsQuery(useBench()))}
        loading={i18n.t('Loading addresses…')}
        lines={4}
        gone={i18n.t('Not supported by this server.')}
      >
        {({ dialects }) => <Snippet kind={kind} answered={dialects} />}
      </Loaded>
    </>
  );
}

function Snippet({ kind, answered }: { kind: SnippetKind; answered: readonly DialectName[] }) {
  const text = snippetOf(kind, useBench().connection, answered);
  const client = kinds.find(({ value }) => value === kind)?.label ?? kind;
  if (text === undefined) {
    return (
      <p>
        {i18n.t(
          '{client} needs /_matrix paths. Set api_dialects: [vendor, matrix] in the server configuration.',
          { client },
        )}
      </p>
    );
  }
  return (
    <>
      <CopyText block text={text} label={i18n.t('{client} example', { client })} />
      {kind === 'element' && (
        <p className={classes.dim}>
          {i18n.t(
            'config.json for an Element on this computer. An https Element may not reach an unencrypted server.',
          )}
        </p>
      )}
    </>
  );
}
