/**
 * Seals the page from the network. The content security policy blocks requests, but not WebRTC, which could send data
 * anywhere through a relay.
 */
import type { ProxyConfig, Session, WebContents } from 'electron';

/** All connections go to a proxy on a port that can't be listened on, and names are resolved by the proxy. */
export const nowhere = {
  mode: 'fixed_servers',
  proxyRules: 'http://127.0.0.1:0',
  // Loopback would bypass the proxy by default.
  proxyBypassRules: '<-loopback>',
} satisfies ProxyConfig;

/** UDP doesn't use the proxy. */
export const callPolicy = 'disable_non_proxied_udp';

/** Called before a page is loaded. The app's own requests use another session. */
export const sealSession = (session: Session): Promise<void> => session.setProxy(nowhere);

export const sealCalls = (contents: WebContents): void => contents.setWebRTCIPHandlingPolicy(callPolicy);
