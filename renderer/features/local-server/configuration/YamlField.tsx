import { i18n } from '@lingui/core';
import { useEffect, useRef } from 'react';
import type { JsonObject } from '../../../../shared/api/common.ts';
import type { ConfigurationProblem } from '../../../../shared/workbench/configuration.ts';
import classes from './YamlField.module.css';
import { openYamlEditor, type YamlEditor } from './yaml-editor.ts';

type Props = {
  /** What it begins with. */
  initial: string;
  schema: JsonObject;
  /** Where the cursor is to go; another object, another time. */
  place: { line: number; column: number } | undefined;
  onChange: (text: string) => void;
  check: (text: string) => Promise<readonly ConfigurationProblem[]>;
};

/** The editor, for as long as the configuration is open. */
export default function YamlField({ initial, schema, place, onChange, check }: Props) {
  const parent = useRef<HTMLDivElement>(null);
  const editor = useRef<YamlEditor>(undefined);
  const latest = useRef({ onChange, check });
  useEffect(() => {
    latest.current = { onChange, check };
  });

  useEffect(() => {
    if (!parent.current) return;
    const opened = openYamlEditor({
      parent: parent.current,
      text: initial,
      schema,
      label: 'homeserver.yaml',
      hint: i18n.t('Settings, such as server_name: example.org. Ctrl+Space shows suggestions.'),
      phrases: { Completions: i18n.t('Suggestions'), Diagnostics: i18n.t('Problems') },
      onChange: (text) => latest.current.onChange(text),
      check: (text) => latest.current.check(text),
    });
    editor.current = opened;
    return () => opened.destroy();
  }, [initial, schema]);

  useEffect(() => {
    if (place) editor.current?.goTo(place.line, place.column);
  }, [place]);

  return <div ref={parent} className={classes.field} dir="ltr" />;
}
