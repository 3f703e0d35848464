/** Who may register. */
import { type Static, type TObject, Type } from 'typebox';
import { ConfigurationError } from './configuration-error.ts';
import { section } from './section.ts';

const settings = {
  registration_shared_secret: Type.Optional(
    Type.String({ minLength: 1, description: 'Shared secret that lets admin tools register users' }),
  ),
  enable_registration: Type.Boolean({
    default: false,
    description: 'Allows registration; needs one of the next two settings',
  }),
  registration_requires_token: Type.Boolean({
    default: false,
    description: 'Requires a registration token',
  }),
  enable_registration_without_verification: Type.Boolean({
    default: false,
    description: 'Allows registration without any verification',
  }),
  allow_guest_access: Type.Boolean({
    default: false,
    description: 'Allows guest access: rooms that permit it can be read and joined without an account',
  }),
  // Checks that this server doesn't have.
  registrations_require_3pid: Type.Array(Type.String(), { default: [] }),
  enable_registration_captcha: Type.Boolean({ default: false }),
};

export const registration = section(settings, (written) => {
  refuseOpenRegistration(written);
  return {
    registration: {
      enabled: written.enable_registration,
      /** Whether people need a registration token. */
      requiresToken: written.registration_requires_token,
      /** Lets administrators' tools register users over HTTP; off where it is undefined. */
      sharedSecret: written.registration_shared_secret,
    },
    allowsGuests: written.allow_guest_access,
  };
});

/** Interface: "Startup refusals". */
function refuseOpenRegistration(written: Static<TObject<typeof settings>>): void {
  if (!written.enable_registration) return;
  const missing =
    (written.registrations_require_3pid.length > 0 && 'registrations_require_3pid') ||
    (written.enable_registration_captcha && 'enable_registration_captcha');
  if (missing) {
    throw new ConfigurationError(
      missing,
      'unsupported registration check',
      'remove it and set enable_registration to false or registration_requires_token to true',
    );
  }
  if (!written.registration_requires_token && !written.enable_registration_without_verification) {
    throw new ConfigurationError(
      'enable_registration',
      'registration would be open to anyone without verification',
      'set it to false, set registration_requires_token to true or, if open registration is intended, set enable_registration_without_verification to true',
    );
  }
}
