import { i18n } from '@lingui/core';
import { useMemo } from 'react';
import { VisibleText } from '../../../components/HazardText.tsx';
import classes from './Configuration.module.css';
import { type DiffLine, lineDiff } from './line-diff.ts';
import { hideSecrets } from './secret-values.ts';

const signs: Record<DiffLine['kind'], string> = {
  same: '',
  gone: /*i18n*/ '− removed',
  new: /*i18n*/ '+ added',
};

/** What goes and what is new, line by line; in words as well as in colour. */
export function Changes({ before, after }: { before: string; after: string }) {
  const lines = useMemo(() => {
    const [hiddenBefore, hiddenAfter] = [before, after].map((text) => hideSecrets(text).split('\n'));
    return lineDiff(before, after).map(({ kind, text, line }) => {
      const hidden = kind === 'gone' ? hiddenBefore : hiddenAfter;
      return { kind, line, text: hidden?.[line - 1] ?? text };
    });
  }, [before, after]);
  return (
    <table className={classes.diff} dir="ltr" aria-label={i18n.t('Changes')}>
      <tbody>
        {lines.map(({ kind, text, line }) => (
          <tr key={`${kind} ${line}`} data-kind={kind}>
            <th scope="row">{line}</th>
            <td className={classes.sign}>{signs[kind] && i18n.t(signs[kind])}</td>
            <td>
              <pre>
                <VisibleText text={text.replace(/\r$/, '')} />
              </pre>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
