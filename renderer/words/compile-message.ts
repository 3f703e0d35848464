import type { Messages } from '@lingui/core';

type CompiledMessage = Exclude<Messages[string], string>;
type Token = string | [name: string] | [name: string, type: 'plural', forms: Record<string, Token[]>];

const cache = new Map<string, CompiledMessage>();

/**
 * Compiles `{name}` and `{count, plural, one {# user} other {# users}}` as Lingui compiles catalogs. English has no
 * catalog: its messages are in the code.
 */
export function compileMessage(message: string): CompiledMessage {
  let compiled = cache.get(message);
  if (!compiled) {
    compiled = tokensOf(message);
    cache.set(message, compiled);
  }
  return compiled;
}

function tokensOf(message: string): Token[] {
  let rest = message;
  /** Removes a match from the start, and returns its group. */
  function take(pattern: RegExp): string | undefined {
    const [all = '', group] = pattern.exec(rest) ?? [];
    rest = rest.slice(all.length);
    return group;
  }

  function takeTokens(text: RegExp): Token[] {
    const tokens: Token[] = [];
    for (;;) {
      const name = take(/^\{(\w+)/);
      const token = name === undefined ? take(text) : takeArgument(name);
      if (token === undefined) return tokens;
      tokens.push(token);
    }
  }

  function takeArgument(name: string): Token {
    const isPlural = take(/^(, plural,)/) !== undefined;
    const forms: Record<string, Token[]> = {};
    for (let form = take(formStart); form !== undefined; form = take(formStart)) {
      forms[form] = takeTokens(/^(#|[^#{}]+)/);
      take(/^\}/);
    }
    take(/^\}/);
    return isPlural ? [name, 'plural', forms] : [name];
  }

  const tokens = takeTokens(/^([^{}]+)/);
  return rest === '' ? tokens : [message];
}

const formStart = /^\s*=?(\w+)\s*\{/;
