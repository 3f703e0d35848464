/** Documents that the team edits together. Each version is an entry; the latest one wins. */
import type { JsonObject } from '../api/common.ts';
import { isObject } from '../is-object.ts';
import type { Body, LogEntry } from './entries.ts';
import { isLater } from './fold.ts';

export type TeamDocument = {
  content: JsonObject;
  /** User ID of the version's author. */
  by: string;
  /** In milliseconds since the Unix epoch. */
  at: number;
};

export type DocumentsOfKind = ReadonlyMap<string, TeamDocument>;

/** Current versions by kind and key, including deletions. */
export type Documents = ReadonlyMap<string, ReadonlyMap<string, Version>>;

type DocumentBody = Extract<Body, { type: 'document' }>;
export type Version = LogEntry & { body: DocumentBody };

export const isDocument = <Entry extends { body: Body }>(
  entry: Entry,
): entry is Entry & { body: DocumentBody } => entry.body.type === 'document';

/** The result doesn't depend on the order of entries. Others than documents are ignored. */
export function foldDocuments(entries: Iterable<LogEntry>): Documents {
  const kinds = new Map<string, Map<string, Version>>();
  for (const entry of entries) {
    if (!isDocument(entry)) continue;
    const { kind, key } = entry.body;
    const ofKind = kinds.get(kind) ?? new Map<string, Version>();
    kinds.set(kind, ofKind);
    const before = ofKind.get(key);
    if (!before || isLater(entry, before)) ofKind.set(key, entry);
  }
  return kinds;
}

/**
 * Returns the documents of a kind that aren't deleted.
 *
 * @param own the user's own versions that the log doesn't have yet, in order of creation: they win over the log's
 */
export function documentsOf(kind: string, logged: Documents, own: readonly Version[]): DocumentsOfKind {
  const versions = new Map(logged.get(kind));
  for (const version of own) if (version.body.kind === kind) versions.set(version.body.key, version);
  return new Map(
    [...versions].flatMap(([key, { body, by, at }]) =>
      body.content ? [[key, { content: body.content, by, at }] as const] : [],
    ),
  );
}

const noDocuments: DocumentsOfKind = new Map();

/** Returns a function that returns a kind's documents: the same object until one of its kind changes. */
export function stableDocuments() {
  const last = new Map<string, { logged: unknown; own: readonly Version[]; documents: DocumentsOfKind }>();
  return (kind: string, logged: Documents, added: readonly Version[]): DocumentsOfKind => {
    const own = added.filter(({ body }) => body.kind === kind);
    const before = last.get(kind);
    const isSame =
      before?.logged === logged &&
      before.own.length === own.length &&
      own.every(({ id }, index) => id === before.own[index]?.id);
    if (isSame) return before.documents;
    const next = documentsOf(kind, logged, own);
    const documents = before && areSame(before.documents, next) ? before.documents : next;
    last.set(kind, { logged, own, documents: documents.size > 0 ? documents : noDocuments });
    return last.get(kind)?.documents ?? noDocuments;
  };
}

function areSame(some: DocumentsOfKind, others: DocumentsOfKind): boolean {
  if (some.size !== others.size) return false;
  for (const [key, { content, by, at }] of some) {
    const other = others.get(key);
    if (!other || other.at !== at || other.by !== by) return false;
    if (other.content !== content && JSON.stringify(other.content) !== JSON.stringify(content)) return false;
  }
  return true;
}

/** Returns a document as it's stored: JSON can't contain `undefined` or lone surrogates. */
export const storable = (content: object): JsonObject =>
  Object.fromEntries(
    Object.entries(content).flatMap(([name, value]) =>
      value === undefined ? [] : [[name.toWellFormed(), storableValue(value)]],
    ),
  );

function storableValue(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (Array.isArray(value)) return value.map(storableValue);
  return isObject(value) ? storable(value) : value;
}

/** Returns a readable key that no other document of the kind has. */
export function newDocumentKey(name: string, taken: { has(key: string): boolean }, kind: string): string {
  const base =
    name
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-+|-+$/g, '')
      .slice(0, 60) || kind;
  for (let count = 1; ; count++) {
    const key = count === 1 ? base : `${base}-${count}`;
    if (!taken.has(key)) return key;
  }
}
