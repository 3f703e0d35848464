/**
 * The page has no way to the network. The content security policy keeps it from requests, but knows nothing of
 * calls, which could carry anything to anywhere over a relay.
 */
import type { ProxyConfig, Session, WebContents } from 'electron';

/** Whatever is opened goes to a proxy on a port that nobody can listen on, and names are for the proxy to look up. */
export const nowhere = {
  mode: 'fixed_servers',
  proxyRules: 'http://127.0.0.1:0',
  // This machine is left out otherwise.
  proxyBypassRules: '<-loopback>',
} satisfies ProxyConfig;

/** What goes by datagrams takes no proxy. */
export const callPolicy = 'disable_non_proxied_udp';

/** Has to be done before a page is loaded. Requests of the app's own go through another session. */
export const sealSession = (session: Session): Promise<void> => session.setProxy(nowhere);

export const sealCalls = (contents: WebContents): void => contents.setWebRTCIPHandlingPolicy(callPolicy);
