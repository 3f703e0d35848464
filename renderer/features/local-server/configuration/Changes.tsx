import { Chunk } from '@codemirror/merge';
import { Text } from '@codemirror/state';
import { i18n } from '@lingui/core';
import { useMemo } from 'react';
import { VisibleText } from '../../../components/HazardText.tsx';
import classes from './Configuration.module.css';
import { hideSecrets } from './secret-values.ts';

// What differs between two texts, line by line. Loaded when changes are looked at.

export type DiffLine = { kind: 'same' | 'gone' | 'new'; text: string; line: number };

/** Around a change, so many lines that stayed are shown. */
const around = 3;

/** A text without anything in it has no line either. */
const linesOf = (text: string) => Text.of(text === '' ? [''] : [...text.split('\n'), '']);

/**
 * The lines that change, each with a few that stay around it, in the order in which one reads them. `line` counts
 * from 1, in the old text for those that go and in the new one for the others.
 */
export function lineDiff(before: string, after: string): DiffLine[] {
  // Each line has its end, also the last: what comes after it is no change of it.
  const [a, b] = [linesOf(before), linesOf(after)];
  const lines: DiffLine[] = [];
  let shown = 0;
  const same = (from: number, to: number) => {
    for (let line = Math.max(from, shown + 1, 1); line <= Math.min(to, b.lines - 1); line++) {
      lines.push({ kind: 'same', text: b.line(line).text, line });
      shown = line;
    }
  };
  for (const chunk of Chunk.build(a, b)) {
    const first = chunk.fromB > b.length ? b.lines + 1 : b.lineAt(chunk.fromB).number;
    same(first - around, first - 1);
    for (let at = chunk.fromA; at < Math.min(chunk.toA, a.length); at = a.lineAt(at).to + 1) {
      const { number, text } = a.lineAt(at);
      lines.push({ kind: 'gone', text, line: number });
    }
    for (let at = chunk.fromB; at < Math.min(chunk.toB, b.length); at = b.lineAt(at).to + 1) {
      const { number, text } = b.lineAt(at);
      lines.push({ kind: 'new', text, line: number });
      shown = number;
    }
    const after = chunk.toB > b.length ? b.lines + 1 : b.lineAt(chunk.toB).number;
    same(after, after + around - 1);
  }
  return lines;
}

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
