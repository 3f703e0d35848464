/** Finds secrets in a homeserver.yaml, to hide them on screen and in screenshots. */

type Range = { from: number; to: number };

const secretName = /(secret|secret_key|private_key|password|pass|pepper|token|dsn)$/i;
/** A name at the start of a line or in a flow mapping, up to its value. */
const setting = /(^\s*(?:- +)*|[{,]\s*)["']?([\w.-]+)["']?\s*:\s+/g;
const flowValue = /^(?:"[^"]*"|'[^']*'|[^,}]*)/;
const lineValue = /^(?:"[^"]*"|'[^']*'|.*?(?=\s+#|\s*$))/;

export function secretRanges(text: string): Range[] {
  const ranges: Range[] = [];
  /** Indentation of a secret with a block scalar. */
  let block: number | undefined;
  let start = 0;
  for (const line of text.split('\n')) {
    const indent = line.search(/\S/);
    if (block !== undefined && indent > block) ranges.push({ from: start + indent, to: start + line.length });
    else if (indent !== -1) {
      block = undefined;
      for (const { 0: lead, 1: before = '', 2: name = '', index } of line.matchAll(setting)) {
        const offset = index + lead.length;
        const [value = ''] = (/[{,]/.test(before) ? flowValue : lineValue).exec(line.slice(offset)) ?? [];
        if (!secretName.test(name) || /^(true|false|null|~)?$/.test(value)) continue;
        if (/^[|>]/.test(value)) block = indent;
        else ranges.push({ from: start + offset, to: start + offset + value.length });
      }
    }
    start += line.length + 1;
  }
  return ranges;
}

export function hideSecrets(text: string): string {
  return secretRanges(text).reduceRight(
    (masked, { from, to }) => `${masked.slice(0, from)}••••••••${masked.slice(to)}`,
    text,
  );
}
