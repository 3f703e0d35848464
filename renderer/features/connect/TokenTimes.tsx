import { i18n } from '@lingui/core';
import { Text } from '@mantine/core';
import { readJson } from '../../../shared/read-json.ts';
import { exactTime, relativeTime } from '../../components/time.ts';

/** From when until when a token says that it holds: what servers refuse for the time they say without one. */
export function TokenTimes({ token, at }: { token: string; at: number }) {
  const { nbf, exp } = timesOf(token);
  return (
    <>
      {nbf !== undefined && (
        <Text size="sm">
          {i18n.t("Token valid from {time} ({distance} by this computer's clock).", told(nbf, at))}
        </Text>
      )}
      {exp !== undefined && (
        <Text size="sm">
          {i18n.t("Token expires {time} ({distance} by this computer's clock).", told(exp, at))}
        </Text>
      )}
    </>
  );
}

const told = (seconds: number, at: number) => ({
  time: exactTime(seconds * 1000),
  distance: relativeTime(seconds * 1000, at, 'long'),
});

/** In seconds since the Unix epoch; nothing of what is no token. Whether it is signed is for the server to say. */
function timesOf(token: string): { nbf?: number; exp?: number } {
  try {
    const payload = token.split('.')[1] ?? '';
    const claims = readJson(atob(payload.replaceAll('-', '+').replaceAll('_', '/')));
    return Object.fromEntries(
      ['nbf', 'exp'].filter((name) => typeof claims[name] === 'number').map((name) => [name, claims[name]]),
    );
  } catch {
    return {};
  }
}
