/** WebRTC connections from a compromised page, in Chromium with the app's page settings. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callPolicy, nowhere } from '../../electron/window/sealed-page.ts';
import { launchChromium } from '../chromium.ts';

let relay: Server;
let calls = 0;
beforeAll(async () => {
  relay = createServer((socket) => {
    calls += 1;
    socket.destroy();
  }).listen(0, '127.0.0.1');
  await once(relay, 'listening');
});
afterAll(() => relay?.close());

/** Resolves when the page has tried every WebRTC route. */
async function callOverRelay(...switches: string[]): Promise<string[]> {
  const browser = await launchChromium(...switches);
  try {
    const page = await browser.newPage();
    await page.route('**/*', (route) => route.fulfill({ contentType: 'text/html', body: '' }));
    await page.goto('https://console.test/');
    const { port } = relay.address() as AddressInfo;
    return await page.evaluate(async (relayPort) => {
      const login = { username: 'a', credential: 'b' };
      const call = new RTCPeerConnection({
        iceServers: [
          { urls: `turn:127.0.0.1:${relayPort}?transport=tcp`, ...login },
          { urls: `turn:localhost:${relayPort}?transport=tcp`, ...login },
          { urls: `turn:127.0.0.1:${relayPort}?transport=udp`, ...login },
          { urls: 'stun:127.0.0.1:9' },
        ],
      });
      const found: string[] = [];
      call.createDataChannel('out');
      const tried = new Promise<void>((resolve) => {
        call.addEventListener('icecandidate', ({ candidate }) => {
          if (candidate?.candidate) found.push(candidate.candidate);
        });
        call.addEventListener('icegatheringstatechange', () => {
          if (call.iceGatheringState === 'complete') resolve();
        });
      });
      await call.setLocalDescription(await call.createOffer());
      await tried;
      return found;
    }, port);
  } finally {
    await browser.close();
  }
}

/** Same as `setWebRTCIPHandlingPolicy`. */
const withoutDatagrams = `--force-webrtc-ip-handling-policy=${callPolicy}`;

test('a relayed call escapes a page that only blocks datagrams', async () => {
  calls = 0;
  await callOverRelay(withoutDatagrams);
  expect(calls).toBeGreaterThan(0);
});

test('nothing leaves the page that the app seals', async () => {
  calls = 0;
  const found = await callOverRelay(
    withoutDatagrams,
    `--proxy-server=${nowhere.proxyRules}`,
    `--proxy-bypass-list=${nowhere.proxyBypassRules}`,
  );
  expect(calls).toBe(0);
  expect(found).toEqual([]);
});
