import { i18n } from '@lingui/core';
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { CopyText } from '../../../components/CopyText.tsx';
import { PageSection } from '../../../components/Page.tsx';

const example = `jwt_config:
  enabled: true
  secret: "a long shared secret"
  algorithm: HS256`;

/** Tokens can be made and taken apart all the same; a login with one is refused. */
export function JwtOff() {
  return (
    <PageSection title={i18n.t('JWT login is off')}>
      <p role="status">{i18n.t('To accept tokens, homeserver.yaml needs, for example:')}</p>
      <CopyText block text={example} label={i18n.t('Example jwt_config')} />
      <div>
        <Button
          variant="default"
          renderRoot={(props) => (
            <Link
              {...props}
              to="/local-server/$part"
              params={{ part: 'configuration' }}
              search={({ server }) => ({ server })}
            />
          )}
        >
          {i18n.t('Open configuration')}
        </Button>
      </div>
    </PageSection>
  );
}
