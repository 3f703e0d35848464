import { i18n } from '@lingui/core';
import { Trans } from '@lingui/react';
import type { ReactNode } from 'react';
import type { JsonObject } from '../../../shared/api/common.ts';
import { object, text } from './read-json.ts';
import { Said, Who } from './Said.tsx';

type Props = {
  event: JsonObject;
  /** The membership that it replaced; undefined where there was none. */
  before: JsonObject | undefined;
  /** Whether `before` is all that there was: an event as it is stored doesn't tell. */
  isKnown: boolean;
};

/** A change of somebody's membership, told in a sentence. */
export function MemberSentence({ event, before, isKnown }: Props) {
  const content = object(event.content) ?? {};
  const sender = <Who id={text(event.sender) ?? i18n.t('a user')} />;
  const target = <Who id={text(event.state_key) ?? i18n.t('a user')} />;
  const isOwn = event.sender === event.state_key;
  const was = text(before?.membership);
  switch (text(content.membership)) {
    case 'invite':
      return <Trans id="{sender} invited {target}" values={{ sender, target }} />;
    case 'join':
      if (was === 'join') return <ProfileSentence who={target} content={content} before={before ?? {}} />;
      if (was === 'invite') return <Trans id="{target} accepted the invitation" values={{ target }} />;
      if (!isKnown) {
        return <Trans id="{target} joined or changed their profile" values={{ target }} />;
      }
      return <Trans id="{target} joined" values={{ target }} />;
    case 'leave':
      if (isOwn) {
        if (was === 'invite') return <Trans id="{target} declined the invitation" values={{ target }} />;
        if (was === 'knock') return <Trans id="{target} withdrew the join request" values={{ target }} />;
        return <Trans id="{target} left" values={{ target }} />;
      }
      if (was === 'ban') return <Trans id="{sender} unbanned {target}" values={{ sender, target }} />;
      if (was === 'invite') {
        return <Trans id="{sender} withdrew the invitation of {target}" values={{ sender, target }} />;
      }
      if (was === 'knock') {
        return <Trans id="{sender} denied the join request of {target}" values={{ sender, target }} />;
      }
      if (was === undefined) {
        return (
          <Trans
            id="{sender} removed {target} (kick, unban or withdrawn invitation)"
            values={{ sender, target }}
          />
        );
      }
      return <Trans id="{sender} kicked {target}" values={{ sender, target }} />;
    case 'ban':
      return <Trans id="{sender} banned {target}" values={{ sender, target }} />;
    case 'knock':
      return <Trans id="{target} asked to join" values={{ target }} />;
    default:
      return (
        <Trans
          id="Membership of {target}: {membership}"
          values={{
            target,
            membership: <Said text={text(content.membership) ?? i18n.t('unknown')} />,
          }}
        />
      );
  }
}

type ProfileProps = { who: ReactNode; content: JsonObject; before: JsonObject };

function ProfileSentence({ who, content, before }: ProfileProps) {
  const [old, name] = [text(before.displayname), text(content.displayname)];
  const picture = text(before.avatar_url) !== text(content.avatar_url);
  if (old !== name) {
    const values = { who, old: <Said text={old ?? ''} />, name: <Said text={name ?? ''} /> };
    if (old === undefined) return <Trans id="{who} set the name “{name}”" values={values} />;
    if (name === undefined) return <Trans id="{who} removed the name “{old}”" values={values} />;
    return picture ? (
      <Trans id="{who} changed their avatar and name from “{old}” to “{name}”" values={values} />
    ) : (
      <Trans id="{who} changed their name from “{old}” to “{name}”" values={values} />
    );
  }
  if (!picture) return <Trans id="{who} rejoined without visible changes" values={{ who }} />;
  return text(content.avatar_url) === undefined ? (
    <Trans id="{who} removed their avatar" values={{ who }} />
  ) : (
    <Trans id="{who} changed their avatar" values={{ who }} />
  );
}
