/** Which properties, parameters and headers hold a secret, as far as their names tell. */

/** Wherever it stands in a name. What is new in the interface and named like one is one, too. */
const anywhere = [
  ...['token', 'passw', 'passphrase', 'secret', 'nonce', 'authori[sz]ation', 'cookie', 'jwt', 'credential'],
  ...['private', 'recovery', 'ciphertext', 'pickle', 'device_data', 'macaroon', 'mnemonic'],
  ...['captcha[._-]?response', 'turnstile[._-]?response', 'session$'],
  ...['(^|[._-])(mac|hmac|pin|[ht]?otp|pass|passcode|pwd|auth_data)$', '(^|[._-]|push|api)keys?$'],
];
/** What a code is for that lets somebody in. Those of errors, languages and countries are none. */
const kindsOfCode = [
  ...['pin', 'auth', 'verification', 'user', 'device', 'recovery', 'security', 'log[._-]?in', 'sign[._-]?in'],
  ...[
    'sms',
    'e?mail',
    'otp',
    'mfa',
    '2fa',
    'access',
    'backup',
    'invite',
    'invitation',
    'reset',
    'activation',
  ],
  ...['confirmation', 'pairing'],
];
/** As the whole of a name, or its end; in a sentence they are words like others. */
const fields = [
  ...['^(sid|answer|response|pin|assertion|bearer|saml_?response|samlart)$'],
  ...['(^|[._-])(auth|dsn|psk|seed([._-]?(phrase|words))?|sig|signature|ticket|verifier)$'],
  `(^|${kindsOfCode.join('|')})[._-]?codes?$`,
];
/** Whatever a proxy or a browser hands on under such a name. */
const headers = [
  ...['token', 'secret', 'auth', 'key', 'session', 'cookie', 'passw', 'signature', 'credential', 'jwt'],
  ...['assertion', 'bearer', 'dpop', '(^|-)sid$', '(otp|mfa)-code$'],
];

const either = (forms: readonly string[]) => new RegExp(forms.join('|'), 'i');
const [secretAnywhere, secretField, secretHeader] = [either(anywhere), either(fields), either(headers)];

/** They say how something is done. */
const knownHeaders = /^(?:(?:www|proxy)-authenticate|access-control-.*)$/i;
/** Named like secrets, and none: what nobody could read a request without. */
const known = new Set([
  ...['state_key', 'next_token', 'prev_token', 'm.login.token', 'session_id', 'key_id'],
  ...['m.change_password', 'm.get_login_token', 'verify_keys', 'old_verify_keys'],
]);

/** `sessionKey` is `session_key`, `code[0]` is `code`, and `user[pin]` is `user.pin`. */
const inWords = (name: string) =>
  name
    .replaceAll(/\[\d*\]|\]/g, '')
    .replaceAll('[', '.')
    .replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, '_');
const isKnown = (name: string) => known.has(inWords(name).toLowerCase());

/** Where the name may be a word of a sentence. */
export const isSecretInText = (name: string) => secretAnywhere.test(inWords(name)) && !isKnown(name);

/** Where it is surely no word of a sentence. */
export const isSecretField = (name: string) => secretField.test(inWords(name));

/** Of a property, a parameter, or whatever else is given a value. */
export const isSecretName = (name: string) => isSecretInText(name) || isSecretField(name);

export const isSecretHeader = (name: string) =>
  (secretHeader.test(name) || isSecretName(name)) && !knownHeaders.test(name);

/** Of what says in an object of two, such as those of lists of headers, what the other one is. */
export const isSecretLabel = (name: unknown) =>
  typeof name === 'string' && (isSecretName(name) || isSecretHeader(name)) && !isKnown(name);
