import { i18n } from '@lingui/core';
import { Trans } from '@lingui/react';
import type { ReactNode } from 'react';
import type { JsonObject } from '../../../shared/api/common.ts';
import { ContentChanges } from './ContentChanges.tsx';
import { QuotedText, UserMention } from './EventReference.tsx';
import classes from './EventView.module.css';
import { RemoteImage } from './RemoteImage.tsx';
import { object, text, texts } from './read-json.ts';

type MemberSentenceProps = {
  event: JsonObject;
  /** The membership before it; undefined if there was none. */
  before: JsonObject | undefined;
  /** Whether `before` is reliable: a stored event doesn't include it. */
  isBeforeKnown: boolean;
};

/** Describes a membership change. */
function MemberSentence({ event, before, isBeforeKnown }: MemberSentenceProps) {
  const content = object(event.content) ?? {};
  const sender = <UserMention id={text(event.sender) ?? i18n.t('a user')} />;
  const target = <UserMention id={text(event.state_key) ?? i18n.t('a user')} />;
  const isSelf = event.sender === event.state_key;
  const previous = text(before?.membership);
  switch (text(content.membership)) {
    case 'invite':
      return <Trans id="{sender} invited {target}" values={{ sender, target }} />;
    case 'join':
      if (previous === 'join')
        return <ProfileSentence who={target} content={content} before={before ?? {}} />;
      if (previous === 'invite') return <Trans id="{target} accepted the invitation" values={{ target }} />;
      if (!isBeforeKnown) {
        return <Trans id="{target} joined or changed their profile" values={{ target }} />;
      }
      return <Trans id="{target} joined" values={{ target }} />;
    case 'leave':
      if (isSelf) {
        if (previous === 'invite') return <Trans id="{target} declined the invitation" values={{ target }} />;
        if (previous === 'knock')
          return <Trans id="{target} withdrew the join request" values={{ target }} />;
        return <Trans id="{target} left" values={{ target }} />;
      }
      if (previous === 'ban') return <Trans id="{sender} unbanned {target}" values={{ sender, target }} />;
      if (previous === 'invite') {
        return <Trans id="{sender} withdrew the invitation of {target}" values={{ sender, target }} />;
      }
      if (previous === 'knock') {
        return <Trans id="{sender} denied the join request of {target}" values={{ sender, target }} />;
      }
      if (previous === undefined) {
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
            membership: <QuotedText text={text(content.membership) ?? i18n.t('unknown')} />,
          }}
        />
      );
  }
}

type ProfileProps = { who: ReactNode; content: JsonObject; before: JsonObject };

function ProfileSentence({ who, content, before }: ProfileProps) {
  const [old, name] = [text(before.displayname), text(content.displayname)];
  const avatar = text(before.avatar_url) !== text(content.avatar_url);
  if (old !== name) {
    const values = { who, old: <QuotedText text={old ?? ''} />, name: <QuotedText text={name ?? ''} /> };
    if (old === undefined) return <Trans id="{who} set the name “{name}”" values={values} />;
    if (name === undefined) return <Trans id="{who} removed the name “{old}”" values={values} />;
    return avatar ? (
      <Trans id="{who} changed their avatar and name from “{old}” to “{name}”" values={values} />
    ) : (
      <Trans id="{who} changed their name from “{old}” to “{name}”" values={values} />
    );
  }
  if (!avatar) return <Trans id="{who} rejoined without visible changes" values={{ who }} />;
  return text(content.avatar_url) === undefined ? (
    <Trans id="{who} removed their avatar" values={{ who }} />
  ) : (
    <Trans id="{who} changed their avatar" values={{ who }} />
  );
}

type Props = { event: JsonObject; type: string; brief: boolean };

/** Renders a state event: its effect and its changes. */
export function StateView({ event, type, brief }: Props) {
  const content = object(event.content) ?? {};
  const unsigned = object(event.unsigned) ?? {};
  const before = object(unsigned.prev_content) ?? object(event.prev_content);
  // A stored event doesn't include the previous content.
  const isBeforeKnown = before !== undefined || event.auth_events === undefined;
  const reason = type === 'm.room.member' ? text(content.reason) : undefined;
  const name =
    type === 'm.room.member' && before?.membership !== 'join' ? text(content.displayname) : undefined;
  const key = text(event.state_key);
  const avatar = text(content.avatar_url) ?? text(content.url);
  return (
    <div className={classes.stack}>
      <span className={classes.sentence}>
        {type === 'm.room.member' ? (
          <MemberSentence event={event} before={before} isBeforeKnown={isBeforeKnown} />
        ) : (
          stateSentence(type, event, content)
        )}
      </span>
      {key && !typesWithKeyInSentence.has(type) && (
        <span className={classes.note}>
          <Trans id="State key: {key}" values={{ key: <QuotedText text={key} /> }} />
        </span>
      )}
      {name && (
        <span className={classes.note}>
          <Trans id="shown as “{name}”" values={{ name: <QuotedText text={name} /> }} />
        </span>
      )}
      {reason && (
        <span className={classes.note}>
          {i18n.t('Reason:')} <QuotedText text={reason} />
        </span>
      )}
      {/^m\.room\.(avatar|member)$/.test(type) && avatar?.startsWith('mxc://') && (
        <RemoteImage uri={avatar} name={i18n.t('Avatar')} />
      )}
      {!typesWithFullSentence.has(type) && <ContentChanges before={before} after={content} closed={brief} />}
      {!brief && (
        <span className={classes.note}>
          {i18n.t('State event:')}{' '}
          <code>
            <QuotedText text={type} />
          </code>
        </span>
      )}
    </div>
  );
}

/** Types that their sentence describes completely. */
const typesWithFullSentence = new Set([
  ...['m.room.member', 'm.room.name', 'm.room.topic', 'm.room.avatar', 'm.room.canonical_alias'],
  ...['m.room.history_visibility', 'm.room.guest_access', 'm.room.encryption', 'm.room.tombstone'],
]);

/** Types whose sentence includes the state key, or whose key is the sender. */
const typesWithKeyInSentence = new Set([
  ...['m.room.member', 'm.space.child', 'm.space.parent'],
  ...['m.call.member', 'org.matrix.msc3401.call.member'],
]);

function stateSentence(type: string, event: JsonObject, content: JsonObject): ReactNode {
  const quoted = (value: unknown) => <QuotedText text={text(value) ?? ''} />;
  const key = quoted(event.state_key);
  switch (type) {
    case 'm.room.create':
      return i18n.t('Created the room');
    case 'm.room.name':
      return text(content.name) ? (
        <Trans id="Named the room “{name}”" values={{ name: quoted(content.name) }} />
      ) : (
        i18n.t('Removed the room name')
      );
    case 'm.room.topic':
      return text(content.topic) ? (
        <Trans id="Set the topic to “{topic}”" values={{ topic: quoted(content.topic) }} />
      ) : (
        i18n.t('Removed the topic')
      );
    case 'm.room.avatar':
      return text(content.url) ? (
        <Trans id="Set the room avatar to {address}" values={{ address: quoted(content.url) }} />
      ) : (
        i18n.t('Removed the room avatar')
      );
    case 'm.room.canonical_alias': {
      const others = texts(content.alt_aliases);
      return text(content.alias) ? (
        <Trans
          id="Set the main address to {alias}. {others}"
          values={{ alias: quoted(content.alias), others: quoted(others.join(' ')) }}
        />
      ) : (
        <Trans id="Removed the main address. {others}" values={{ others: quoted(others.join(' ')) }} />
      );
    }
    case 'm.room.join_rules':
      return <Trans id="Set join rule: {rule}" values={{ rule: quoted(content.join_rule) }} />;
    case 'm.room.history_visibility':
      return (
        <Trans id="Set history visibility: {rule}" values={{ rule: quoted(content.history_visibility) }} />
      );
    case 'm.room.guest_access':
      return <Trans id="Set guest access: {rule}" values={{ rule: quoted(content.guest_access) }} />;
    case 'm.room.encryption':
      return <Trans id="Enabled encryption: {algorithm}" values={{ algorithm: quoted(content.algorithm) }} />;
    case 'm.room.power_levels':
      return i18n.t('Changed power levels');
    case 'm.room.pinned_events':
      return i18n.t('Changed pinned messages');
    case 'm.room.server_acl':
      return i18n.t('Changed server ACL');
    case 'm.room.third_party_invite':
      return (
        <Trans id="Invited {name} from outside Matrix" values={{ name: quoted(content.display_name) }} />
      );
    case 'm.room.tombstone':
      return (
        <Trans
          id="Upgraded the room to {room}: “{text}”"
          values={{ room: quoted(content.replacement_room), text: quoted(content.body) }}
        />
      );
    case 'm.space.child':
      return texts(content.via).length > 0 ? (
        <Trans id="Added {room} to the space" values={{ room: key }} />
      ) : (
        <Trans id="Removed {room} from the space" values={{ room: key }} />
      );
    case 'm.space.parent':
      return <Trans id="Changed parent space {room}" values={{ room: key }} />;
    case 'm.policy.rule.user':
    case 'm.policy.rule.room':
    case 'm.policy.rule.server':
      return (
        <Trans
          id="Recommends {what} for {entity}: “{reason}”"
          values={{
            what: quoted(content.recommendation),
            entity: quoted(content.entity),
            reason: quoted(content.reason),
          }}
        />
      );
    case 'm.call.member':
    case 'org.matrix.msc3401.call.member':
      return i18n.t('Joined, left or changed a call');
    default:
      return <Trans id="Changed {type}" values={{ type: quoted(type) }} />;
  }
}
