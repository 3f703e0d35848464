/** Where users replace their cross-signing keys whose accounts another service keeps: there they prove who they are. */
import { discoveryDocument } from '../accounts/external-discovery.ts';
import type { ExternalService } from '../accounts/introspection.ts';
import { StagesLeft } from '../core/matrix-error.ts';

/** What the page is asked to do. */
const action = 'org.matrix.cross_signing_reset';
/** The stage, and as older clients know it: they are offered both (Matrix proposal 4312). */
const stages = ['m.oauth', action];

/** The answer to who wants to replace their keys. Matrix specification, client-server API, "OAuth authentication". */
export async function approvalElsewhere(service: ExternalService): Promise<StagesLeft> {
  const url = await approvalPage(service);
  return new StagesLeft({
    session: 'dummy',
    flows: stages.map((stage) => ({ stages: [stage] })),
    params: Object.fromEntries(stages.map((stage) => [stage, { url }])),
    msg: `To reset your end-to-end encryption cross-signing identity, you first need to approve it at ${url} and then try again.`,
  });
}

/** The page on which the service lets users manage their accounts; where it names none, the service itself. */
async function approvalPage(service: ExternalService): Promise<string> {
  const page = (await discoveryDocument(service))?.account_management_uri;
  const url = typeof page === 'string' ? URL.parse(page) : null;
  if (!url || !/^https?:$/.test(url.protocol)) return service.endpoint;
  url.searchParams.set('action', action);
  return url.href;
}
