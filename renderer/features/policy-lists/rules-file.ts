/** Reads rules from files: CSV and NDJSON as this screen exports them, JSON lists, and state events. */
import { isObject } from '../../../shared/is-object.ts';
import { readJson } from '../../../shared/read-json.ts';
import { normalHash, readContent, readRules } from '../../api/policy-lists/policy-matcher.ts';
import { type RuleKind, type RuleTerms, ruleKinds } from '../../api/policy-lists/policy-rules.ts';
import { parseCsv } from '../../components/file/csv.ts';

export type FileRule = { kind: RuleKind; terms: RuleTerms };
type FileRules = { rules: FileRule[] /** Number of entries that aren't rules. */; unreadable: number };

export function readRulesFile(text: string): FileRules {
  const trimmed = text.replace(/^\uFEFF/, '').trim();
  const entries = readEntries(trimmed);
  const rules = new Map<string, FileRule>();
  let unreadable = 0;
  for (const entry of entries) {
    const rule = readEntry(entry);
    if (rule) rules.set(`${rule.kind} ${rule.terms.entity ?? rule.terms.hash}`, rule);
    else unreadable += 1;
  }
  return { rules: [...rules.values()], unreadable };
}

function readEntries(text: string): unknown[] {
  if (text === '') return [];
  if (text.startsWith('[')) {
    const all = parsed(text);
    return Array.isArray(all) ? all : [undefined];
  }
  if (text.startsWith('{')) {
    const whole = parsed(text);
    if (whole !== undefined) return isObject(whole) && Array.isArray(whole.rules) ? whole.rules : [whole];
    return text.split(/\r?\n/).filter(Boolean).map(parsed);
  }
  const [head = [], ...lines] = parseCsv(text, ',').records.map(({ cells }) => cells);
  const names = head.map((name) => name.trim().toLowerCase());
  return lines.map((cells) =>
    Object.fromEntries(names.map((name, index) => [name, unguarded(cells[index] ?? '')])),
  );
}

function parsed(text: string): unknown {
  try {
    return readJson(text);
  } catch {
    return undefined;
  }
}

/** CSV for spreadsheets has an apostrophe before user IDs. */
const unguarded = (cell: string) => cell.replace(/^'(?=[=+\-@\s])/, '');

function readEntry(entry: unknown): FileRule | undefined {
  if (!isObject(entry)) return undefined;
  if (isObject(entry.content)) {
    const event = { state_key: '', sender: '', origin_server_ts: 0, ...entry };
    const [rule] = readRules([event]);
    if (!rule) return undefined;
    const { kind, entity, hash, recommendation, reason } = rule;
    return usable(kind, { ...(entity === undefined ? { hash } : { entity }), recommendation, reason });
  }
  const kindName = String(entry.kind ?? entry.type ?? '').replace(/^.*\./, '');
  const recommendation = String(entry.recommendation ?? '') || 'm.ban';
  const entity = String(entry.entity ?? '').trim();
  const hash = normalHash(String(entry.hash ?? ''));
  const terms = readContent({
    ...(entity !== '' && { entity }),
    ...(hash !== undefined && { hashes: { sha256: hash } }),
    recommendation: /^(ban|takedown|allow)$/.test(recommendation) ? `m.${recommendation}` : recommendation,
    reason: entry.reason,
  });
  const kind = ruleKinds.find((each) => each === kindName) ?? (entity !== '' ? kindOf(entity) : undefined);
  return kind && terms && usable(kind, terms);
}

const usable = (kind: RuleKind, terms: RuleTerms): FileRule | undefined =>
  terms.recommendation === 'other' ? undefined : { kind, terms };

const kindOf = (entity: string): RuleKind =>
  entity.startsWith('@') ? 'user' : /^[!#]/.test(entity) ? 'room' : 'server';
