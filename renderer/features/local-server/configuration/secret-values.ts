/** Finds the secrets in a homeserver.yaml, so that no one reads them over a shoulder or in a screenshot. */

type Range = { from: number; to: number };

const secretName = /(secret|secret_key|private_key|password|pass|pepper|token|dsn)$/i;
/** A setting at the beginning of a line or in a flow mapping, up to its value. */
const setting = /(^\s*(?:- +)*|[{,]\s*)["']?([\w.-]+)["']?\s*:\s+/g;
const inFlow = /^(?:"[^"]*"|'[^']*'|[^,}]*)/;
const onLine = /^(?:"[^"]*"|'[^']*'|.*?(?=\s+#|\s*$))/;

export function secretRanges(text: string): Range[] {
  const ranges: Range[] = [];
  /** How far in the setting is whose value follows on the next lines. */
  let block: number | undefined;
  let start = 0;
  for (const line of text.split('\n')) {
    const indent = line.search(/\S/);
    if (block !== undefined && indent > block) ranges.push({ from: start + indent, to: start + line.length });
    else if (indent !== -1) {
      block = undefined;
      for (const { 0: lead, 1: before = '', 2: name = '', index } of line.matchAll(setting)) {
        const at = index + lead.length;
        const [value = ''] = (/[{,]/.test(before) ? inFlow : onLine).exec(line.slice(at)) ?? [];
        if (!secretName.test(name) || /^(true|false|null|~)?$/.test(value)) continue;
        if (/^[|>]/.test(value)) block = indent;
        else ranges.push({ from: start + at, to: start + at + value.length });
      }
    }
    start += line.length + 1;
  }
  return ranges;
}

export function hideSecrets(text: string): string {
  return secretRanges(text).reduceRight(
    (hidden, { from, to }) => `${hidden.slice(0, from)}••••••••${hidden.slice(to)}`,
    text,
  );
}
