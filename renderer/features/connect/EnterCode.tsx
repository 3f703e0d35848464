import { i18n } from '@lingui/core';
import { Trans } from '@lingui/react';
import { Anchor, Code, Text } from '@mantine/core';
import type { SignInCode } from '../../../shared/code-sign-in.ts';
import { useConsole } from '../../console-context.ts';

/** Shows the code for the sign-in on another device, and where to enter it. */
export function EnterCode({ code }: { code: SignInCode | undefined }) {
  const { host } = useConsole();
  if (!code) {
    return (
      <Text size="sm" c="dimmed">
        {i18n.t('Sign in with a code on another device, such as your phone.')}
      </Text>
    );
  }
  const link = new URL(code.link);
  return (
    <div role="status">
      <Text size="sm">
        <Trans
          id="Open <0>{page}</0> on any device and enter this code:"
          values={{ page: code.page.replace(/^https:\/\//, '') }}
          components={{
            // The desktop app only opens https links.
            0:
              link.protocol === 'https:' ? (
                <Anchor
                  component="button"
                  type="button"
                  size="sm"
                  onClick={() => host.openExternal(link.href)}
                />
              ) : (
                <strong />
              ),
          }}
        />
      </Text>
      <Code fz="xl" mt="xs" display="inline-block">
        {code.code}
      </Code>
      <Text size="sm" c="dimmed" mt="xs">
        {i18n.t('Waiting for sign-in…')}
      </Text>
    </div>
  );
}
