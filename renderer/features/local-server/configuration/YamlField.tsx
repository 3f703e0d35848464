import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  completionKeymap,
  startCompletion,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import { HighlightStyle, indentUnit, syntaxHighlighting } from '@codemirror/language';
import { type Diagnostic, forceLinting, linter } from '@codemirror/lint';
import { EditorState, type Text } from '@codemirror/state';
import {
  Decoration,
  drawSelection,
  EditorView,
  highlightActiveLine,
  keymap,
  lineNumbers,
  placeholder,
} from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { i18n } from '@lingui/core';
import { useEffect, useEffectEvent, useRef } from 'react';
import type { JsonObject } from '../../../../shared/api/common.ts';
import type { ConfigurationProblem } from '../../../../shared/workbench/configuration.ts';
import classes from './Configuration.module.css';
import { childIndent, completionsAt, type Suggestion } from './completion.ts';
import { secretRanges } from './secret-values.ts';

type EditorOptions = {
  parent: HTMLElement;
  text: string;
  schema: JsonObject;
  /** For screen readers. */
  label: string;
  placeholder: string;
  /** CodeMirror's own strings, translated. */
  phrases: Record<string, string>;
  onChange: (text: string) => void;
  /** Called after a pause in typing; results for an older text are ignored. */
  check: (text: string) => Promise<readonly ConfigurationProblem[]>;
};

type YamlEditor = {
  /** Moves the cursor and the focus. */
  goTo(line: number, column: number): void;
  destroy(): void;
};

const debounceMs = 350;

function createYamlEditor(options: EditorOptions): YamlEditor {
  const { parent, text, schema, label, phrases, onChange, check } = options;
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(),
        placeholder(options.placeholder),
        history(),
        drawSelection(),
        highlightActiveLine(),
        yaml(),
        indentUnit.of('  '),
        syntaxHighlighting(colors),
        secretDecorations,
        autocompletion({ override: [(context) => completions(schema, context)], icons: false }),
        linter(async ({ state }) => diagnostics(state.doc, await check(state.doc.toString())), {
          delay: debounceMs,
        }),
        // No Tab binding: Tab leaves the editor like any field.
        keymap.of([
          ...completionKeymap,
          { key: 'Enter', run: insertIndentedLine },
          ...defaultKeymap,
          ...historyKeymap,
        ]),
        EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false' }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) onChange(update.state.doc.toString());
        }),
        EditorState.phrases.of(phrases),
        theme,
      ],
    }),
  });
  forceLinting(view);
  return {
    goTo(line, column) {
      const offset = offsetOf(view.state.doc, line, column);
      view.dispatch({
        selection: { anchor: offset },
        effects: EditorView.scrollIntoView(offset, { y: 'center' }),
      });
      view.focus();
    },
    destroy: () => view.destroy(),
  };
}

function offsetOf(doc: Text, line: number, column: number): number {
  const { from, to } = doc.line(Math.min(Math.max(1, line), doc.lines));
  return Math.min(to, from + column - 1);
}

function diagnostics(doc: Text, problems: readonly ConfigurationProblem[]): Diagnostic[] {
  return problems.map(({ line, column, severity, sentence }) => {
    const from = offsetOf(doc, line, column);
    return { from, to: doc.lineAt(from).to, severity, message: sentence };
  });
}

function completions(schema: JsonObject, context: CompletionContext): CompletionResult | null {
  const { state, pos, explicit } = context;
  const line = state.doc.lineAt(pos);
  const before = Array.from({ length: line.number - 1 }, (_, index) => state.doc.line(index + 1).text);
  const prefix = line.text.slice(0, pos - line.from);
  const { from, suggestions } = completionsAt(schema, before, prefix);
  // Opens only after a typed character, unless requested with Ctrl+Space.
  if (suggestions.length === 0 || (!explicit && from === prefix.length && !/:\s+$/.test(prefix))) return null;
  return {
    from: line.from + from,
    options: suggestions.map((suggestion) => ({
      label: suggestion.text,
      ...(suggestion.kind === 'setting' && { apply: applySetting(suggestion) }),
      ...(suggestion.default !== undefined && { detail: suggestion.default }),
      ...(suggestion.description !== undefined && { info: suggestion.description }),
    })),
    validFor: /^[\w-]*$/,
  };
}

/** Inserts a setting, then completes its value or the settings in its section. */
const applySetting =
  ({ text, isSection }: Suggestion) =>
  (view: EditorView, _completion: Completion, from: number, to: number) => {
    const before = view.state.doc.lineAt(from);
    const line = before.text.slice(0, from - before.from) + text;
    const insert = isSection ? `${text}\n${' '.repeat(childIndent(line) ?? 0)}` : `${text} `;
    view.dispatch({
      changes: { from, to, insert },
      selection: { anchor: from + insert.length },
      userEvent: 'input.complete',
    });
    startCompletion(view);
  };

/** Enter after the name of a section indents the next line. */
function insertIndentedLine(view: EditorView): boolean {
  const { doc, selection } = view.state;
  const { head, empty } = selection.main;
  const line = doc.lineAt(head);
  const indent = empty && head === line.to ? childIndent(line.text) : undefined;
  if (indent === undefined) return false;
  view.dispatch({
    ...view.state.replaceSelection(`\n${' '.repeat(indent)}`),
    scrollIntoView: true,
    userEvent: 'input',
  });
  return true;
}

const secretMark = Decoration.mark({ class: 'cm-secret' });
const secretDecorations = EditorView.decorations.compute(['doc'], ({ doc }) =>
  Decoration.set(secretRanges(doc.toString()).map(({ from, to }) => secretMark.range(from, to))),
);

const colors = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--gh-code-key)' },
  { tag: tags.string, color: 'var(--gh-code-string)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--gh-code-number)' },
  { tag: tags.comment, color: 'var(--gh-dim)' },
]);

const theme = EditorView.theme({
  '&': {
    height: '100%',
    fontSize: '0.8125rem',
    backgroundColor: 'var(--gh-surface)',
    color: 'var(--gh-text)',
  },
  '&.cm-focused': { outline: 'none' },
  // Not an outline: the gutter and the text would cover it.
  '&.cm-focused::after': {
    content: '""',
    position: 'absolute',
    inset: '0',
    zIndex: '300',
    border: '2px solid var(--gh-accent)',
    pointerEvents: 'none',
  },
  '.cm-scroller': { fontFamily: 'var(--mantine-font-family-monospace)', lineHeight: '1.5' },
  '.cm-gutters': {
    backgroundColor: 'var(--gh-sunken)',
    color: 'var(--gh-dim)',
    border: 'none',
  },
  '.cm-placeholder': { color: 'var(--gh-dim)' },
  // Secrets in the active line are visible.
  '.cm-secret': { '-webkit-text-security': 'disc' },
  '&.cm-focused .cm-activeLine .cm-secret': { '-webkit-text-security': 'none' },
  '.cm-activeLine': { backgroundColor: 'var(--gh-hover)' },
  '&.cm-focused .cm-cursor': { borderLeftColor: 'var(--gh-text)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'color-mix(in srgb, var(--gh-accent) 28%, transparent)',
  },
  '.cm-tooltip': {
    backgroundColor: 'var(--gh-raised)',
    color: 'var(--gh-text)',
    border: '1px solid var(--gh-line-strong)',
    borderRadius: 'var(--mantine-radius-sm)',
  },
  '.cm-tooltip-autocomplete > ul > li': { padding: '0.15rem 0.5rem' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    backgroundColor: 'var(--gh-selected)',
    color: 'var(--gh-text)',
  },
  '.cm-completionDetail': { color: 'var(--gh-dim)', fontStyle: 'normal' },
  '.cm-completionInfo': { maxWidth: '24rem', padding: '0.4rem 0.6rem' },
  '.cm-diagnostic-error': { borderLeftColor: 'var(--gh-danger)' },
  '.cm-diagnostic-warning': { borderLeftColor: 'var(--gh-warning)' },
});

type Props = {
  initial: string;
  schema: JsonObject;
  /** Moves the cursor each time the object changes. */
  cursor: { line: number; column: number } | undefined;
  onChange: (text: string) => void;
  check: (text: string) => Promise<readonly ConfigurationProblem[]>;
};

/** The homeserver.yaml editor. */
export default function YamlField({ initial, schema, cursor, onChange, check }: Props) {
  const parent = useRef<HTMLDivElement>(null);
  const editor = useRef<YamlEditor>(undefined);
  const changed = useEffectEvent(onChange);
  const checkLatest = useEffectEvent(check);

  useEffect(() => {
    if (!parent.current) return;
    const created = createYamlEditor({
      parent: parent.current,
      text: initial,
      schema,
      label: 'homeserver.yaml',
      placeholder: i18n.t('Settings, such as server_name: example.org. Ctrl+Space shows suggestions.'),
      phrases: { Completions: i18n.t('Suggestions'), Diagnostics: i18n.t('Problems') },
      onChange: changed,
      check: checkLatest,
    });
    editor.current = created;
    return () => created.destroy();
  }, [initial, schema]);

  useEffect(() => {
    if (cursor) editor.current?.goTo(cursor.line, cursor.column);
  }, [cursor]);

  return <div ref={parent} className={classes.editorField} dir="ltr" />;
}
