import { i18n } from '@lingui/core';
import type { LadderStep, Policy } from '../../../../shared/team/policies.ts';

const usualLadder: LadderStep[] = [
  { strikes: 1, action: 'warn-user' },
  { strikes: 2, action: 'suspend-user', days: 7 },
  { strikes: 3, action: 'take-down-user' },
];

/** Messages with placeholders of their own are loaded with the first screen. */
const template = (text: string) => text.replaceAll('[', '{').replaceAll(']', '}');

/** Returns drafts for the team to edit, by key, in the user's language. */
export function starterPolicies(): Record<string, Policy> {
  const language = i18n.locale;
  const draft = { expires_days: 180, draft: true, templates: {} };
  return {
    spam: {
      ...draft,
      name: i18n.t('Spam'),
      text: i18n.t(
        'No unsolicited advertising, scams, phishing, or the same message posted repeatedly or in many rooms.',
      ),
      severity: 'medium',
      weight: 1,
      expires_days: 90,
      ladder: [
        { strikes: 1, action: 'warn-user' },
        { strikes: 2, action: 'take-down-user' },
      ],
      templates: {
        [language]: template(
          i18n.t(
            'Hello [user], your messages on [server] were reported as spam. Please stop: further spam leads to suspension. Questions? Contact [moderator].',
          ),
        ),
      },
    },
    harassment: {
      ...draft,
      name: i18n.t('Harassment'),
      text: i18n.t(
        'No insults, hate, stalking or unwanted contact. No attacks on people for who they are. No publishing of private information.',
      ),
      severity: 'high',
      weight: 1,
      ladder: usualLadder,
      templates: {
        [language]: template(
          i18n.t(
            "Hello [user], one of your messages on [server] broke our rule against harassment. Please leave the people concerned alone: next time, we'll suspend your account. Questions? Contact [moderator].",
          ),
        ),
      },
    },
    threats: {
      ...draft,
      name: i18n.t('Threats'),
      text: i18n.t(
        'No threats of violence, calls for violence or praise of it. Report acute danger to the police.',
      ),
      severity: 'urgent',
      weight: 2,
      expires_days: 365,
      ladder: [
        { strikes: 2, action: 'suspend-user', days: 30 },
        { strikes: 3, action: 'take-down-user' },
      ],
      templates: {
        [language]: template(
          i18n.t(
            'Hello [user], your account on [server] is restricted because of a threat. Contact [moderator] to appeal.',
          ),
        ),
      },
    },
    'self-harm': {
      ...draft,
      name: i18n.t('Self-harm'),
      text: i18n.t(
        'No encouragement of suicide, self-harm or eating disorders. People who write about their own crisis get help, not a strike.',
      ),
      severity: 'urgent',
      weight: 0,
      ladder: [],
      templates: {
        [language]: template(
          i18n.t(
            "Hello [user], we saw your message and worry about you. You're not alone: please talk to someone you trust or call a helpline in your country (findahelpline.com). [moderator] is there if you want to write.",
          ),
        ),
      },
    },
    'illegal-content': {
      ...draft,
      name: i18n.t('Illegal content'),
      text: i18n.t(
        'No content that is illegal where this server operates. Sexual content with minors: quarantine it, keep evidence and report it to the authorities.',
      ),
      severity: 'urgent',
      weight: 3,
      expires_days: null,
      ladder: [{ strikes: 3, action: 'take-down-user' }],
      templates: {
        [language]: template(
          i18n.t(
            'Hello [user], content that you posted on [server] was removed because it is illegal. Contact [moderator] to appeal.',
          ),
        ),
      },
    },
  };
}
