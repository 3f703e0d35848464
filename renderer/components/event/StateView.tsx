import { i18n } from '@lingui/core';
import { Trans } from '@lingui/react';
import type { ReactNode } from 'react';
import type { JsonObject } from '../../../shared/api/common.ts';
import { ContentChanges } from './ContentChanges.tsx';
import classes from './EventView.module.css';
import { RemoteImage } from './RemoteImage.tsx';
import { object, text, texts } from './read-json.ts';
import { Said, Who } from './Said.tsx';

type MemberSentenceProps = {
  event: JsonObject;
  /** The membership that it replaced; undefined where there was none. */
  before: JsonObject | undefined;
  /** Whether `before` is all that there was: an event as it is stored doesn't tell. */
  isKnown: boolean;
};

/** A change of somebody's membership, told in a sentence. */
function MemberSentence({ event, before, isKnown }: MemberSentenceProps) {
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

type Props = { event: JsonObject; type: string; brief: boolean };

/** A change of a room's state: what it does in a sentence, and what of it differs from before. */
export function StateView({ event, type, brief }: Props) {
  const content = object(event.content) ?? {};
  const unsigned = object(event.unsigned) ?? {};
  const before = object(unsigned.prev_content) ?? object(event.prev_content);
  // An event as it is stored says nothing about the one before it.
  const isKnown = before !== undefined || event.auth_events === undefined;
  const reason = type === 'm.room.member' ? text(content.reason) : undefined;
  const name =
    type === 'm.room.member' && before?.membership !== 'join' ? text(content.displayname) : undefined;
  const key = text(event.state_key);
  const picture = text(content.avatar_url) ?? text(content.url);
  return (
    <div className={classes.stack}>
      <span className={classes.sentence}>
        {type === 'm.room.member' ? (
          <MemberSentence event={event} before={before} isKnown={isKnown} />
        ) : (
          stateSentence(type, event, content)
        )}
      </span>
      {key && !keyIsTold.has(type) && (
        <span className={classes.note}>
          <Trans id="State key: {key}" values={{ key: <Said text={key} /> }} />
        </span>
      )}
      {name && (
        <span className={classes.note}>
          <Trans id="shown as “{name}”" values={{ name: <Said text={name} /> }} />
        </span>
      )}
      {reason && (
        <span className={classes.note}>
          {i18n.t('Reason:')} <Said text={reason} />
        </span>
      )}
      {/^m\.room\.(avatar|member)$/.test(type) && picture?.startsWith('mxc://') && (
        <RemoteImage uri={picture} name={i18n.t('Avatar')} />
      )}
      {!toldInFull.has(type) && <ContentChanges before={before} after={content} closed={brief} />}
      {!brief && (
        <span className={classes.note}>
          {i18n.t('State event:')}{' '}
          <code>
            <Said text={type} />
          </code>
        </span>
      )}
    </div>
  );
}

/** What the sentence alone says. */
const toldInFull = new Set([
  ...['m.room.member', 'm.room.name', 'm.room.topic', 'm.room.avatar', 'm.room.canonical_alias'],
  ...['m.room.history_visibility', 'm.room.guest_access', 'm.room.encryption', 'm.room.tombstone'],
]);

/** Whose key stands in the sentence, or is made of who sent it. */
const keyIsTold = new Set([
  ...['m.room.member', 'm.space.child', 'm.space.parent'],
  ...['m.call.member', 'org.matrix.msc3401.call.member'],
]);

function stateSentence(type: string, event: JsonObject, content: JsonObject): ReactNode {
  const said = (value: unknown) => <Said text={text(value) ?? ''} />;
  const key = said(event.state_key);
  switch (type) {
    case 'm.room.create':
      return i18n.t('Created the room');
    case 'm.room.name':
      return text(content.name) ? (
        <Trans id="Named the room “{name}”" values={{ name: said(content.name) }} />
      ) : (
        i18n.t('Removed the room name')
      );
    case 'm.room.topic':
      return text(content.topic) ? (
        <Trans id="Set the topic to “{topic}”" values={{ topic: said(content.topic) }} />
      ) : (
        i18n.t('Removed the topic')
      );
    case 'm.room.avatar':
      return text(content.url) ? (
        <Trans id="Set the room avatar to {address}" values={{ address: said(content.url) }} />
      ) : (
        i18n.t('Removed the room avatar')
      );
    case 'm.room.canonical_alias': {
      const others = texts(content.alt_aliases);
      return text(content.alias) ? (
        <Trans
          id="Set the main address to {alias}. {others}"
          values={{ alias: said(content.alias), others: said(others.join(' ')) }}
        />
      ) : (
        <Trans id="Removed the main address. {others}" values={{ others: said(others.join(' ')) }} />
      );
    }
    case 'm.room.join_rules':
      return <Trans id="Set join rule: {rule}" values={{ rule: said(content.join_rule) }} />;
    case 'm.room.history_visibility':
      return (
        <Trans id="Set history visibility: {rule}" values={{ rule: said(content.history_visibility) }} />
      );
    case 'm.room.guest_access':
      return <Trans id="Set guest access: {rule}" values={{ rule: said(content.guest_access) }} />;
    case 'm.room.encryption':
      return <Trans id="Enabled encryption: {algorithm}" values={{ algorithm: said(content.algorithm) }} />;
    case 'm.room.power_levels':
      return i18n.t('Changed power levels');
    case 'm.room.pinned_events':
      return i18n.t('Changed pinned messages');
    case 'm.room.server_acl':
      return i18n.t('Changed server ACL');
    case 'm.room.third_party_invite':
      return <Trans id="Invited {name} from outside Matrix" values={{ name: said(content.display_name) }} />;
    case 'm.room.tombstone':
      return (
        <Trans
          id="Upgraded the room to {room}: “{text}”"
          values={{ room: said(content.replacement_room), text: said(content.body) }}
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
            what: said(content.recommendation),
            entity: said(content.entity),
            reason: said(content.reason),
          }}
        />
      );
    case 'm.call.member':
    case 'org.matrix.msc3401.call.member':
      return i18n.t('Joined, left or changed a call');
    default:
      return <Trans id="Changed {type}" values={{ type: said(type) }} />;
  }
}
