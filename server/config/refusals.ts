/** Settings with which the server does not start. Interface: "Startup refusals". */
import { ConfigurationError } from './configuration-error.ts';
import type { Settings } from './settings.ts';

/** @throws ConfigurationError for the first setting that must be refused */
export function refuse(settings: Settings): void {
  refuseOpenRegistration(settings);
  if (settings.account_threepid_delegates?.email !== undefined) {
    throw new ConfigurationError(
      'account_threepid_delegates.email',
      'verifying email addresses through an identity server is no longer supported',
      'remove it',
    );
  }
  refuseContradiction(settings, 'notify_appservices', 'notify_appservices_from_worker');
  refuseContradiction(settings, 'update_user_directory', 'update_user_directory_from_worker');
  for (const [index, { type }] of (settings.listeners ?? []).entries()) {
    if (type === 'webclient') {
      throw new ConfigurationError(
        `listeners[${index}].type`,
        'listeners of type webclient no longer exist',
        'remove the listener, and serve the web client with a web server of its own',
      );
    }
  }
  const location = settings.web_client_location;
  if (location !== undefined && !/^https?:\/\//.test(location)) {
    throw new ConfigurationError(
      'web_client_location',
      'it has to be an HTTP or HTTPS address',
      'write it like https://chat.example.org/, or remove it',
    );
  }
}

function refuseOpenRegistration(settings: Settings): void {
  if (!settings.enable_registration) return;
  const verification = (['registrations_require_3pid', 'enable_registration_captcha'] as const).find(
    (name) => (Array.isArray(settings[name]) ? settings[name].length > 0 : settings[name]),
  );
  if (verification) {
    throw new ConfigurationError(
      verification,
      'this server has no such check for registrations',
      'remove it, and set enable_registration to false or registration_requires_token to true',
    );
  }
  if (!settings.registration_requires_token && !settings.enable_registration_without_verification) {
    throw new ConfigurationError(
      'enable_registration',
      'registration would be open to everyone, without any verification',
      'set it to false, or set registration_requires_token to true, or enable_registration_without_verification if that is wanted',
    );
  }
}

/** The old switch says whether the main process does a job, the new setting which worker does. */
function refuseContradiction(
  settings: Settings,
  oldName: 'notify_appservices' | 'update_user_directory',
  newName: 'notify_appservices_from_worker' | 'update_user_directory_from_worker',
): void {
  const [old, worker] = [settings[oldName], settings[newName]];
  if (old === undefined || worker === undefined) return;
  const mainProcessDoesIt = worker === 'main';
  if (old === mainProcessDoesIt) return;
  throw new ConfigurationError(
    oldName,
    `it contradicts ${newName}`,
    `remove it: ${newName} alone says where that work is done`,
  );
}
