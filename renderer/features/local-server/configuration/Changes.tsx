import { Chunk } from '@codemirror/merge';
import { Text } from '@codemirror/state';
import { i18n } from '@lingui/core';
import { useMemo } from 'react';
import { VisibleText } from '../../../components/HazardText.tsx';
import classes from './Configuration.module.css';
import { hideSecrets } from './secret-values.ts';

export type DiffLine = { kind: 'same' | 'removed' | 'added'; text: string; line: number };

const contextLines = 3;

/** Ends each line with a line feed, also the last, so that appending isn't a change to it. */
const linesOf = (text: string) => Text.of(text === '' ? [''] : [...text.split('\n'), '']);

/**
 * Returns changed lines with some context. `line` counts from 1, in the old text for removed lines and in the new one
 * for all others.
 */
export function lineDiff(before: string, after: string): DiffLine[] {
  const [a, b] = [linesOf(before), linesOf(after)];
  const lines: DiffLine[] = [];
  let lastLine = 0;
  const addContext = (from: number, to: number) => {
    for (let line = Math.max(from, lastLine + 1, 1); line <= Math.min(to, b.lines - 1); line++) {
      lines.push({ kind: 'same', text: b.line(line).text, line });
      lastLine = line;
    }
  };
  for (const chunk of Chunk.build(a, b)) {
    const first = chunk.fromB > b.length ? b.lines + 1 : b.lineAt(chunk.fromB).number;
    addContext(first - contextLines, first - 1);
    for (let at = chunk.fromA; at < Math.min(chunk.toA, a.length); at = a.lineAt(at).to + 1) {
      const { number, text } = a.lineAt(at);
      lines.push({ kind: 'removed', text, line: number });
    }
    for (let at = chunk.fromB; at < Math.min(chunk.toB, b.length); at = b.lineAt(at).to + 1) {
      const { number, text } = b.lineAt(at);
      lines.push({ kind: 'added', text, line: number });
      lastLine = number;
    }
    const after = chunk.toB > b.length ? b.lines + 1 : b.lineAt(chunk.toB).number;
    addContext(after, after + contextLines - 1);
  }
  return lines;
}

const kindLabels: Record<DiffLine['kind'], string> = {
  same: '',
  removed: /*i18n*/ '− removed',
  added: /*i18n*/ '+ added',
};

/** A diff with secrets hidden. */
export function Changes({ before, after }: { before: string; after: string }) {
  const lines = useMemo(() => {
    const [maskedBefore, maskedAfter] = [before, after].map((text) => hideSecrets(text).split('\n'));
    return lineDiff(before, after).map(({ kind, text, line }) => {
      const masked = kind === 'removed' ? maskedBefore : maskedAfter;
      return { kind, line, text: masked?.[line - 1] ?? text };
    });
  }, [before, after]);
  return (
    <table className={classes.diff} dir="ltr" aria-label={i18n.t('Changes')}>
      <tbody>
        {lines.map(({ kind, text, line }) => (
          <tr key={`${kind} ${line}`} data-kind={kind}>
            <th scope="row">{line}</th>
            <td className={classes.sign}>{kindLabels[kind] && i18n.t(kindLabels[kind])}</td>
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
