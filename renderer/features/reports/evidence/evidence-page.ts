/** Renders evidence as one HTML page without scripts, which shows all untrusted text as text. */
import { i18n } from '@lingui/core';
import type { JsonObject } from '../../../../shared/api/common.ts';
import { amount, object, text } from '../../../components/event/read-json.ts';
import { hashFinding, signatureFinding } from '../detail/integrity-findings.ts';
import { logRow, subjectText } from '../log/log-rows.ts';
import type { ArchivedFile, Evidence } from './gather-evidence.ts';

/** HTML that was already escaped. */
type Html = { html: string };

/** Escapes all values but `Html`; joins lists. */
function html(parts: TemplateStringsArray, ...values: (string | number | Html | readonly Html[])[]): Html {
  const rendered = values.map((value) => {
    if (typeof value === 'number') return String(value);
    if (typeof value === 'string') return escapeHtml(value);
    return 'html' in value ? value.html : value.map((each) => each.html).join('');
  });
  return { html: String.raw({ raw: parts }, ...rendered) };
}

const escapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escapeHtml = (value: string) => value.replace(/[&<>"']/g, (character) => escapes[character] ?? '');

const style = `body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#111}
h1{font-size:1.4rem}h2{font-size:1.1rem;margin-top:2rem}table{border-collapse:collapse;width:100%}
td,th{border-bottom:1px solid #ccc;padding:.3rem .6rem;text-align:start;vertical-align:top;overflow-wrap:anywhere}
th{white-space:nowrap}blockquote{border-inline-start:4px solid #888;margin:1rem 0;padding:.2rem 1rem;white-space:pre-wrap}
pre,code{font:13px/1.45 ui-monospace,monospace;white-space:pre-wrap;overflow-wrap:anywhere}pre{background:#f4f4f4;padding:1rem}
.reported{background:#fff3cd}bdi{white-space:pre-wrap}`;

/** Returns a complete HTML document. @param files those of the archive, other than the page itself */
export function evidencePage(evidence: Evidence, files: readonly ArchivedFile[], language: string): string {
  const { report, versions, context, log, media, missing, verification, held } = evidence;
  const facts: [string, string][] = [
    [i18n.t('Report'), String(report.id)],
    [i18n.t('Reported at'), time(report.received_ts)],
    [i18n.t('Reported by'), report.user_id],
    [i18n.t('Reason'), report.reason ?? ''],
    [i18n.t('Sender'), report.sender ?? i18n.t('Unknown sender')],
    [i18n.t('Sent at'), time(report.event_json.origin_server_ts)],
    [i18n.t('Room'), [report.name, report.canonical_alias, report.room_id].filter(Boolean).join(' · ')],
    [i18n.t('Event ID'), report.event_id],
    [i18n.t('Server'), evidence.server],
    [i18n.t('Exported by'), evidence.by],
    [i18n.t('Exported at'), time(evidence.at)],
    ...(held
      ? ([
          [i18n.t('Held by'), held.by],
          [i18n.t('Held at'), time(held.at)],
          [i18n.t('SHA-256 when held'), held.sha256 ?? i18n.t('Not calculated')],
          [i18n.t('Changed since'), changedText(held.isUnchanged)],
        ] as [string, string][])
      : []),
    ...(verification
      ? ([
          [i18n.t('Hash'), hashFinding(verification.hash).sentence],
          [i18n.t('Signature'), signatureFinding(verification.signature).sentence],
        ] as [string, string][])
      : []),
  ];
  const title = i18n.t('Evidence: report {id}', { id: report.id });
  const { html: page } = html`<!doctype html>
<html lang="${language}"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${title}</title><style>${{ html: style }}</style></head><body>
<h1>${title}</h1>
<table>${facts.map(([name, value]) => html`<tr><th>${name}</th><td><bdi>${value}</bdi></td></tr>`)}</table>
<h2>${i18n.t('Reported message')}</h2>
<blockquote>${bodyOf(report.event_json)}</blockquote>
${
  versions.length > 1
    ? html`<h2>${i18n.t('Versions')}</h2><table>${versions.map(
        ({ at, content, eventId }) =>
          html`<tr><th>${time(at)}</th><td><bdi>${bodyOf({ content })}</bdi><br><code>${eventId ?? ''}</code></td></tr>`,
      )}</table>`
    : html``
}
${
  context.length > 0
    ? html`<h2>${i18n.t('Context')}</h2><table>${context.map(
        (event) => html`<tr${{ html: event.event_id === report.event_id ? ' class="reported"' : '' }}>
<th>${time(event.origin_server_ts)}</th><td><bdi>${text(event.sender) ?? ''}</bdi></td><td><bdi>${bodyOf(event)}</bdi></td></tr>`,
      )}</table>`
    : html``
}
${
  log.length > 0
    ? html`<h2>${i18n.t('Activity')}</h2><table>${log.flatMap((entry) => {
        const row = logRow(entry);
        return row
          ? [
              html`<tr><th>${time(row.at)}</th><td><bdi>${row.by}</bdi></td><td>${row.label}</td>
<td><bdi>${row.subjects.map(subjectText).join(', ')}</bdi></td><td><bdi>${row.text}</bdi></td></tr>`,
            ]
          : [];
      })}</table>`
    : html``
}
${
  media.length > 0
    ? html`<h2>${i18n.t('Media')}</h2>
<table><tr><th>${i18n.t('Address')}</th><th>${i18n.t('Bytes')}</th><th>SHA-256</th></tr>${media.map(
        ({ uri, size, sha256 }) =>
          html`<tr><td><bdi>${uri}</bdi></td><td>${size ?? ''}</td><td><code>${sha256 ?? i18n.t('Unknown')}</code></td></tr>`,
      )}</table>`
    : html``
}
${
  missing.length > 0
    ? html`<h2>${i18n.t('Missing')}</h2><ul>${missing.map((sentence) => html`<li>${sentence}</li>`)}</ul>`
    : html``
}
<h2>${i18n.t('Files')}</h2>
<table><tr><th>${i18n.t('File')}</th><th>${i18n.t('Bytes')}</th><th>SHA-256</th></tr>${files.map(
    ({ path, size, sha256 }) =>
      html`<tr><td>${path}</td><td>${size}</td><td><code>${sha256 ?? i18n.t('Not calculated')}</code></td></tr>`,
  )}</table>
<h2>${i18n.t('Event source')}</h2><pre>${JSON.stringify(report.event_json, null, 2)}</pre>
</body></html>
`;
  return page;
}

function changedText(isUnchanged: boolean | undefined): string {
  if (isUnchanged === undefined) return i18n.t('Not checked');
  return isUnchanged ? i18n.t('No') : i18n.t('Yes: the hash differs');
}

/** ISO 8601 in UTC: the reader can be in another time zone. */
function time(at: unknown): string {
  const date = new Date(amount(at) ?? Number.NaN);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString();
}

/** Returns an event's text, or its type and content. */
function bodyOf(event: JsonObject): string {
  const content = object(event.content) ?? {};
  return text(content.body) ?? `${text(event.type) ?? ''} ${JSON.stringify(content)}`.trim();
}
