/** What each action is called on a button, in the menu, in the palette and in the log. */
export const actionLabels: Readonly<Record<string, string>> = {
  'delete-report': /*i18n*/ '{count, plural, one {Delete report} other {Delete # reports}}',
  'reset-destination': /*i18n*/ '{count, plural, one {Try again now} other {Try # servers again now}}',
  'delete-token': /*i18n*/ '{count, plural, one {Delete token} other {Delete # tokens}}',
  'end-sessions': /*i18n*/ '{count, plural, one {End all sessions} other {End all sessions of # users}}',
  'reset-password': /*i18n*/ '{count, plural, one {Reset password} other {Reset # passwords}}',
  'override-rate-limit': /*i18n*/ '{count, plural, one {Change rate limit} other {Change # rate limits}}',
  'remove-rate-limit': /*i18n*/ '{count, plural, one {Remove rate limit} other {Remove # rate limits}}',
  'deactivate-user': /*i18n*/ '{count, plural, one {Deactivate user} other {Deactivate # users}}',
  'reactivate-user': /*i18n*/ 'Reactivate user',
  'quarantine-media': /*i18n*/ '{count, plural, one {Quarantine media} other {Quarantine # media}}',
  'release-media': /*i18n*/ '{count, plural, one {Release media} other {Release # media}}',
  'protect-media': /*i18n*/ '{count, plural, one {Protect media} other {Protect # media}}',
  'unprotect-media': /*i18n*/ '{count, plural, one {Lift protection} other {Lift protection of # media}}',
  'delete-media': /*i18n*/ '{count, plural, one {Delete media} other {Delete # media}}',
  'delete-user-media':
    /*i18n*/ '{count, plural, one {Delete all their media} other {Delete all media of # users}}',
  'delete-unused-media': /*i18n*/ 'Delete unused media',
  'purge-media-copies': /*i18n*/ 'Delete copies of other servers’ media',
  'quarantine-user-media':
    /*i18n*/ '{count, plural, one {Quarantine all their media} other {Quarantine all media of # users}}',
  'release-user-media':
    /*i18n*/ '{count, plural, one {Release all their media} other {Release all media of # users}}',
  'quarantine-room-media':
    /*i18n*/ '{count, plural, one {Quarantine the room’s media} other {Quarantine the media of # rooms}}',
  'release-room-media':
    /*i18n*/ '{count, plural, one {Release the room’s media} other {Release the media of # rooms}}',
  'kick-member':
    /*i18n*/ '{users, plural, one {{count, plural, one {Kick from room} other {Kick from # rooms}}} other {Kick # users}}',
  'ban-member':
    /*i18n*/ '{users, plural, one {{count, plural, one {Ban from room} other {Ban from # rooms}}} other {Ban # users from rooms}}',
  'unban-member': /*i18n*/ '{count, plural, one {Lift ban from room} other {Lift # bans from rooms}}',
  'redact-event': /*i18n*/ '{count, plural, one {Redact event} other {Redact # events}}',
  'redact-user': /*i18n*/ '{count, plural, one {Redact all messages} other {Redact all messages of # users}}',
  'suspend-user': /*i18n*/ '{count, plural, one {Suspend user} other {Suspend # users}}',
  'take-down-user': /*i18n*/ '{count, plural, one {Take down user} other {Take down # users}}',
  'unsuspend-user': /*i18n*/ '{count, plural, one {Lift suspension} other {Lift # suspensions}}',
  'lock-user': /*i18n*/ '{count, plural, one {Lock user} other {Lock # users}}',
  'unlock-user': /*i18n*/ '{count, plural, one {Unlock user} other {Unlock # users}}',
  'shadow-ban-user': /*i18n*/ '{count, plural, one {Shadow-ban user} other {Shadow-ban # users}}',
  'unshadow-ban-user': /*i18n*/ '{count, plural, one {Lift shadow-ban} other {Lift # shadow-bans}}',
  'block-room': /*i18n*/ '{count, plural, one {Block room} other {Block # rooms}}',
  'unblock-room': /*i18n*/ '{count, plural, one {Unblock room} other {Unblock # rooms}}',
  'shut-down-room': /*i18n*/ '{count, plural, one {Shut down room} other {Shut down # rooms}}',
  'purge-room': /*i18n*/ '{count, plural, one {Purge room} other {Purge # rooms}}',
  'clear-profile': /*i18n*/ '{count, plural, one {Clear name and avatar} other {Clear # names and avatars}}',
  'edit-profile': /*i18n*/ '{count, plural, one {Edit profile} other {Edit # profiles}}',
  'make-administrator': /*i18n*/ '{count, plural, one {Make administrator} other {Make # administrators}}',
  'revoke-administrator':
    /*i18n*/ '{count, plural, one {Revoke administrator} other {Revoke # administrators}}',
  'add-threepid': /*i18n*/ '{count, plural, one {Add mail or telephone} other {Add mail or telephone to #}}',
  'add-external-id': /*i18n*/ '{count, plural, one {Add external account} other {Add external account to #}}',
  'remove-identity': /*i18n*/ '{count, plural, one {Remove} other {Remove #}}',
  'allow-cross-signing-reset': /*i18n*/ 'Allow cross-signing reset',
  'end-device': /*i18n*/ '{count, plural, one {End session} other {End # sessions}}',
  'erase-user': /*i18n*/ '{count, plural, one {Erase user} other {Erase # users}}',
  'join-room': /*i18n*/ '{count, plural, one {Join to a room} other {Join # users to a room}}',
  'join-user': /*i18n*/ '{count, plural, one {Join a user to it} other {Join a user to # rooms}}',
  'log-in-as': /*i18n*/ '{count, plural, one {Log in as them} other {Log in as # users}}',
  'make-user': /*i18n*/ '{count, plural, one {Make a user} other {Make # users}}',
  'make-room-administrator':
    /*i18n*/ '{count, plural, one {Make room administrator} other {Make administrator of # rooms}}',
  'publish-room': /*i18n*/ '{count, plural, one {List in public} other {List # rooms in public}}',
  'unpublish-room':
    /*i18n*/ '{count, plural, one {Take out of the public list} other {Take # rooms out of the public list}}',
  'add-alias': /*i18n*/ '{count, plural, one {Add address} other {Add address to # rooms}}',
  'remove-alias': /*i18n*/ '{count, plural, one {Remove address} other {Remove # addresses}}',
  'purge-history': /*i18n*/ '{count, plural, one {Purge history} other {Purge history of # rooms}}',
  'delete-extremities':
    /*i18n*/ '{count, plural, one {Delete forward extremities} other {Delete forward extremities of # rooms}}',
  'send-server-notice': /*i18n*/ '{count, plural, one {Send server notice} other {Send # server notices}}',
};
