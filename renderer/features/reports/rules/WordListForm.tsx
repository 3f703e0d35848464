import { i18n } from '@lingui/core';
import { Textarea } from '@mantine/core';
import { useState } from 'react';
import { maxDocumentChars } from '../../../../shared/team/entries.ts';
import {
  domainOf,
  fileHashOf,
  linesOf,
  maxWordLength,
  maxWords,
  type WordList,
} from '../../../../shared/team/word-lists.ts';
import { ConfirmForm } from '../../../components/ConfirmForm.tsx';
import { ellipsize } from '../../../words/clip.ts';
import { number } from '../../../words/format.ts';
import { type DocumentForm, NameField, useProblems } from '../DocumentEditor.tsx';

export const emptyWordList: WordList = { name: '', words: [], domains: [] };

/** Edits a word list. */
export function WordListForm({ document: list, label, onSave, onCancel }: DocumentForm<WordList>) {
  const [name, setName] = useState(list.name);
  const [words, setWords] = useState(list.words.join('\n'));
  const [domains, setDomains] = useState(list.domains.join('\n'));
  const [files, setFiles] = useState((list.files ?? []).join('\n'));
  const wordLines = linesOf(words);
  const domainLines = linesOf(domains);
  const fileLines = linesOf(files);
  const content: WordList = {
    name: name.trim(),
    words: wordLines,
    domains: [...new Set(domainLines.flatMap((line) => domainOf(line) ?? []))],
    files: [...new Set(fileLines.flatMap((line) => fileHashOf(line) ?? []))],
  };
  const invalid = domainLines.find((line) => domainOf(line) === undefined);
  const noHash = fileLines.find((line) => fileHashOf(line) === undefined);
  const long = wordLines.find((line) => line.length > maxWordLength);
  // Some room for escapes.
  const isTooLarge = JSON.stringify(content).length > maxDocumentChars - 1000;
  const isEmpty =
    wordLines.length === 0 && domainLines.length === 0 && fileLines.length === 0 && list.files === undefined;
  const { problem, ifValid } = useProblems({
    name: content.name === '' ? i18n.t('Required') : '',
    words:
      countProblem(wordLines) ||
      (long && i18n.t('Too long: {word}', { word: ellipsize(long, 60) })) ||
      (isTooLarge && i18n.t('The list is too large. Split it into several lists.')) ||
      (isEmpty && i18n.t('Enter words, domains or files.')) ||
      '',
    domains:
      (invalid && i18n.t('Not a domain: {word}', { word: ellipsize(invalid, 60) })) ||
      countProblem(domainLines),
    files:
      (noHash && i18n.t('Not a SHA-256: {word}', { word: ellipsize(noHash, 70) })) || countProblem(fileLines),
  });
  return (
    <ConfirmForm label={label} multiline onSubmit={ifValid(() => onSave(content))} onCancel={onCancel}>
      <NameField error={problem('name')} value={name} onChange={setName} />
      <Textarea
        label={i18n.t('Words')}
        description={i18n.t('One word or phrase per line. Found as a whole, in upper or lower case.')}
        autosize
        minRows={5}
        maxRows={14}
        error={problem('words')}
        value={words}
        onChange={(event) => setWords(event.currentTarget.value)}
      />
      <Textarea
        label={i18n.t('Link domains')}
        description={i18n.t('One per line, such as example.org. Includes subdomains.')}
        autosize
        minRows={3}
        maxRows={10}
        error={problem('domains')}
        value={domains}
        onChange={(event) => setDomains(event.currentTarget.value)}
      />
      <Textarea
        label={i18n.t('Files')}
        description={i18n.t(
          'SHA-256 in hexadecimal digits, one per line. Or choose Add file to list on a file.',
        )}
        autosize
        minRows={2}
        maxRows={10}
        error={problem('files')}
        value={files}
        onChange={(event) => setFiles(event.currentTarget.value)}
      />
    </ConfirmForm>
  );
}

const countProblem = (lines: readonly string[]) =>
  lines.length > maxWords ? i18n.t('Enter up to {most} lines.', { most: number(maxWords) }) : '';
