/** A stand-in for the code that you test. */

async function call(url: string, method: string, path: string, token: string, body: object) {
  const response = await fetch(`${url}/_matrix/client/v3${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, reply: (await response.json()) as Record<string, unknown> };
}

export async function createRoom(url: string, token: string): Promise<string> {
  const { reply } = await call(url, 'POST', '/createRoom', token, {});
  return String(reply.room_id);
}

/** Sends a message. Retries if it's rate-limited. */
export async function send(url: string, token: string, roomId: string, text: string): Promise<void> {
  const path = `/rooms/${encodeURIComponent(roomId)}/send/m.room.message/${crypto.randomUUID()}`;
  for (;;) {
    const { status, reply } = await call(url, 'PUT', path, token, { msgtype: 'm.text', body: text });
    if (status !== 429) return;
    await new Promise((resolve) => setTimeout(resolve, Number(reply.retry_after_ms)));
  }
}

export async function login(url: string, token: string): Promise<Record<string, unknown>> {
  const { reply } = await call(url, 'POST', '/login', '', { type: 'org.matrix.login.jwt', token });
  return reply;
}
